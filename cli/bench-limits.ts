/**
 * `npm run bench:limits`: every algorithm of the reference service and every limiter from npm, probed,
 * and what was found held against what is true. Exit code 1 when one was taken for what it is not.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { LimitAlgorithm } from '../fixtures/reference/limits.ts';
import type { BenchRow } from '../load/bench/bench-row.ts';
import { header, noneWrong, rowText, summary } from '../load/bench/bench-table.ts';
import { REAL_CASES, REFERENCE_CASES } from '../load/bench/cases.ts';
import { realRow } from '../load/bench/real-rows.ts';
import { referenceRow } from '../load/bench/reference-rows.ts';
import { REAL_LIMITERS } from '../load/real-limiters/index.ts';
import { createRandom } from '../suites/drive/random.ts';
import { benchRandom } from './bench-limits-random.ts';
import { print } from './output.ts';

/** Limiters from npm that are probed at once; more would wait for each other's computing. */
const AT_ONCE = 2;

const { only, json, seed, random: randomCount } = readFlags();
if (randomCount !== undefined) {
  process.exit((await benchRandom({ count: randomCount, seed, json })) ? 0 : 1);
}
const isChosen = (...words: readonly string[]): boolean => words.join(' ').includes(only);
const rows: BenchRow[] = [];
const startedMs = performance.now();

/** Ends the process with exit code 2 where a flag is none, or no number. */
function readFlags(): {
  only: string;
  json: string | undefined;
  seed: number;
  random: number | undefined;
} {
  try {
    const { values } = parseArgs({
      options: {
        json: { type: 'string' },
        only: { type: 'string', default: '' },
        seed: { type: 'string', default: '1' },
        random: { type: 'string' },
      },
    });
    const seedNumber = Number(values.seed);
    if (!Number.isSafeInteger(seedNumber))
      throw new Error(`--seed ${values.seed} is no whole number`);
    const random = values.random === undefined ? undefined : Number(values.random);
    if (random !== undefined && !(Number.isSafeInteger(random) && random > 0))
      throw new Error(`--random ${values.random} is no number of services`);
    return { only: values.only, json: values.json, seed: seedNumber, random };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(
      `${reason}\nusage: npm run bench:limits -- [--only WORDS | --random COUNT] [--seed N] [--json FILE]\n`,
    );
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
    const random = createRandom(Math.imul(seed * 100 + index + 1, 0x9e3779b1));
    const uniform = (): number => random.integer(0, 0xffffffff) / 0x100000000;
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
