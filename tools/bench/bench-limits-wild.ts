/** `npm run bench:limits -- --wild`: real limiters in processes of their own, found by `assay limits`. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { wildRow, type WildRow } from '../limiters/bench/wild/wild-row.ts';
import {
  wildHeader,
  wildHolds,
  wildRowText,
  wildSummary,
} from '../limiters/bench/wild/wild-table.ts';
import { WILD_LIMITERS } from '../limiters/real/wild/index.ts';
import { openYard } from '../limiters/real/wild/running.ts';
import type { WildFamily } from '../limiters/real/wild/wild-limiter.ts';
import { safeText } from '../../cli/safe-text.ts';
import { print } from '../../cli/output.ts';

/** Limiters that are probed at once: waiting takes most of the time of each. */
const AT_ONCE = 4;

/** What to probe. */
export interface WildRun {
  readonly families: readonly WildFamily[];
  /** Words that the name and the parameters of each must hold. */
  readonly only: string;
  readonly json: string | undefined;
  /** Whether what is not installed here is a failure. */
  readonly all: boolean;
}

/** Probes them; answers whether none was taken for what it is not. */
export async function benchWild({ families, only, json, all }: WildRun): Promise<boolean> {
  const yard = openYard();
  process.once('exit', yard.close);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => process.exit(130));
  }
  const entry = fileURLToPath(new URL('../../cli/main.js', import.meta.url));
  const waiting = WILD_LIMITERS.filter(
    ({ family, name, parameters }) =>
      families.includes(family) && `${family} ${name} ${parameters}`.includes(only),
  );
  const rows: WildRow[] = [];
  const startedMs = performance.now();
  print(`${wildHeader()}\n`);
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const row = await wildRow(next, yard, entry);
        rows.push(row);
        print(`${safeText(wildRowText(row))}\n`);
      }
    }),
  );
  const seconds = (performance.now() - startedMs) / 1000;
  print(`\n${wildSummary(rows).join('\n')}\n${seconds.toFixed(0)} s\n`);
  if (json !== undefined)
    writeFileSync(json, `${JSON.stringify({ seconds, rows }, undefined, 2)}\n`);
  yard.close();
  return wildHolds(rows, all);
}
