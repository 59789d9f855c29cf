/** Long because it is a table of rows, with what several of them do. */

import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { runChild } from '../child.ts';
import { ENTRY, environmentOf } from '../command.ts';
import type { Lab, Opened, Plan, Row, Running } from '../row.ts';
import type { Spoil } from '../service/hostile.ts';
import { row } from './kit.ts';

/** A run under way is met so; requests later than that after the signal were not on their way. */
const ON_THEIR_WAY_MS = 1_500;
const LONG = ['--max-seconds', '60', '--timeout-ms', '10000'];

interface SignalCase {
  readonly command?: 'check' | 'limits';
  readonly spoils?: readonly Spoil[];
  readonly exits: readonly (number | null)[];
  readonly fast?: boolean;
  readonly args?: readonly string[];
  readonly seconds: number;
  readonly plan?: Partial<Plan>;
  readonly act: (running: Running, lab: Lab) => Promise<void>;
}

/** A run that would go on for long, and what is done to it. */
function interrupted(name: string, options: SignalCase): Row {
  const {
    command = 'check',
    spoils = [],
    exits,
    fast = false,
    args = [],
    seconds,
    plan = {},
    act,
  } = options;
  return row(
    command,
    `signal: ${name}`,
    exits,
    async (lab) => {
      const opened = await lab.open({ spoils });
      const out = lab.path('out');
      const { urls, flags } = opened;
      const target =
        command === 'check' ? flags : ['--zap-url', urls.zap, '--trade-url', urls.trade];
      return {
        args: [command, ...target, ...LONG, '--max-rate', '20', ...args, '--out', out],
        record: out,
        writes: [out],
        seconds: 40,
        secondsAfterMark: seconds,
        ...plan,
        during: (running) => act(running, lab),
        after: async (ended) => [
          ...((await plan.after?.(ended)) ?? []),
          ...(ended.markedAtMs === undefined
            ? []
            : await lateRequests(opened, ended.markedAtMs, lab.slack)),
        ],
      };
    },
    fast,
  );
}

async function lateRequests(opened: Opened, markedAtMs: number, slack: number): Promise<string[]> {
  const late = (await opened.seen()).filter(
    ({ atMs }) => atMs > markedAtMs + ON_THEIR_WAY_MS * slack,
  );
  return late.length === 0 ? [] : [`${late.length} requests were sent after the signal`];
}

const signalled =
  (signal: NodeJS.Signals, count = 10) =>
  async (running: Running): Promise<void> => {
    await running.recorded(count);
    running.mark();
    running.kill(signal);
  };

/** Answers that keep whoever judges them busy for long, unless judging is linear. */
const HEAVY: Spoil = {
  how: 'body',
  text: 'malformed-pools-bytes',
  size: 4_194_000,
  api: 'zap',
  path: '/v1/pools',
};

const SLOW: Spoil = { how: 'late', size: 200 };
const DEAF: Spoil = { how: 'never-answers' };

