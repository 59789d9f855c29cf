import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { ProfileName } from '../../contracts/judging/profile.ts';
import { TESTED } from '../../suites/service/self-test/tested.ts';
import { runTasks } from '../../suites/self-test/pool.ts';
import type { SelfTestReport, Task, TaskResult } from '../../suites/self-test/self-test.ts';
import { isGood, median, reportOf, tasksOf } from '../../suites/self-test/self-test.ts';
import type { ExitCode } from '../exit-code.ts';
import { EXIT, UsageError } from '../exit-code.ts';
import { didYouMean } from '../near.ts';
import { print, tell } from '../output.ts';

/** What to test, and where to write the result. */
export interface SelfTestFlags {
  readonly seeds: readonly number[];
  readonly profile?: ProfileName;
  readonly only?: string;
  /** Leaves the faults out: variants alone, for false alarms over many seeds. */
  readonly variantsOnly?: boolean;
  /** Leaves the variants out. */
  readonly faultsOnly?: boolean;
  readonly json?: string;
}

/** Runs every fault and variant, prints what became of them, and writes it as JSON if asked. */
export async function runSelfTest(flags: SelfTestFlags): Promise<ExitCode> {
  const { seeds, profile, only, variantsOnly = false, faultsOnly = false, json } = flags;
  const started = performance.now();
  const tasks = tasksOf(TESTED, seeds, profile).filter(
    (task) =>
      (only === undefined || matches(task, only)) &&
      !(variantsOnly && task.kind === 'fault') &&
      !(faultsOnly && task.kind === 'variant'),
  );
  if (only !== undefined && tasks.every(({ kind }) => kind === 'clean')) {
    const { driven, faults, variants } = TESTED;
    const known = [...driven.rules.ofExchanges, ...faults, ...variants].map(({ id }) => id);
    throw new UsageError(
      `--only: no fault or variant, and no rule of a fault, has "${only}" in its id.${didYouMean(only, known)}`,
    );
  }
  const script = new URL('../../suites/service/self-test/worker.js', import.meta.url);
  const interrupted = new AbortController();
  process.once('SIGINT', () => {
    tell('  Ending with what was begun; once more ends at once.');
    interrupted.abort();
  });
  const shown = (result: TaskResult, done: number): void => {
    for (const { rule, finding } of result.kind === 'fault' ? [] : result.broken)
      tell(`  False alarm: ${result.id || 'clean'} (seed ${result.seed}) ${rule}: ${finding}`);
    if (done % 50 === 0) tell(`  ${done} of ${tasks.length} services`);
  };
  const threads = availableParallelism();
  const results = await runTasks<TaskResult>(tasks, script, threads, shown, interrupted.signal);
  const whole = reportOf(TESTED, profile, seeds, results);
  const isPart = results.length < tasks.length;
  const report = only === undefined && !variantsOnly && !isPart ? whole : partOf(whole, results);
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(report, undefined, 2)}\n`);
  print(render(report, (performance.now() - started) / 1000));
  if (isPart) print(`Ended early: ${results.length} of ${tasks.length} services were tested.\n`);
  if (!isGood(report)) return EXIT.doesNotConform;
  return isPart ? EXIT.undecided : EXIT.conforms;
}

function matches({ kind, id }: Task, text: string): boolean {
  if (kind === 'clean' || id.includes(text)) return true;
  return (
    kind === 'fault' &&
    TESTED.faults.some((fault) => fault.id === id && fault.breaks.includes(text))
  );
}

function partOf(report: SelfTestReport, tasks: readonly Pick<Task, 'id'>[]): SelfTestReport {
  const chosen = new Set(tasks.map(({ id }) => id));
  return { ...report, faults: report.faults.filter(({ id }) => chosen.has(id)) };
}

function render(report: SelfTestReport, seconds: number): string {
  const { faults, falseAlarms, notReached, cutShort, judgedOtherwise, rules } = report;
  const count = (grade: string): number => faults.filter(({ fate }) => fate === grade).length;
  const bare = rules.filter((rule) => rule.faults.length === 0).map(({ id }) => id);
  const percent = faults.length === 0 ? 0 : (100 * count('killed')) / faults.length;
  const besides = faults.filter(({ unexplained }) => unexplained.length > 0);
  const width = Math.max(4, ...rules.map(({ id }) => id.length));
  const lines = [
    'Faults by rule',
    ...rules.map(
      ({ id, faults: faultIds }) => `  ${id.padEnd(width)}  ${faultIds.join(', ') || 'none'}`,
    ),
    '',
    ...list(
      'Killed only by another rule',
      faults
        .filter(({ fate }) => fate === 'killed-otherwise')
        .map(({ id, breaks }) => `${id} (${breaks})`),
    ),
    ...list(
      'Survived',
      faults.filter(({ fate }) => fate === 'survived').map(({ id, breaks }) => `${id} (${breaks})`),
    ),
    ...list(
      'Other must-rules broken without a stated reason',
      besides.map(({ id, unexplained }) => `${id}: ${unexplained.join(', ')}`),
    ),
    ...list(
      'False alarms',
      falseAlarms.map(
        ({ service, seed, rule, finding }) => `${service} (seed ${seed}) ${rule}: ${finding}`,
      ),
    ),
    ...list('Rules without a fault', bare),
    ...list('Rules that the clean service does not reach', notReached),
    ...list('Drives cut short', cutShort),
    ...list('Records that say something else than their runs', judgedOtherwise),
    `${report.profile === undefined ? 'drive alone' : `profile ${report.profile}`}: ${report.services} services, ${report.exchanges} exchanges, seeds ${report.seeds.join(', ')}, ${seconds.toFixed(1)} s`,
    `${faults.length} faults: ${count('killed')} killed by their own rule (${percent.toFixed(1)} %), ${count('killed-otherwise')} only by another, ${count('survived')} survived`,
    ...effortLines(faults),
    `${falseAlarms.length} false alarms`,
    `${report.services} records judged again, ${judgedOtherwise.length} otherwise than their runs`,
  ];
  return `${lines.join('\n')}\n`;
}

/** What it takes to find a fault, and how small what shows it becomes. */
function effortLines(faults: SelfTestReport['faults']): string[] {
  const requests = faults.flatMap((fault) => fault.requests ?? []);
  const distances = faults.flatMap((fault) => fault.distance ?? []);
  if (requests.length === 0) return [];
  const small = distances.filter((distance) => distance <= 2).length;
  return [
    `${median(requests) ?? 0} requests to the first catch (median; at most ${Math.max(...requests)})`,
    ...(distances.length === 0
      ? []
      : [
          `${median(distances) ?? 0} fields from the plain request to the counterexample (median; ${small} of ${distances.length} at most 2)`,
        ]),
  ];
}

function list(title: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [title, ...items.map((item) => `  ${item}`), ''];
}
