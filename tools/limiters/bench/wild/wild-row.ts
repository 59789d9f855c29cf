/** `assay limits` against a real limiter, as a user runs it, and what it found compared with the truth. */

import { existsSync, readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import type { LimitRow, MeasuredLimit, RunJson } from '../../../../contracts/run/run.ts';
import type { WildYard } from '../../real/wild/running.ts';
import { WildMissing, type WildLimiter } from '../../real/wild/wild-limiter.ts';
import { bestGradeOf, type Grade } from '../../../../load/probe/grade/grade.ts';
import { estimateOf, foundText } from './estimate-of-row.ts';

/** What became of one limiter. */
export interface WildRow {
  readonly limiter: WildLimiter;
  readonly grade: WildGrade;
  /** Classes and parameters in the words of the report, or why there are none. */
  readonly found: string;
  readonly verdict: string;
  readonly requests: number;
  readonly seconds: number;
  readonly requestsOverBound?: number;
  readonly secondsOverWindow?: number;
  /** Tasks that ran or waited to run on the machine, on average over the last minute. */
  readonly load: number;
  readonly notices: readonly string[];
}

/** `left out`: it cannot run here · `failed`: it, or Assay, did not do its work. */
export type WildGrade = Grade | 'left out' | 'failed';

/** A run is given so much, s; the machine may be busy, so it is killed much later only. */
const MAX_SECONDS = 240;
const KILLED_AFTER_MS = 420_000;
/** Exit codes of a run with a verdict, or with what is known of one. */
const ENDED: ReadonlySet<number | null> = new Set([0, 1, 3]);
const TRIP_MS = 2;

/**
 * Starts the limiter, probes it with the command line, and ends it. What cannot run is a row as well.
 *
 * @param entry the compiled command line
 */
export async function wildRow(
  limiter: WildLimiter,
  yard: WildYard,
  entry: string,
): Promise<WildRow> {
  const load = loadavg()[0] ?? 0;
  const none = { limiter, verdict: '-', requests: 0, seconds: 0, load, notices: [] };
  let running: Awaited<ReturnType<WildYard['start']>>;
  try {
    running = await yard.start(limiter);
  } catch (error) {
    const found = error instanceof Error ? error.message : String(error);
    return { ...none, grade: error instanceof WildMissing ? 'left out' : 'failed', found };
  }
  try {
    const out = join(yard.folder(), 'run');
    const { throttleStatus } = limiter;
    const args = [
      ...[entry, 'limits', '--zap-url', running.url, '--out', out],
      ...['--max-seconds', String(MAX_SECONDS)],
      ...(throttleStatus === undefined ? [] : ['--throttle-status', String(throttleStatus)]),
    ];
    const { code, said } = await yard.run(process.execPath, args, KILLED_AFTER_MS);
    if (!ENDED.has(code)) {
      return { ...none, grade: 'failed', found: `exit code ${String(code)}: ${lastOf(said)}` };
    }
    const run = JSON.parse(readFileSync(join(out, 'run.json'), 'utf8')) as RunJson;
    // A run whose time ended before it was judged has only what was measured.
    const row = run.limits[0] ?? measuredIn(out);
    // Why there is none is a notice of the run.
    if (row === undefined) {
      return { ...none, grade: 'failed', found: 'no limit was looked for', notices: run.notices };
    }
    return { ...none, ...judged(limiter, row), notices: run.notices };
  } finally {
    await running.stop();
  }
}

/** A row of a record compared with all truths, the best of which counts. */
export function judged(
  { truths }: Pick<WildLimiter, 'truths'>,
  row: LimitRow,
): Omit<WildRow, 'limiter' | 'load' | 'notices'> {
  const estimate = estimateOf(row);
  const [{ limit, seconds }] = truths;
  return {
    grade: bestGradeOf(truths, estimate, TRIP_MS),
    found: foundText(row),
    verdict: row.verdict,
    requests: row.requests,
    seconds: row.seconds,
    requestsOverBound: row.requests / (limit + 1),
    ...(seconds === undefined ? {} : { secondsOverWindow: row.seconds / seconds }),
  };
}

function measuredIn(out: string): LimitRow | undefined {
  const file = join(out, 'limits.json');
  if (!existsSync(file)) return undefined;
  const { limits } = JSON.parse(readFileSync(file, 'utf8')) as {
    readonly limits: readonly MeasuredLimit[];
  };
  return limits[0]?.row;
}

function lastOf(said: string): string {
  return said.trim().split('\n').slice(-3).join(' / ').slice(-400);
}
