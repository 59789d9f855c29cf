import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunJson } from '../../../contracts/run/run.ts';
import { chainStart, seal } from '../../../target/record/record-chain.ts';
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

/**
 * Seals a record again, as whoever can read this source may: its chain, its counts and the digest of its summary
 * hold then.
 */
export function reseal(dir: string): void {
  const { record } = JSON.parse(readFileSync(join(dir, 'run.json'), 'utf8')) as RunJson;
  let head = chainStart(record.id);
  const sealed: Buffer[] = [];
  const append = (line: Loose): void => {
    const next = seal(JSON.stringify(line), head);
    ({ head } = next);
    sealed.push(next.line);
  };
  const lines = readFileSync(join(dir, EXCHANGES), 'utf8').split('\n').slice(0, -1);
  const kept = lines.map((line) => {
    const json = JSON.parse(line) as Loose;
    delete json.chain;
    return json;
  });
  const exchanges = kept.filter((line) => !SAYS.some((name) => name in line));
  const names = Object.keys(record.files ?? {});
  const files = Object.fromEntries(
    names.map((name) => [name, digestOf(readFileSync(join(dir, name)))]),
  );
  let offsetMs = 0;
  kept.filter(({ run }) => run !== undefined).forEach(append);
  for (const line of exchanges) {
    offsetMs = Math.max(offsetMs, Number(line.offsetMs));
    append({ ...line, offsetMs });
  }
  for (const { end } of kept) {
    if (end === undefined) continue;
    const counts = { ...((end as Loose).counts as Loose), exchanges: exchanges.length };
    append({ end: { ...(end as Loose), counts, files } });
  }
  editJson(dir, 'run.json', (run) => {
    run.record = { ...record, exchanges: exchanges.length, head, files };
  });
  append({ judged: { sha256: digestOf(readFileSync(join(dir, 'run.json'))) } });
  writeFileSync(join(dir, EXCHANGES), Buffer.concat(sealed));
}

function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Members by which a line of a record is no exchange. */
const SAYS: readonly string[] = ['run', 'end', 'judged'];
