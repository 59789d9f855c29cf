import { createSystemClock } from '../../target/budget/clock.ts';
import { readNamedConfig } from '../config.ts';
import { processStartedMs, runTimes } from '../../target/budget/run-times.ts';
import { NOT_COVERED } from '../../contracts/run/record-lines.ts';
import type { RunComparison } from '../../contracts/run/run-comparison.ts';
import { addedCount } from '../../reports/comparison-words.ts';
import { renderComparison } from '../../reports/terminal/terminal-comparison.ts';
import { painter } from '../../reports/terminal/verdict-style.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import { onInterruption } from '../interruption.ts';
import { print, notify } from '../output.ts';
import { hasColours, jsonText, showingOf } from '../show.ts';
import { startTask } from '../threads/task.ts';

/** What comparing may take when nobody says otherwise. */
const COMPARE_SECONDS = 600;

/** Compares two run records, and prints how they differ. */
export async function compare(
  before: string,
  after: string,
  flags: Readonly<Record<string, unknown>>,
): Promise<ExitCode> {
  if (before === after) {
    throw new UsageError(`${before} is named twice. Name two run records.`);
  }
  const { failOn, ...others } = flags;
  const { maxSeconds } = await readNamedConfig({
    flags: { maxSeconds: String(COMPARE_SECONDS), ...others },
    env: {},
    cwd: process.cwd(),
    defaultSeed: 0,
  });
  const clock = createSystemClock();
  const { judgeEndMs } = runTimes(processStartedMs(), maxSeconds, 0);
  const task = startTask('compare-runs', { baseline: before, dir: after }, clock, judgeEndMs);
  const leave = (): void => {
    task.end('request');
  };
  const interruption = onInterruption(leave, leave);
  try {
    const ended = await task.ended;
    if (ended.kind === 'done') {
      const uncovered = startTask('uncovered', { dirs: [before, after] }, clock, judgeEndMs);
      const looked = await uncovered.ended;
      for (const dir of looked.kind === 'done' ? looked.value : [])
        notify(`assay: ${dir}: ${NOT_COVERED}`);
      showComparison(ended.value, flags);
      const isAdded = failOn === 'added' && addedCount(ended.value) > 0;
      return isAdded ? EXIT.doesNotConform : EXIT_OF[ended.value.verdict];
    }
    const why = {
      time: 'it did not end in its time. --max-seconds allows more.',
      silence: 'it did not come to an end.',
      memory: 'it took more memory than it may.',
      request: 'it was interrupted.',
    };
    notify(`assay: the records were not compared: ${why[ended.by]}`);
    return ended.by === 'silence' || ended.by === 'memory' ? EXIT.failed : EXIT.undecided;
  } finally {
    interruption.end();
  }
}

const EXIT_OF: Readonly<Record<RunComparison['verdict'], ExitCode>> = {
  same: EXIT.conforms,
  changed: EXIT.doesNotConform,
  unclear: EXIT.undecided,
};

function showComparison(comparison: RunComparison, flags: Readonly<Record<string, unknown>>): void {
  const showing = showingOf(flags);
  if (showing === 'json') {
    print(`${jsonText(comparison)}\n`, 'json');
    return;
  }
  const { stdout } = process;
  const options = {
    width: stdout.isTTY ? stdout.columns : 100,
    paint: painter(hasColours(stdout, process.env)),
    detail: showing,
  };
  print(renderComparison(comparison, options));
}
