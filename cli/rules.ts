import type { Command } from 'commander';
import { RULES_BY_SECTION } from '../contracts/registry.ts';
import type { ExitCode } from './exit-code.ts';
import { EXIT } from './exit-code.ts';

/** Adds `assay rules` to the program. */
export function addRules(program: Command, done: (code: ExitCode) => void): void {
  program
    .command('rules')
    .description('list all rules with level and source')
    .action(() => {
      process.stdout.write(listing());
      done(EXIT.conforms);
    });
}

function listing(): string {
  const rules = Object.values(RULES_BY_SECTION).flat();
  const idWidth = Math.max(...rules.map(({ id }) => id.length));
  const sourceWidth = Math.max(...rules.map(({ source }) => source.length));
  const blocks = Object.entries(RULES_BY_SECTION).map(([section, list]) => {
    const lines = list.map(
      ({ id, level, source, protects }) =>
        `  ${id.padEnd(idWidth)}  ${level.padEnd(7)}  ${source.padEnd(sourceWidth)}  ${protects}`,
    );
    return [section, ...lines].join('\n');
  });
  return `${blocks.join('\n\n')}\n\n${rules.length} rules\n`;
}