export const SIGNAL_ROWS: readonly Row[] = [
  interrupted('SIGINT during the drive', {
    exits: [3],
    fast: true,
    seconds: 8,
    act: signalled('SIGINT'),
    plan: { says: ['nterrupted'] },
  }),
  interrupted('SIGTERM during the drive', {
    exits: [3],
    seconds: 8,
    act: signalled('SIGTERM'),
  }),
  interrupted('SIGINT twice', {
    exits: [3, 4, 130, null],
    fast: true,
    seconds: 3,
    act: async (running) => {
      await running.recorded(10);
      running.kill('SIGINT');
      await running.sleep(100);
      running.mark();
      running.kill('SIGINT');
    },
  }),
  interrupted('SIGINT twice while a target spins the judge', {
    exits: [1, 3, 4, 130, null],
    spoils: [HEAVY],
    seconds: 3,
    fast: true,
    act: async (running) => {
      await running.recorded(16);
      running.kill('SIGINT');
      await running.sleep(100);
      running.mark();
      running.kill('SIGINT');
    },
  }),
  interrupted('SIGINT while a target spins the judge', {
    exits: [1, 3],
    spoils: [HEAVY],
    seconds: 16,
    act: signalled('SIGINT', 16),
  }),
  interrupted('SIGINT while the target never answers', {
    exits: [3],
    spoils: [DEAF],
    seconds: 8,
    fast: true,
    act: async (running) => {
      await running.printed('Checking');
      await running.sleep(1_500);
      running.mark();
      running.kill('SIGINT');
    },
  }),
  interrupted('SIGINT before the first request', {
    exits: [3, 4],
    seconds: 8,
    // The record may have been begun by then, or not.
    plan: { record: null },
    act: async (running) => {
      await running.sleep(300);
      running.mark();
      running.kill('SIGINT');
    },
  }),
  interrupted('SIGHUP during the drive', {
    exits: [3, 129, null],
    seconds: 8,
    act: signalled('SIGHUP'),
  }),
  interrupted('SIGINT while a throttled target says wait a minute', {
    exits: [1, 3],
    fast: true,
    spoils: [
      {
        how: 'fixed',
        size: 429,
        text: '{"status":429,"code":"RATE_LIMITED","message":"m","requestId":"r","retryAfter":50}',
      },
    ],
    seconds: 8,
    act: async (running) => {
      await running.recorded(1);
      await running.sleep(500);
      running.mark();
      running.kill('SIGINT');
    },
  }),
  ...[3, 15, 40].map((count) => killedThenJudged(count)),
  killedThenJudged(12, '{"id":"x09999","api":"zap","purp'),
  interrupted('SIGINT to limits', {
    command: 'limits',
    exits: [1, 3],
    spoils: [],
    seconds: 8,
    fast: true,
    act: signalled('SIGINT', 5),
  }),
  interrupted('SIGTERM to limits', {
    command: 'limits',
    exits: [1, 3],
    spoils: [SLOW],
    seconds: 8,
    act: signalled('SIGTERM', 5),
  }),
  interrupted('SIGINT twice to limits', {
    command: 'limits',
    exits: [1, 3, 4, 130, null],
    spoils: [SLOW],
    seconds: 3,
    act: async (running) => {
      await running.recorded(5);
      running.kill('SIGINT');
      await running.sleep(100);
      running.mark();
      running.kill('SIGINT');
    },
  }),
  interrupted('SIGINT to limits that wait for a minute', {
    command: 'limits',
    exits: [1, 3],
    fast: true,
    spoils: [
      {
        how: 'fixed',
        size: 429,
        text: '{"status":429,"code":"RATE_LIMITED","message":"m","requestId":"r","retryAfter":50}',
      },
    ],
    seconds: 8,
    act: async (running) => {
      await running.recorded(1);
      await running.sleep(500);
      running.mark();
      running.kill('SIGINT');
    },
  }),
  row('judge', 'signal: SIGINT to judge', [0, 3, 4, 130, null], async (lab) => ({
    args: ['judge', await lab.copyOf('clean'), '--out', lab.path('again')],
    writes: [lab.path('again')],
    secondsAfterMark: 5,
    during: async (running) => {
      await running.sleep(400);
      running.mark();
      running.kill('SIGINT');
    },
  })),
  ...streams(),
];

/** A run that is killed at some moment leaves a record that is valid up to its end. */
function killedThenJudged(count: number, torn = ''): Row {
  return row(
    'judge',
    `signal: a run killed after ${count} exchanges${torn === '' ? '' : ', its last line torn'}, judged`,
    [1, 3],
    async (lab) => {
      const dir = lab.path('record');
      await runChild({
        command: [process.execPath, ENTRY, 'check', '--max-rate', '30', '--out', dir],
        cwd: lab.dir,
        env: environmentOf(lab.dir),
        seconds: 60,
        megabytes: 4_000,
        record: dir,
        during: async (running) => {
          await running.recorded(count);
          running.kill('SIGKILL');
        },
      });
      appendFileSync(join(dir, 'exchanges.ndjson'), torn);
      const says = ['did not come to its end', ...(torn === '' ? [] : ['torn'])];
      return { args: ['judge', dir], says };
    },
    count === 15 || torn !== '',
  );
}

/** Streams that are closed, full, or read in part. */
function streams(): Row[] {
  const cases: readonly (readonly [
    name: string,
    plan: Partial<Plan>,
    exits: readonly number[],
    fast: boolean,
  ])[] = [
    ['standard output closed early', { stdout: 'closed-early' }, [3, 4], true],
    ['standard output closed', { stdout: 'closed' }, [3, 4], false],
    ['standard output full', { stdout: 'full' }, [3, 4], true],
    ['standard error closed early', { stderr: 'closed-early' }, [3], true],
    ['standard error closed', { stderr: 'closed' }, [3, 4], false],
    ['standard error full', { stderr: 'full' }, [3, 4], false],
    ['both closed', { stdout: 'closed', stderr: 'closed' }, [3, 4], false],
  ];
  return cases.flatMap(([name, plan, exits, fast]) => [
    row(
      'check',
      `stream: ${name}`,
      exits,
      (lab) => ({
        args: [
          'check',
          '--max-requests',
          '40',
          '--max-seconds',
          '20',
          '--seed',
          '1',
          '--out',
          lab.path('out'),
        ],
        record: lab.path('out'),
        ...plan,
      }),
      fast,
    ),
    row('judge', `stream: ${name}`, [0, ...exits.filter((exit) => exit !== 3)], async (lab) => ({
      args: ['judge', await lab.copyOf('clean')],
      ...plan,
    })),
    row('limits', `stream: ${name}`, [0, ...exits], (lab) => ({
      args: ['limits', '--max-seconds', '4', '--out', lab.path('out')],
      record: lab.path('out'),
      ...plan,
    })),
  ]);
}
