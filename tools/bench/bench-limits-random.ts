/** `npm run bench:limits -- --random N`: services drawn by chance, probed on a clock that takes no time. */
import { availableParallelism } from 'node:os';
import { writeFileSync } from 'node:fs';
import type { RandomRow } from '../limiters/bench/random/random-row.ts';
import {
  randomGoalsMet,
  randomRowText,
  randomSummary,
} from '../limiters/bench/random/random-table.ts';
import { runTasks } from '../../suites/self-test/pool.ts';
import { print } from '../../cli/output.ts';

/** More threads would need more memory than they save time. */
const MAX_THREADS = 4;

/** What to probe. */
export interface RandomRun {
  readonly count: number;
  /** The first seed; the others follow it. */
  readonly seed: number;
  /** Where the rows go as JSON, if anywhere. */
  readonly json: string | undefined;
}

/** Probes so many random services, and answers whether the goals are met. */
export async function benchRandom({ count, seed, json }: RandomRun): Promise<boolean> {
  const seeds = Array.from({ length: count }, (_, index) => ({ seed: seed + index }));
  const script = new URL('../limiters/bench/random/random-worker.js', import.meta.url);
  const threads = Math.min(MAX_THREADS, availableParallelism(), count);
  const startedMs = performance.now();
  const sofar: RandomRow[] = [];
  const rows = await runTasks<RandomRow>(seeds, script, threads, (row) => {
    sofar.push(row);
    // A run of an hour that is interrupted has reported what it knew.
    if (json !== undefined) writeFileSync(json, textOf(seed, sofar));
    const isTrue = row.grade === 'right' || row.grade === 'ambiguous';
    if (count === 1 || !isTrue) print(`${randomRowText(row)}\n`);
  });
  const seconds = (performance.now() - startedMs) / 1000;
  print(`\n${randomSummary(rows).join('\n')}\n`);
  print(`seeds ${seed} to ${seed + count - 1}, ${seconds.toFixed(0)} s\n`);
  if (json !== undefined) writeFileSync(json, textOf(seed, rows));
  return randomGoalsMet(rows);
}

function textOf(seed: number, rows: readonly RandomRow[]): string {
  return `${JSON.stringify({ seed, rows }, undefined, 2)}\n`;
}
