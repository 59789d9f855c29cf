import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import {
  isGoodOnLimits,
  limitsReportOf,
  limitsTasksOf,
  type LimitsReport,
  type LimitsTaskResult,
} from '../../suites/service/self-test/limits-self-test.ts';
import { runTasks } from '../../suites/self-test/pool.ts';
import type { ExitCode } from '../exit-code.ts';
import { EXIT, UsageError } from '../exit-code.ts';
import { didYouMean } from '../near.ts';
import { print, tell } from '../output.ts';

/** What to probe, and where to write the result. */
export interface LimitsSelfTestFlags {
  readonly seeds: readonly number[];
  /** Only services whose id contains the text; the clean one always. */
  readonly only?: string;
  readonly variantsOnly?: boolean;
  readonly json?: string;
}

/** Probes every fault, oddity and variant of limits, and prints what became of them. */
export async function runLimitsSelfTest(flags: LimitsSelfTestFlags): Promise<ExitCode> {
  const { seeds, only = '', variantsOnly = false, json } = flags;
  const started = performance.now();
  const tasks = limitsTasksOf(seeds).filter(
    ({ kind, id }) =>
      kind === 'clean' || (id.includes(only) && !(variantsOnly && kind === 'fault')),
  );
  if (only !== '' && tasks.every(({ kind }) => kind === 'clean')) {
    const near = didYouMean(
      only,
      limitsTasksOf([1]).map(({ id }) => id),
    );
    throw new UsageError(`--only: no fault or variant of limits has "${only}" in its id.${near}`);
  }
  const script = new URL('../../suites/service/self-test/limits-worker.js', import.meta.url);
  const results = await runTasks<LimitsTaskResult>(
    tasks,
    script,
    availableParallelism(),
    (_, done) => {
      if (done % 20 === 0) tell(`  ${done} of ${tasks.length} services`);
    },
  );
  const report = limitsReportOf(results);
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(report, undefined, 2)}\n`);
  print(render(report, (performance.now() - started) / 1000));
  return isGoodOnLimits(report) ? EXIT.conforms : EXIT.doesNotConform;
}

function render(report: LimitsReport, seconds: number): string {
  const { faults, falseAlarms, unreported, oddities, notReached, cutShort } = report;
  const withFate = (wanted: string): string[] =>
    faults.filter(({ fate }) => fate === wanted).map(({ id, breaks }) => `${id} (${breaks})`);
  const besides = faults.filter(({ unexplained }) => unexplained.length > 0);
  const own = withFate('killed').length;
  const percent = faults.length === 0 ? 0 : (100 * own) / faults.length;
  const lines = [
    ...list('Killed only by another rule', withFate('killed-otherwise')),
    ...list('Survived', withFate('survived')),
    ...list(
      'Other must-rules broken without a stated reason',
      besides.map(({ id, unexplained }) => `${id}: ${unexplained.join(', ')}`),
    ),
    ...list('Oddities that the ledger does not tell', unreported),
    ...list(
      'False alarms',
      falseAlarms.map(
        ({ service, seed, rule, finding }) => `${service} (seed ${seed}) ${rule}: ${finding}`,
      ),
    ),
    ...list('Rules that the clean service does not reach', notReached),
    ...list('Probes cut short', cutShort),
    `limits: ${report.services} services, ${report.exchanges} exchanges, seeds ${report.seeds.join(', ')}, ${seconds.toFixed(1)} s`,
    `${faults.length} faults: ${own} killed by their own rule (${percent.toFixed(1)} %), ${withFate('killed-otherwise').length} only by another, ${withFate('survived').length} survived`,
    `${oddities} oddities: ${unreported.length} not told`,
    `${falseAlarms.length} false alarms`,
  ];
  return `${lines.join('\n')}\n`;
}

function list(title: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [title, ...items.map((item) => `  ${item}`), ''];
}
