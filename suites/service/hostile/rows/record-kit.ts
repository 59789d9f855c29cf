import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunJson } from '../../../../contracts/run/run.ts';
import { chainStart, seal } from '../../../../fixtures/target/record/record-chain.ts';
import type { BaseRecord, Lab, Plan, Row } from '../row.ts';
import { row } from './kit.ts';

/** JSON that is taken apart without regard to its type. */
export type Loose = Record<string, unknown>;

/** What an altered record must come to: exit 4, and a sentence. */
export function altered(
  name: string,
  alter: (dir: string, lab: Lab) => void | Promise<void>,
  {
    base = 'clean',
    exits = [4],
    fast = false,
    plan = {},
  }: {
    readonly base?: BaseRecord;
    readonly exits?: readonly number[];
    readonly fast?: boolean;
    readonly plan?: Partial<Plan>;
  } = {},
): Row {
  return row(
    'judge',
    `record: ${name}`,
    exits,
    async (lab) => {
      const dir = await lab.copyOf(base);
      await alter(dir, lab);
      return { args: ['judge', dir], after: ({ stderr, exit }) => sentence(stderr, exit), ...plan };
    },
    fast,
  );
}

/** What is wrong is reported on standard error, in a sentence that begins with the program's name. */
function sentence(stderr: string, exit: number | null): string[] {
  if (exit !== 4) return [];
  return /^assay: \S.{10,}/m.test(stderr) ? [] : ['it does not say in a sentence why'];
}

/** The file of a record that holds its exchanges. */
export const EXCHANGES = 'exchanges.ndjson';

/** Changes the lines of a file; the last line break is kept. */
export function editLines(
  dir: string,
  change: (lines: string[]) => string[],
  name: string = EXCHANGES,
): void {
  const file = join(dir, name);
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  writeFileSync(
    file,
    change(lines)
      .map((line) => `${line}\n`)
      .join(''),
  );
}

/** Changes one exchange in the middle of a record. */
export function editExchange(dir: string, change: (exchange: Loose) => unknown): void {
  editLines(dir, (lines) => {
    const at = Math.floor(lines.length / 2);
    const exchange = JSON.parse(lines[at] ?? '{}') as Loose;
    change(exchange);
    lines[at] = JSON.stringify(exchange);
    return lines;
  });
}

/** Changes a JSON file of a record. */
export function editJson(dir: string, name: string, change: (json: Loose) => unknown): void {
  const file = join(dir, name);
  const json = JSON.parse(readFileSync(file, 'utf8')) as Loose;
  change(json);
  writeFileSync(file, `${JSON.stringify(json, undefined, 2)}\n`);
}

/** Seals a record again, as whoever can read this source may: its chain and its counts hold then. */
export function reseal(dir: string): void {
  const { record } = JSON.parse(readFileSync(join(dir, 'run.json'), 'utf8')) as RunJson;
  let head = chainStart(record.id);
  const lines = readFileSync(join(dir, EXCHANGES), 'utf8').split('\n').slice(0, -1);
  const sealed = lines.map((line) => {
    const exchange = JSON.parse(line) as Loose;
    delete exchange.chain;
    const next = seal(JSON.stringify(exchange), head);
    ({ head } = next);
    return next.line;
  });
  writeFileSync(join(dir, EXCHANGES), Buffer.concat(sealed));
  editJson(dir, 'run.json', (run) => {
    run.record = { ...record, exchanges: lines.length, head };
  });
}
