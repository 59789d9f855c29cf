import type { Command } from 'commander';
import { LOAD_RULES } from '../../contracts/run/load/load-rules.ts';
import { RULES as EXCHANGE_RULES, RULES_BY_SECTION } from '../../contracts/service/registry.ts';
import { rateLimitRules } from '../../contracts/service/rules/8-limits/8-rate-limits.ts';
import type { ExitCode } from '../exit-code.ts';
import { EXIT, UsageError } from '../exit-code.ts';
import { didYouMean } from '../near.ts';
import { print } from '../output.ts';

/** The rules of `assay limits` look at measurements; as rows they are like the others. */
const LIMIT_RULES = rateLimitRules([]);
const RULES = [...EXCHANGE_RULES, ...LIMIT_RULES, ...LOAD_RULES];
const SECTIONS = { ...RULES_BY_SECTION, '8-rate-limits': LIMIT_RULES, '8-load': LOAD_RULES };

/** Adds `assay rules` to the program. */
export function addRules(program: Command, done: (code: ExitCode) => void): void {
  const command = program
    .command('rules')
    .description('list rules and clauses; explain one rule')
    .option('--clauses', 'list the clauses of the document with what covers each', false)
    .action(async ({ clauses }: { clauses: boolean }) => {
      print(clauses ? await clauseListing() : listing());
      done(EXIT.conforms);
    });
  command
    .command('explain')
    .description('what a rule protects, where it comes from, and which faults it catches')
    .argument('<id>', 'id of a rule')
    .exitOverride()
    .action(async (id: string) => {
      print(await explanation(id));
      done(EXIT.conforms);
    });
}

function listing(): string {
  const idWidth = Math.max(...RULES.map(({ id }) => id.length));
  const sourceWidth = Math.max(...RULES.map(({ source }) => source.length));
  const blocks = Object.entries(SECTIONS).map(([section, list]) => {
    const lines = list.map(
      ({ id, level, source, protects }) =>
        `  ${id.padEnd(idWidth)}  ${level.padEnd(7)}  ${source.padEnd(sourceWidth)}  ${protects}`,
    );
    return [section, ...lines].join('\n');
  });
  return `${blocks.join('\n\n')}\n\n${RULES.length} rules\n`;
}

async function clauseListing(): Promise<string> {
  const { loadClauses } = await import('../../contracts/service/clauses.ts');
  const { renderClauses } = await import('./render-clauses.ts');
  return renderClauses(loadClauses());
}

/** @throws UsageError when there is no such rule */
async function explanation(id: string): Promise<string> {
  const rule = RULES.find((one) => one.id === id);
  if (rule === undefined) {
    const near = didYouMean(
      id,
      RULES.map((one) => one.id),
    );
    throw new UsageError(`there is no rule ${id}.${near} "assay rules" lists all.`);
  }
  const { loadClauses } = await import('../../contracts/service/clauses.ts');
  const { FAULTS } = await import('../../fixtures/service/faults/catalogue.ts');
  const { LIMIT_FAULTS } = await import('../../fixtures/service/faults/limits/limits.ts');
  const { LOAD_FAULTS } = await import('../../fixtures/service/faults/limits/load.ts');
  const { renderRule } = await import('./render-rule.ts');
  return renderRule(rule, loadClauses(), [...FAULTS, ...LIMIT_FAULTS, ...LOAD_FAULTS]);
}
