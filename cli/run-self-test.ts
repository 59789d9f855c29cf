import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { FAULTS } from '../fixtures/faults/catalogue.ts';
import { runTasks } from '../suites/self-test/pool.ts';
import type { SelfTestReport, Task } from '../suites/self-test/self-test.ts';
import { isGood, reportOf, tasksOf } from '../suites/self-test/self-test.ts';
import type { ExitCode } from './exit-code.ts';
import { EXIT } from './exit-code.ts';

/** What to test, and where to write the result. */
export interface SelfTestFlags {
  readonly seeds: readonly number[];
  readonly only?: string;
  readonly json?: string;
}

/** Runs every fault and variant, prints what became of them, and writes it as JSON if asked. */
export async function runSelfTest({ seeds, only, json }: SelfTestFlags): Promise<ExitCode> {
  const started = performance.now();
  const tasks = tasksOf(seeds).filter((task) => only === undefined || matches(task, only));
  const script = new URL('../suites/self-test/worker.js', import.meta.url);
  const results = await runTasks(tasks, script, availableParallelism(), (_, done) => {
    if (done % 50 === 0) process.stderr.write(`  ${done} of ${tasks.length} services\n`);
  });
  const whole = reportOf(seeds, results);
  const report = only === undefined ? whole : partOf(whole, tasks);
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(report, undefined, 2)}\n`);
  process.stdout.write(render(report, (performance.now() - started) / 1000));
  return isGood(report) ? EXIT.conforms : EXIT.doesNotConform;
}

function matches({ kind, id }: Task, text: string): boolean {
  if (kind === 'clean' || id.includes(text)) return true;
  return kind === 'fault' && FAULTS.some((fault) => fault.id === id && fault.breaks.includes(text));
}

function partOf(report: SelfTestReport, tasks: readonly Task[]): SelfTestReport {
  const chosen = new Set(tasks.map(({ id }) => id));
  return { ...report, faults: report.faults.filter(({ id }) => chosen.has(id)) };
}

function render(report: SelfTestReport, seconds: number): string {
  const { faults, falseAlarms, notReached, cutShort, rules } = report;
  const count = (grade: string): number => faults.filter(({ caught }) => caught === grade).length;
  const bare = rules.filter((rule) => rule.faults.length === 0).map(({ id }) => id);
  const percent = faults.length === 0 ? 0 : (100 * count('own')) / faults.length;
  const besides = faults.filter(({ unexplained }) => unexplained.length > 0);
  const width = Math.max(4, ...rules.map(({ id }) => id.length));
  const lines = [
    'Faults by rule',
    ...rules.map(({ id, faults: of }) => `  ${id.padEnd(width)}  ${of.join(', ') || 'none'}`),
    '',
    ...list(
      'Caught only by another rule',
      faults
        .filter(({ caught }) => caught === 'other')
        .map(({ id, breaks }) => `${id} (${breaks})`),
    ),
    ...list(
      'Missed',
      faults
        .filter(({ caught }) => caught === 'missed')
        .map(({ id, breaks }) => `${id} (${breaks})`),
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
    `${report.services} services, ${report.exchanges} exchanges, seeds ${report.seeds.join(', ')}, ${seconds.toFixed(1)} s`,
    `${faults.length} faults: ${count('own')} caught by their own rule (${percent.toFixed(1)} %), ${count('other')} only by another, ${count('missed')} missed`,
    `${falseAlarms.length} false alarms`,
  ];
  return `${lines.join('\n')}\n`;
}

function list(title: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [title, ...items.map((item) => `  ${item}`), ''];
}
