import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import {
  isGoodUnderLoad,
  loadReportOf,
  loadTasksOf,
  type LoadReport,
  type LoadTaskResult,
} from '../../suites/service/self-test/load-self-test.ts';
import { runTasks } from '../../suites/self-test/pool.ts';
import type { ExitCode } from '../exit-code.ts';
import { EXIT, UsageError } from '../exit-code.ts';
import { didYouMean } from '../near.ts';
import { print, tell } from '../output.ts';
import type { LimitsSelfTestFlags } from '../limits/run-limits-self-test.ts';

/** Puts every fault and variant of load under load, and prints what became of them. */
export async function runLoadSelfTest(flags: LimitsSelfTestFlags): Promise<ExitCode> {
  const { seeds, only = '', variantsOnly = false, json } = flags;
  const started = performance.now();
  const tasks = loadTasksOf(seeds).filter(
    ({ kind, id }) =>
      kind === 'clean' || (id.includes(only) && !(variantsOnly && kind === 'fault')),
  );
  if (only !== '' && tasks.every(({ kind }) => kind === 'clean')) {
    const near = didYouMean(
      only,
      loadTasksOf([1]).map(({ id }) => id),
    );
    throw new UsageError(`--only: no fault or variant of load has "${only}" in its id.${near}`);
  }
  const script = new URL('../../suites/service/self-test/load-worker.js', import.meta.url);
  const results = await runTasks<LoadTaskResult>(
    tasks,
    script,
    availableParallelism(),
    (_, done) => {
      if (done % 10 === 0) tell(`  ${done} of ${tasks.length} services`);
    },
  );
  const report = loadReportOf(results);
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(report, undefined, 2)}\n`);
  print(render(report, (performance.now() - started) / 1000));
  return isGoodUnderLoad(report) ? EXIT.conforms : EXIT.doesNotConform;
}

function render(report: LoadReport, seconds: number): string {
  const { faults, falseAlarms, disagreeing, notReached } = report;
  const withFate = (wanted: string): string[] =>
    faults
      .filter(({ fate }) => fate === wanted)
      .map(({ id, breaks, began }) => `${id} (${breaks}${began.map((at) => `, ${at}`).join('')})`);
  const besides = faults.filter(({ unexplained }) => unexplained.length > 0);
  const own = withFate('killed').length;
  const percent = faults.length === 0 ? 0 : (100 * own) / faults.length;
  const lines = [
    ...list('Killed only by another rule, or at another step', withFate('killed-otherwise')),
    ...list('Survived', withFate('survived')),
    ...list(
      'Other must-rules broken without a stated reason',
      besides.map(({ id, unexplained }) => `${id}: ${unexplained.join(', ')}`),
    ),
    ...list('Broken in the run and not in its record, or the other way round', disagreeing),
    ...list(
      'False alarms',
      falseAlarms.map(
        ({ service, seed, rule, finding }) => `${service} (seed ${seed}) ${rule}: ${finding}`,
      ),
    ),
    ...list('Rules on load that the clean service does not reach', notReached),
    `load: ${report.services} services, ${report.requests} requests, seeds ${report.seeds.join(', ')}, ${seconds.toFixed(1)} s`,
    `${faults.length} faults: ${own} killed by their own rule at their step (${percent.toFixed(1)} %), ${withFate('killed-otherwise').length} only otherwise, ${withFate('survived').length} survived`,
    `${falseAlarms.length} false alarms`,
  ];
  return `${lines.join('\n')}\n`;
}

function list(title: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [title, ...items.map((item) => `  ${item}`), ''];
}
