import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { ProfileName } from '../../contracts/judging/profile.ts';
import { partOfList, type Segment } from '../../load/scenarios/segment.ts';
import { TESTED } from '../../suites/service/self-test/tested.ts';
import { runTasks } from '../../suites/self-test/pool.ts';
import type { SelfTestReport, Task, TaskResult } from '../../suites/self-test/self-test.ts';
import { isGood, reportOf, tasksOf } from '../../suites/self-test/self-test.ts';
import type { ExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';
import { print, notify } from '../output.ts';
import { chosenTasks } from './chosen-tasks.ts';
import { render } from './self-test-words.ts';

/** What to test, and where to write the result. */
export interface SelfTestFlags {
  readonly seeds: readonly number[];
  readonly profile?: ProfileName;
  readonly only?: readonly string[];
  /** Leaves the faults out: variants alone, for false alarms over many seeds. */
  readonly variantsOnly?: boolean;
  /** Leaves the variants out. */
  readonly faultsOnly?: boolean;
  /** Which part of the faults and variants. */
  readonly part?: Segment;
  readonly json?: string;
}

/** Runs every fault and variant, prints what became of them, and writes it as JSON if asked. */
export async function runSelfTest(flags: SelfTestFlags): Promise<ExitCode> {
  const { seeds, profile, only, variantsOnly = false, faultsOnly = false, part, json } = flags;
  const started = performance.now();
  const { driven, faults, variants } = TESTED;
  const all = tasksOf(TESTED, seeds, profile).filter(
    ({ kind }) => !(variantsOnly && kind === 'fault') && !(faultsOnly && kind === 'variant'),
  );
  const wanted = chosenTasks(all, only, {
    has: matches,
    what: 'fault or variant, and no rule of a fault,',
    known: [...driven.rules.ofExchanges, ...faults, ...variants].map(({ id }) => id),
  });
  const tasks = part === undefined ? wanted : partOfTasks(wanted, part);
  const script = new URL('./self-test-worker.js?check', import.meta.url);
  const interrupted = new AbortController();
  process.once('SIGINT', () => {
    notify('  Ending with what was begun; once more ends at once.');
    interrupted.abort();
  });
  const shown = (result: TaskResult, done: number): void => {
    for (const { rule, finding } of result.kind === 'fault' ? [] : result.broken)
      notify(`  False alarm: ${result.id || 'clean'} (seed ${result.seed}) ${rule}: ${finding}`);
    if (done % 50 === 0) notify(`  ${done} of ${tasks.length} services`);
  };
  const threads = availableParallelism();
  const results = await runTasks<TaskResult>(tasks, script, threads, shown, interrupted.signal);
  const whole = reportOf(TESTED, profile, seeds, results);
  const isPart = results.length < tasks.length;
  const isWhole = only === undefined && !variantsOnly && part === undefined && !isPart;
  const report = isWhole ? whole : partOf(whole, results);
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(report, undefined, 2)}\n`);
  print(render(report, (performance.now() - started) / 1000));
  if (isPart) print(`Ended early: ${results.length} of ${tasks.length} services were tested.\n`);
  if (!isGood(report)) return EXIT.doesNotConform;
  return isPart ? EXIT.undecided : EXIT.conforms;
}

/** The faults of a rule stand beside each other: each part has some of nearly every rule. */
function partOfTasks(tasks: readonly Task[], part: Segment): Task[] {
  const isClean = ({ kind }: Task): boolean => kind === 'clean';
  const others = tasks.filter((task) => !isClean(task));
  return [...tasks.filter(isClean), ...partOfList(others, part)];
}

function matches({ kind, id }: Task, text: string): boolean {
  if (id.includes(text)) return true;
  return (
    kind === 'fault' &&
    TESTED.faults.some((fault) => fault.id === id && fault.breaks.includes(text))
  );
}

function partOf(report: SelfTestReport, tasks: readonly Pick<Task, 'id'>[]): SelfTestReport {
  const chosen = new Set(tasks.map(({ id }) => id));
  return { ...report, faults: report.faults.filter(({ id }) => chosen.has(id)) };
}
