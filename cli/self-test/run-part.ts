import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { runTasks } from '../../suites/self-test/pool.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { print, notify } from '../output.ts';
import { chosenTasks } from './chosen-tasks.ts';

/** What to test of one part of Assay, and where to write the result. */
export interface PartFlags {
  readonly seeds: readonly number[];
  /** Only services whose id contains one of the texts; the clean one always. */
  readonly only?: readonly string[];
  readonly variantsOnly?: boolean;
  readonly json?: string;
}

/** A part of Assay with faults and variants of its own. */
export interface TestedPart<Result extends object, Report> {
  readonly name: 'limits' | 'load';
  readonly tasksOf: (
    seeds: readonly number[],
  ) => readonly { readonly kind: string; readonly id: string }[];
  /** Progress is reported once in so many services. */
  readonly every: number;
  readonly reportOf: (results: readonly Result[]) => Report;
  readonly isGood: (report: Report) => boolean;
  readonly linesOf: (report: Report, seconds: number) => readonly string[];
}

/** Runs every fault and variant of a part, and prints what became of them. */
export async function runPart<Result extends object, Report>(
  { seeds, only, variantsOnly = false, json }: PartFlags,
  { name, tasksOf, every, reportOf, isGood, linesOf }: TestedPart<Result, Report>,
): Promise<ExitCode> {
  const started = performance.now();
  const all = tasksOf(seeds).filter(({ kind }) => !(variantsOnly && kind === 'fault'));
  const tasks = chosenTasks(all, only, {
    has: ({ id }, text) => id.includes(text),
    what: `fault or variant of ${name}`,
    known: tasksOf([1]).map(({ id }) => id),
  });
  const script = new URL(`./self-test-worker.js?${name}`, import.meta.url);
  const shown = (_: Result, done: number): void => {
    if (done % every === 0) notify(`  ${done} of ${tasks.length} services`);
  };
  const report = reportOf(await runTasks<Result>(tasks, script, availableParallelism(), shown));
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(report, undefined, 2)}\n`);
  print(`${linesOf(report, (performance.now() - started) / 1000).join('\n')}\n`);
  return isGood(report) ? EXIT.conforms : EXIT.doesNotConform;
}
