import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { Rule } from '../../contracts/judging/rule.ts';
import type { RuleRegistry } from '../../contracts/rules/registry.ts';
import { printableLines } from '../../contracts/run/printable.ts';
import type { ExitCode } from '../exit-code.ts';
import { EXIT, UsageError } from '../exit-code.ts';
import { didYouMean } from '../near.ts';
import { print } from '../output.ts';

/** Adds `assay rules` to the program. */
export function addRules(program: Command, done: (code: ExitCode) => void): void {
  const command = program
    .command('rules')
    .description('list rules and clauses; explain one rule')
    .option('--clauses', 'list the clauses of the document with what covers each', false)
    .option('--config <file>', 'configuration file with rules of its own; else assay.config.*')
    .option('--env <name>', 'the environment of the configuration file whose values are taken')
    .action(async (flags: RulesFlags) => {
      print(flags.clauses ? await clauseListing() : listing(await registryOf(flags)));
      done(EXIT.conforms);
    });
  command
    .command('explain')
    .description('what a rule protects, where it comes from, and which faults it catches')
    .argument('<id>', 'id of a rule')
    .exitOverride()
    .action(async (id: string, _: unknown, explain: Command) => {
      const registry = await registryOf(explain.optsWithGlobals<RulesFlags>());
      print(printableLines(await explanation(id, registry.all)));
      done(EXIT.conforms);
    });
}

interface RulesFlags {
  readonly clauses: boolean;
  readonly config?: string;
  readonly env?: string;
}

/** The rules of the service, and after them those of the configuration. @throws ConfigError */
async function registryOf(flags: RulesFlags): Promise<RuleRegistry> {
  const { ASSAY_CONFIG, ASSAY_ENV } = process.env;
  const { readConfig } = await import('../config.ts');
  const { loadOwnRules } = await import('../../target/config/own-rules.ts');
  const { plainService } = await import('../../contracts/plain-service.ts');
  // Half of all modules: other commands start faster without.
  const { SERVICE } = await import('../service.ts');
  const env = { ASSAY_CONFIG, ASSAY_ENV };
  const cwd = process.cwd();
  // A report of somebody else's names rules, which are looked up beside it.
  const { EXCHANGES_FILE, SUMMARY_FILE } = await import('../../target/record/recorder.ts');
  const onlyNamed = [SUMMARY_FILE, EXCHANGES_FILE].some((name) => existsSync(join(cwd, name)));
  const input = { flags: { ...flags }, env, cwd, onlyNamed, defaultSeed: 0 };
  const config = await readConfig(input);
  const service = config.service === undefined ? SERVICE : plainService(config.service.apis);
  const own = await loadOwnRules(config.rules, service.apis);
  const { refuseTakenIds } = await import('../own-rules.ts');
  refuseTakenIds(
    own,
    service.rules.all.map(({ id }) => id),
  );
  return service.rules.with(own);
}

function listing({ all: rules, sections }: RuleRegistry): string {
  const idWidth = Math.max(...rules.map(({ id }) => id.length));
  const sourceWidth = Math.max(...rules.map(({ source }) => source.length));
  const blocks = sections.map(({ name, rules }) => {
    const lines = rules.map(
      ({ id, level, source, protects }) =>
        `  ${id.padEnd(idWidth)}  ${level.padEnd(7)}  ${source.padEnd(sourceWidth)}  ${protects}`,
    );
    return [name, ...lines].join('\n');
  });
  return printableLines(`${blocks.join('\n\n')}\n\n${rules.length} rules\n`);
}

async function clauseListing(): Promise<string> {
  const { renderClauses } = await import('./render-clauses.ts');
  const { SERVICE } = await import('../service.ts');
  return renderClauses(SERVICE.loadClauses());
}

/** @throws UsageError when there is no such rule */
async function explanation(id: string, rules: readonly Rule[]): Promise<string> {
  const rule = rules.find((one) => one.id === id);
  if (rule === undefined) {
    const near = didYouMean(
      id,
      rules.map((one) => one.id),
    );
    throw new UsageError(`there is no rule ${id}.${near} "assay rules" lists all.`);
  }
  const { explainRule } = await import('./explain/explain-rule.ts');
  return explainRule(rule);
}
