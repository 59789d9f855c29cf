import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Row } from '../row.ts';
import { altered, editExchange, editJson, editLines, EXCHANGES, type Loose } from './record-kit.ts';
import { refused, row } from './kit.ts';

/** Members that were in records before these were chains. */
const EXCHANGE_MEMBERS = [
  'id',
  'api',
  'purpose',
  'relations',
  'request',
  'outcome',
  'sentAtMs',
  'latencyMs',
];

const FAST = { fast: true } as const;

/** Records whose files are missing, none, or more than can be read; and where a judged one goes. */
export const RECORD_FILE_ROWS: readonly Row[] = [
  ...(['run.json', EXCHANGES] as const).flatMap((name) => [
    altered(
      `${name}: missing`,
      (dir) => {
        rmSync(join(dir, name));
      },
      { exits: [2, 4], fast: true },
    ),
    altered(
      `${name}: empty`,
      (dir) => {
        writeFileSync(join(dir, name), '');
      },
      { fast: true },
    ),
    altered(`${name}: binary`, (dir) => {
      writeFileSync(join(dir, name), Buffer.from([0, 255, 10, 0, 254, 10]));
    }),
    altered(`${name}: a folder`, (dir) => {
      rmSync(join(dir, name));
      mkdirSync(join(dir, name));
    }),
    altered(
      `${name}: a FIFO`,
      (dir) => {
        rmSync(join(dir, name));
        execFileSync('mkfifo', [join(dir, name)]);
      },
      FAST,
    ),
    altered(`${name}: nested 1,000,000 deep`, (dir) => {
      writeFileSync(join(dir, name), `${'['.repeat(1_000_000)}\n`);
    }),
    altered(`${name}: a link to a device`, (dir) => {
      rmSync(join(dir, name));
      execFileSync('ln', ['-s', '/dev/zero', join(dir, name)]);
    }),
  ]),
  altered(
    'a line of 100 MB',
    (dir) => {
      appendFileSync(join(dir, EXCHANGES), `{"id":"${'a'.repeat(100_000_000)}"}\n`);
    },
    FAST,
  ),
  altered('a line of 600 MB', (dir) => {
    for (let n = 0; n < 6; n += 1)
      appendFileSync(join(dir, EXCHANGES), Buffer.alloc(100_000_000, 'a'));
  }),
  altered('a body nested 1,000,000 deep', (dir) => {
    editExchange(
      dir,
      (x) =>
        (x.outcome = {
          kind: 'response',
          response: {
            status: 200,
            headers: [],
            body: { encoding: 'utf8', text: '['.repeat(1_000_000) },
          },
        }),
    );
  }),
  altered('a million empty lines', (dir) => {
    appendFileSync(join(dir, EXCHANGES), '\n'.repeat(1_000_000));
  }),
  altered('NUL bytes at the end', (dir) => {
    appendFileSync(join(dir, EXCHANGES), Buffer.alloc(4_096));
  }),
  altered('CRLF line ends', (dir) => {
    writeFileSync(
      join(dir, EXCHANGES),
      readFileSync(join(dir, EXCHANGES), 'utf8').replaceAll('\n', '\r\n'),
    );
  }),
  altered('a byte order mark', (dir) => {
    writeFileSync(join(dir, EXCHANGES), `\ufeff${readFileSync(join(dir, EXCHANGES), 'utf8')}`);
  }),
  altered('no chain', (dir) => {
    editLines(dir, (lines) =>
      lines.map((line) => {
        const exchange = JSON.parse(line) as Loose;
        return JSON.stringify(
          Object.fromEntries(EXCHANGE_MEMBERS.map((name) => [name, exchange[name]])),
        );
      }),
    );
    editJson(dir, 'run.json', (run) => {
      delete run.record;
    });
  }),
  altered(
    'counterexamples that are no JSON',
    (dir) => {
      writeFileSync(join(dir, 'counterexamples.ndjson'), '{"a":\n\u001b[2J\n');
    },
    { base: 'failing' },
  ),
  altered(
    'counterexamples of other types',
    (dir) => {
      writeFileSync(join(dir, 'counterexamples.ndjson'), 'null\n[]\n{"rule":1}\n');
    },
    { base: 'failing' },
  ),
  altered('a torn last line of a complete run', (dir) => {
    appendFileSync(join(dir, EXCHANGES), '{"id":"x09999","api":"zap","purp');
  }),
  ...[
    ['onto its own record', (dir: string) => dir],
    ['onto the record of another run', (dir: string) => `${dir}-2`],
  ].map(([name, where]) =>
    refused('judge', `record: --out ${String(name)}`, async (lab) => {
      const dir = await lab.copyOf('clean');
      execFileSync('cp', ['-r', dir, `${dir}-2`]);
      editJson(`${dir}-2`, 'run.json', (run) => (run.seed = 99));
      return {
        args: ['judge', dir, '--out', (where as (dir: string) => string)(dir)],
        says: [/record/],
      };
    }),
  ),
  refused('judge', 'record: --out onto a file', async (lab) => {
    const dir = await lab.copyOf('clean');
    return { args: ['judge', dir, '--out', lab.file('a-file', 'x')] };
  }),
  row(
    'judge',
    'record: --out below a file',
    [2, 4],
    async (lab) => {
      const dir = await lab.copyOf('clean');
      return { args: ['judge', dir, '--out', join(lab.file('a-file', 'x'), 'below')] };
    },
    true,
  ),
  row(
    'judge',
    'record: --out where nothing can be made',
    [2, 4],
    async (lab) => ({
      args: ['judge', await lab.copyOf('clean'), '--out', '/proc/1/assay'],
    }),
    true,
  ),
  row('judge', 'record: --out on a device', [2, 4], async (lab) => ({
    args: ['judge', await lab.copyOf('clean'), '--out', '/dev/full'],
  })),
  row(
    'judge',
    'record: the disk is full',
    [4],
    async (lab) => ({
      args: ['judge', await lab.copyOf('clean'), '--out', lab.path('again')],
      writes: [lab.path('again')],
      fileBlocks: 8,
      says: ['assay:'],
    }),
    true,
  ),
  ...['/dev/zero', '/etc/passwd', '/proc', '/', '.', ''].map((dir) =>
    refused(
      'judge',
      `record: the folder ${JSON.stringify(dir)}`,
      () => ({ args: ['judge', dir] }),
      dir === '/proc',
    ),
  ),
];
