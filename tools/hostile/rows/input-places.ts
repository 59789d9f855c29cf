import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Lab, Row } from '../row.ts';
import { check } from './input-kit.ts';
import { budgetFlags, refused, row } from './kit.ts';

/** Secrets of odd forms, places where no record can be, and budgets. */
export const INPUT_PLACE_ROWS: readonly Row[] = [
  ...['x', 'ab', 'é', ' '].map((secret, index) =>
    refused(
      'check',
      `input: a secret of ${secret.length} character${secret.length === 1 ? '' : 's'}, ${index + 1}`,
      (lab) => ({
        args: check(lab),
        env: { ASSAY_SECRET_SHORT: secret },
        hidden: {},
      }),
      index === 0,
    ),
  ),
  ...[
    { CI: 'true', GITHUB_ACTIONS: 'true', TERM: 'dumb' },
    { TERM: 'xterm-256color', COLORTERM: 'truecolor' },
    { TERM: '\u001b[2J', COLUMNS: '1', LINES: '-1' },
    { NO_COLOR: '1', TERM: 'dumb', COLUMNS: '99999999' },
  ].map((env, index) =>
    row('check', `input: a terminal of kind ${index + 1}`, [1, 3], async (lab) => {
      const spoil = { how: 'append-to-strings', text: '\u001b[2J\n::error::x' };
      const { flags } = await lab.open({ spoils: [spoil] });
      return { args: check(lab, ...flags, '--seed', '1'), record: lab.path('out'), env };
    }),
  ),
  row('check', 'input: a secret of 100 kB', [2, 3], (lab) => ({
    args: check(lab, '--seed', '1'),
    env: { ASSAY_SECRET_LONG: 'Ab9/'.repeat(25_000) },
    record: lab.path('out'),
  })),
  row(
    'check',
    'input: 500 secrets',
    [2, 3],
    (lab) => ({
      args: check(lab, '--seed', '1'),
      env: Object.fromEntries(
        Array.from({ length: 500 }, (_, n) => [
          `ASSAY_SECRET_N${n}`,
          `secret-Value9-${n * 7919}-x`,
        ]),
      ),
      record: lab.path('out'),
    }),
    true,
  ),
  row(
    'check',
    'input: a key that no header can carry',
    [2, 3],
    (lab) => ({
      args: check(lab, '--seed', '1', '--max-requests', '150'),
      env: { ASSAY_TRADE_KEY: 'key-With\nline-Break9\r\nx-evil: 1' },
      record: lab.path('out'),
    }),
    true,
  ),
  row('check', 'input: a secret in the name of the record', [2, 3], (lab) => ({
    args: [
      'check',
      ...budgetFlags(lab, { requests: 20 }),
      '--out',
      lab.path('out-nameSecret-8hY2'),
    ],
    env: { ASSAY_SECRET_NAME: 'nameSecret-8hY2' },
    // The name of the folder is the user's own choice; what is printed is not.
    revealed: ['ASSAY_SECRET_NAME'],
    writes: [lab.path('out-nameSecret-8hY2')],
    after: ({ stdout, stderr }) =>
      `${stdout}${stderr}`.includes('nameSecret-8hY2') ? ['prints the secret'] : [],
  })),
  row(
    'check',
    'input: control sequences in the name of the record',
    [2, 3],
    (lab) => ({
      args: [
        'check',
        ...budgetFlags(lab, { requests: 20 }),
        '--out',
        lab.path('out\u001b[2J\u202e'),
      ],
      record: lab.path('out\u001b[2J\u202e'),
    }),
    true,
  ),
  row('check', 'input: a line break and a CI command in the name of the record', [2, 3], (lab) => ({
    args: ['check', ...budgetFlags(lab, { requests: 20 }), '--out', lab.path('out\n::error::x')],
    record: lab.path('out\n::error::x'),
  })),
  refused('check', 'input: --out that is a file', (lab) => ({
    args: check(lab, '--out', lab.file('a-file', 'x')),
  })),
  row(
    'check',
    'input: --out below a file',
    [2, 4],
    (lab) => ({
      args: check(lab, '--out', `${lab.file('a-file', 'x')}/below`),
      says: ['assay:'],
    }),
    true,
  ),
  row(
    'check',
    'input: --out where nothing can be made',
    [2, 4],
    (lab) => ({
      args: check(lab, '--out', '/proc/1/assay'),
      says: ['assay:'],
    }),
    true,
  ),
  row('check', 'input: --out on a device', [2, 4], (lab) => ({
    args: check(lab, '--out', '/dev/full'),
    says: ['assay:'],
  })),
  refused('check', 'input: --out onto a record', async (lab) => {
    const dir = await lab.copyOf('clean');
    return { args: check(lab, '--out', dir), says: [/record/] };
  }),
  refused('limits', 'input: limits --out onto a record of check', async (lab) => {
    const dir = await lab.copyOf('clean');
    return { args: ['limits', '--max-seconds', '3', '--out', dir], says: [/record/] };
  }),
  refused('limits', 'input: limits --out onto a record of limits', async (lab) => {
    const dir = await lab.copyOf('limits');
    return { args: ['limits', '--max-seconds', '3', '--out', dir], says: [/record/] };
  }),
  refused('limits', 'input: limits --out onto what is left of a record', async (lab) => {
    const dir = await lab.copyOf('clean');
    execFileSync('rm', [`${dir}/exchanges.ndjson`]);
    return { args: ['limits', '--max-seconds', '3', '--out', dir], says: [/record/] };
  }),
  row(
    'check',
    'input: the disk is full after 64 kB',
    [4],
    (lab) => ({
      args: check(lab, '--seed', '1'),
      writes: [lab.path('out')],
      fileBlocks: 128,
      says: ['assay:'],
    }),
    true,
  ),
  row('limits', 'input: the disk is full after 8 kB', [4], (lab) => ({
    args: ['limits', '--max-seconds', '4', '--out', lab.path('out')],
    writes: [lab.path('out')],
    fileBlocks: 16,
    says: ['assay:'],
  })),
  row(
    'check',
    'input: a record of 200 kB at most',
    [1, 3],
    async (lab) => {
      const { flags } = await lab.open({ spoils: [] });
      return {
        args: check(lab, ...flags, '--seed', '1', '--max-record-bytes', '200000'),
        record: lab.path('out'),
        says: ['--max-record-bytes'],
        after: () => recordIsBelow(lab, 200_000 + 4_194_304),
      };
    },
    true,
  ),
  row(
    'check',
    'input: at most 3 requests in any second',
    [3],
    async (lab) => {
      const { flags, seen } = await lab.open({ spoils: [] });
      return {
        args: check(lab, ...flags, '--seed', '1', '--max-rate', '3', '--max-seconds', '8'),
        record: lab.path('out'),
        after: async () => {
          const times = (await seen()).map(({ atMs }) => atMs);
          // Ten milliseconds less than a second: what arrives is less even than what was sent.
          const most = Math.max(
            ...times.map((at) => times.filter((other) => other >= at && other < at + 990).length),
          );
          return most <= 3 ? [] : [`${most} requests arrived within a second`];
        },
      };
    },
    true,
  ),
  row(
    'limits',
    'input: limits --max-seconds 5 on a window of an hour',
    [0, 1, 3],
    async (lab) => {
      const { urls } = await lab.open({ spoils: [], limit: '3/3600' });
      return {
        args: [
          'limits',
          '--zap-url',
          urls.zap,
          '--max-seconds',
          '5',
          '--timeout-ms',
          '500',
          '--out',
          lab.path('out'),
        ],
        record: lab.path('out'),
      };
    },
    true,
  ),
  refused('limits', 'input: limits of a host that nobody allowed', () => ({
    args: ['limits', '--zap-url', 'https://zap.example'],
    says: ['--allow-limits'],
  })),
];

function recordIsBelow(lab: Lab, most: number): string[] {
  const out = lab.path('out');
  if (!existsSync(out)) return ['there is no record'];
  const bytes = readdirSync(out).reduce((sum, name) => sum + statSync(join(out, name)).size, 0);
  return bytes <= most ? [] : [`the record has ${bytes} bytes`];
}
