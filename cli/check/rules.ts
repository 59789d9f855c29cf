import type { Command } from 'commander';
import type { ExitCode } from '../exit-code.ts';
import { EXIT, UsageError } from '../exit-code.ts';
import { didYouMean } from '../near.ts';
import { print } from '../output.ts';
import { SERVICE } from '../service.ts';

const RULES = SERVICE.rules.all;

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
  const blocks = SERVICE.rules.sections.map(({ name, rules }) => {
    const lines = rules.map(
      ({ id, level, source, protects }) =>
        `  ${id.padEnd(idWidth)}  ${level.padEnd(7)}  ${source.padEnd(sourceWidth)}  ${protects}`,
    );
    return [name, ...lines].join('\n');
  });
  return `${blocks.join('\n\n')}\n\n${RULES.length} rules\n`;
}

async function clauseListing(): Promise<string> {
  const { renderClauses } = await import('./render-clauses.ts');
  return renderClauses(SERVICE.loadClauses());
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
  const { explainRule } = await import('./explain/explain-rule.ts');
  return explainRule(rule);
}
