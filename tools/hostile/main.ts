/**
 * `npm run test:hostile`: hostile targets, contracts, records, signals and inputs against the built
 * command line; each row with its expected exit, time and memory, and a search of all outputs for
 * planted secrets. Exit code 1 when a row failed. For a checkout only.
 */
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { resultLine, summaryLines } from './result-text.ts';
import type { RowResult } from './run-row.ts';
import { runRows } from './run-rows.ts';
import { HOSTILE_ROWS } from './table.ts';
import { partOfList, type Segment, segmentOf } from '../../load/scenarios/segment.ts';
import { print } from '../../cli/output.ts';

const USAGE =
  'usage: npm run test:hostile -- [--fast] [--part I/N] [--only WORDS] [--list] [--jobs N] [--slack FACTOR] [--retry] [--keep] [--json FILE]';

const { fast, part, only, list, jobs, slack, retry, keep, json } = readFlags();
const words = only.map((text) => text.toLowerCase());
const asked = HOSTILE_ROWS.filter((row) => {
  const text = `${row.command} ${row.name}`.toLowerCase();
  return (!fast || row.fast) && (words.length === 0 || words.some((word) => text.includes(word)));
});

const rows = part === undefined ? asked : partOfList(asked, part);

/** Ends the process with exit code 2 if a flag is none, or no number. */
function readFlags(): {
  readonly fast: boolean;
  /** Which part of the rows, dealt in turn. */
  readonly part: Segment | undefined;
  readonly only: readonly string[];
  readonly list: boolean;
  readonly jobs: number;
  readonly slack: number;
  /** Whether a row that failed is tried once more, with no other row beside it. */
  readonly retry: boolean;
  readonly keep: boolean;
  readonly json: string | undefined;
} {
  try {
    const { values } = parseArgs({
      options: {
        fast: { type: 'boolean', default: false },
        part: { type: 'string' },
        only: { type: 'string', multiple: true, default: [] },
        list: { type: 'boolean', default: false },
        jobs: { type: 'string', default: String(Math.min(availableParallelism(), 4)) },
        slack: { type: 'string', default: '1' },
        retry: { type: 'boolean', default: false },
        keep: { type: 'boolean', default: false },
        json: { type: 'string' },
      },
    });
    const { json: file, ...others } = values;
    return {
      ...others,
      part: values.part === undefined ? undefined : segmentOf(values.part),
      jobs: numberOf('--jobs', values.jobs),
      slack: numberOf('--slack', values.slack),
      json: file,
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${reason}\n${USAGE}\n`);
    process.exit(2);
  }
}

function numberOf(flag: string, text: string): number {
  const number = Number(text);
  if (Number.isFinite(number) && number > 0) return number;
  throw new Error(`${flag} ${text} is no number above 0`);
}

if (list) {
  for (const row of rows)
    print(`${row.fast ? 'fast' : '    '} ${row.command.padEnd(6)} ${row.name}\n`);
  print(`${rows.length} rows\n`);
  process.exit(0);
}
if (rows.length === 0) {
  process.stderr.write(`no row has the words ${only.join(', ')} in its name\n`);
  process.exit(2);
}
// What runs ends with the runner.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
const startedMs = performance.now();
const hasFailed = ({ complaints }: RowResult): boolean => complaints.length > 0;
const onResult = (result: RowResult): void => {
  print(`${resultLine(result)}\n`);
};
let results = await runRows(rows, { jobs, slack, keep, onResult });
const idOf = ({ command, name }: Pick<RowResult, 'command' | 'name'>): string =>
  `${command} ${name}`;
const failed = new Set(results.filter(hasFailed).map(idOf));
if (retry && failed.size > 0) {
  print('\nTried again, one at a time:\n');
  const wanted = rows.filter((row) => failed.has(idOf(row)));
  const again = await runRows(wanted, { jobs: 1, slack, keep, onResult });
  results = [...results.filter((result) => !hasFailed(result)), ...again];
}
const seconds = (performance.now() - startedMs) / 1000;
print(`\n${summaryLines(results, seconds).join('\n')}\n`);
if (json !== undefined) {
  writeFileSync(json, `${JSON.stringify({ seconds, jobs, slack, rows: results }, undefined, 2)}\n`);
}
process.exit(results.some(hasFailed) ? 1 : 0);
