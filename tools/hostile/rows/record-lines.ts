import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunJson } from '../../../contracts/run/run.ts';
import type { Row } from '../row.ts';
import { altered, editExchange, editLines, EXCHANGES } from './record-kit.ts';

const FAST = { fast: true } as const;

/** Records with exchanges changed, deleted, moved or foreign. */
export const RECORD_LINE_ROWS: readonly Row[] = [
  altered('as it was left', () => undefined, {
    exits: [0],
    fast: true,
    plan: { says: ['conforms'] },
  }),
  altered('as it was left by a run that failed', () => undefined, {
    base: 'failing',
    exits: [1],
    fast: true,
  }),
  altered('as it was left by limits', () => undefined, {
    base: 'limits',
    exits: [0, 3],
    fast: true,
  }),
  altered(
    'one byte of a body changed',
    (dir) => {
      editLines(dir, (lines) =>
        lines.map((line, at) => (at === 30 ? line.replace('"text":"{', '"text":" {') : line)),
      );
    },
    FAST,
  ),
  altered('one digit of a time changed', (dir) => {
    editExchange(dir, (x) => (x.sentAtMs = Number(x.sentAtMs) + 1));
  }),
  altered('spaces between members', (dir) => {
    editLines(dir, (lines) => lines.map((line) => line.replace('{"', '{ "')));
  }),
  altered(
    'one line deleted',
    (dir) => {
      editLines(dir, (lines) => lines.toSpliced(40, 1));
    },
    FAST,
  ),
  altered('the first line deleted', (dir) => {
    editLines(dir, (lines) => lines.slice(1));
  }),
  altered(
    'two lines swapped',
    (dir) => {
      editLines(dir, (lines) => lines.toSpliced(40, 2, lines[41] ?? '', lines[40] ?? ''));
    },
    FAST,
  ),
  altered('all lines reversed', (dir) => {
    editLines(dir, (lines) => lines.toReversed());
  }),
  altered(
    'the last line cut',
    (dir) => {
      editLines(dir, (lines) => lines.slice(0, -1));
    },
    FAST,
  ),
  altered('the last 100 lines cut', (dir) => {
    editLines(dir, (lines) => lines.slice(0, -100));
  }),
  altered('all but the first line cut', (dir) => {
    editLines(dir, (lines) => lines.slice(0, 1));
  }),
  altered(
    'a line doubled',
    (dir) => {
      editLines(dir, (lines) => lines.toSpliced(40, 0, lines[40] ?? ''));
    },
    FAST,
  ),
  altered('a line doubled with another id', (dir) => {
    editLines(dir, (lines) =>
      lines.toSpliced(40, 0, (lines[40] ?? '').replace(/"id":"[^"]*"/, '"id":"x99999"')),
    );
  }),
  altered(
    'the failing exchanges deleted',
    (dir) => {
      const run = JSON.parse(readFileSync(join(dir, 'run.json'), 'utf8')) as RunJson;
      const failing = new Set(
        run.rules.flatMap(({ findings }) => findings.flatMap(({ exchanges }) => exchanges)),
      );
      editLines(dir, (lines) =>
        lines.filter((line) => !failing.has((JSON.parse(line) as { id: string }).id)),
      );
    },
    { base: 'failing', fast: true },
  ),
  altered(
    'all zap quotes and builds deleted',
    (dir) => {
      editLines(dir, (lines) =>
        lines.filter((line) => !/"path":"\/v1\/(?:quote|buildTx)"/.test(line)),
      );
    },
    { base: 'failing' },
  ),
  altered(
    'answers of another run',
    async (dir, lab) => {
      mkdirSync(lab.path('b'));
      const other = await lab.assay([
        'check',
        '--seed',
        '3',
        '--max-requests',
        '60',
        '--out',
        lab.path('b', 'r'),
      ]);
      if (other.exit === null) throw new Error('the other run could not be made');
      copyFileSync(lab.path('b', 'r', EXCHANGES), join(dir, EXCHANGES));
    },
    FAST,
  ),
  altered('the summary of another run', async (dir, lab) => {
    await lab.assay(['check', '--seed', '3', '--max-requests', '60', '--out', lab.path('b')]);
    copyFileSync(lab.path('b', 'run.json'), join(dir, 'run.json'));
  }),
];
