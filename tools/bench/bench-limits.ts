/**
 * `npm run bench:limits`: every algorithm of the reference service and every limiter from npm, probed,
 * and what was found compared with what is true; with `--random` or `--wild` other limiters. Exit code 1
 * when one was taken for what it is not.
 */
import { writeFileSync } from 'node:fs';
import type { LimitAlgorithm } from '../../fixtures/service/reference/limits.ts';
import type { BenchRow } from '../limiters/bench/known/bench-row.ts';
import { header, noneWrong, rowText, summary } from '../limiters/bench/known/bench-table.ts';
import { REAL_CASES, REFERENCE_CASES } from '../limiters/bench/known/cases.ts';
import { realRow } from '../limiters/bench/known/real-rows.ts';
import { referenceRow } from '../limiters/bench/known/reference-rows.ts';
import { REAL_LIMITERS } from '../limiters/real/index.ts';
import { createRandom } from '../../suites/drive/random.ts';
import { type BenchFlags, readBenchFlags, WrongBenchFlags } from './bench-limits-flags.ts';
import { benchRandom } from './bench-limits-random.ts';
import { benchWild } from './bench-limits-wild.ts';
import { print, notify } from '../../cli/output.ts';

/** Limiters from npm that are probed at once; more would wait for each other's computing. */
const AT_ONCE = 2;

const { only, json, seed, random, wild } = flagsOrExit();
if (random !== undefined) process.exit((await benchRandom({ count: random, seed, json })) ? 0 : 1);
if (wild !== undefined) {
  // In CI a missing tool would go unnoticed.
  const all = process.env.CI === 'true';
  process.exit((await benchWild({ families: wild, only, json, all })) ? 0 : 1);
}
const isChosen = (...words: readonly string[]): boolean => words.join(' ').includes(only);
const rows: BenchRow[] = [];
const startedMs = performance.now();

/** Ends the process with exit code 2 if a flag is none, or no number. */
function flagsOrExit(): BenchFlags {
  try {
    return readBenchFlags(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof WrongBenchFlags)) throw error;
    notify(error.message);
    process.exit(2);
  }
}

function add(row: BenchRow): void {
  rows.push(row);
  print(`${rowText(row)}\n`);
}

print(`seed ${seed}\n${header()}\n`);
for (const [algorithm, sets] of Object.entries(REFERENCE_CASES)) {
  for (const [index, parameters] of sets.entries()) {
    if (!isChosen('reference', algorithm, parameters)) continue;
    // A row of its own: it stays the same when others are left out.
    const chance = createRandom(Math.imul(seed * 100 + index + 1, 0x9e3779b1));
    const uniform = (): number => chance.integer(0, 0xffffffff) / 0x100000000;
    add(await referenceRow(algorithm as LimitAlgorithm, parameters, uniform));
  }
}
const waiting = REAL_LIMITERS.flatMap((name) =>
  REAL_CASES.map((options) => ({ name, options })),
).filter(({ name }) => isChosen('npm', name));
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      add(await realRow(next.name, next.options));
    }
  }),
);
const seconds = (performance.now() - startedMs) / 1000;
print(`\n${summary(rows).join('\n')}\n${seconds.toFixed(0)} s\n`);
if (json !== undefined) {
  writeFileSync(json, `${JSON.stringify({ seed, seconds, rows }, undefined, 2)}\n`);
}
process.exitCode = noneWrong(rows) ? 0 : 1;
