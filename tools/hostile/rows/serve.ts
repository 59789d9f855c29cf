import type { Row, Running } from '../row.ts';
import { refused, row } from './kit.ts';

const PASSWORD = 'Passw0rdOfSomebody';
const FREE = ['--port-base', '0'];

/** Waits until it serves, then ends it. */
const stop =
  (signal: NodeJS.Signals) =>
  async (running: Running): Promise<void> => {
    await running.printed('is up');
    running.mark();
    running.kill(signal);
  };

/** Waits until it serves, asks what the function asks of each host, then ends it. */
function asking(ask: (zap: string) => Promise<unknown>): (running: Running) => Promise<void> {
  return async (running) => {
    await running.printed('is up');
    const zap = /^zap +(\S+)$/m.exec(running.text())?.[1];
    if (zap !== undefined) await ask(zap).catch(() => undefined);
    running.mark();
    running.kill('SIGINT');
  };
}

export const SERVE_ROWS: readonly Row[] = [
  row(
    'serve',
    'serve: SIGINT',
    [0],
    () => ({ args: ['serve', ...FREE], during: stop('SIGINT'), secondsAfterMark: 5 }),
    true,
  ),
  row('serve', 'serve: SIGTERM', [0], () => ({
    args: ['serve', ...FREE],
    during: stop('SIGTERM'),
    secondsAfterMark: 5,
  })),
  row('serve', 'serve: SIGINT twice', [0, 130, null], () => ({
    args: ['serve', ...FREE],
    secondsAfterMark: 3,
    during: async (running) => {
      await running.printed('is up');
      running.mark();
      running.kill('SIGINT');
      running.kill('SIGINT');
    },
  })),
  row(
    'serve',
    'serve: SIGINT while a request hangs',
    [0],
    () => ({
      args: ['serve', ...FREE],
      secondsAfterMark: 5,
      during: asking(async (zap) => {
        const { connect } = await import('node:net');
        const { port, hostname } = new URL(zap);
        const socket = connect(Number(port), hostname);
        socket.on('error', () => undefined);
        socket.write('POST /v1/quote HTTP/1.1\r\nhost: a\r\ncontent-length: 1000\r\n\r\n{');
        await new Promise((resolve) => setTimeout(resolve, 300));
      }),
    }),
    true,
  ),
  row('serve', 'serve: a request body nested 100,000 deep', [0], () => ({
    args: ['serve', ...FREE],
    secondsAfterMark: 5,
    during: asking((zap) =>
      fetch(`${zap}/v1/quote`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '['.repeat(100_000),
      }),
    ),
  })),
  row('serve', 'serve: a request with control sequences', [0], () => ({
    args: ['serve', ...FREE],
    secondsAfterMark: 5,
    during: asking((zap) => fetch(`${zap}/v1/%1b[2J%0a::error::x`)),
  })),
  // Whether it is up by then cannot be seen.
  row('serve', 'serve: standard output closed', [0, 4, null], () => ({
    args: ['serve', ...FREE],
    stdout: 'closed',
    secondsAfterMark: 5,
    during: async (running) => {
      await running.sleep(3_000);
      running.mark();
      running.kill('SIGINT');
    },
  })),
  row(
    'serve',
    'serve: standard output full',
    [0, 4, null],
    () => ({
      args: ['serve', ...FREE],
      stdout: 'full',
      secondsAfterMark: 5,
      during: async (running) => {
        await running.sleep(3_000);
        running.mark();
        running.kill('SIGINT');
      },
    }),
    true,
  ),
  ...[`redis://:${PASSWORD}@127.0.0.1:1`, `redis://user:${PASSWORD}@127.0.0.1:1/0`].map(
    (url, index) =>
      row(
        'serve',
        `serve: a Redis that is dead, form ${index + 1}`,
        [0, 2, 4],
        () => ({
          args: ['serve', ...FREE, '--redis-url', url],
          hidden: { password: PASSWORD },
          says: [/redis/i],
          secondsAfterMark: 5,
          during: async (running) => {
            await running.printed('is up');
            await running.sleep(1_500);
            running.mark();
            running.kill('SIGINT');
          },
        }),
        index === 0,
      ),
  ),
  ...[
    `http://user:${PASSWORD}@127.0.0.1:1`,
    `not a url ${PASSWORD}`,
    `redis://user:${PASSWORD}@ho st`,
    `redis:${PASSWORD}`,
    'file:///etc/passwd',
    '',
    '\u001b[2Jredis://x',
  ].map((url, index) =>
    refused(
      'serve',
      `serve: a Redis URL that is none, form ${index + 1}`,
      () => ({
        args: ['serve', ...FREE, '--redis-url', url],
        hidden: { password: PASSWORD },
        seconds: 8,
      }),
      index < 2,
    ),
  ),
  ...['x', 'ab'].map((token) =>
    refused(
      'serve',
      `serve: an admin token of ${token.length}`,
      () => ({
        args: ['serve', ...FREE, '--admin'],
        env: { ASSAY_ADMIN_TOKEN: token },
        seconds: 8,
      }),
      token === 'x',
    ),
  ),
  row('serve', 'serve: an admin token that stands nowhere', [0], () => ({
    args: ['serve', ...FREE, '--admin'],
    env: { ASSAY_ADMIN_TOKEN: 'admin-Token-5tG9xQ' },
    hidden: { token: 'admin-Token-5tG9xQ' },
    during: stop('SIGINT'),
  })),
  row('serve', 'serve: keys that stand nowhere', [0], () => ({
    args: ['serve', ...FREE],
    env: { ASSAY_SERVE_KEYS: 'serve-Key-8uJ2,serve-Key-3kL7' },
    hidden: { one: 'serve-Key-8uJ2', other: 'serve-Key-3kL7' },
    during: stop('SIGINT'),
  })),
  ...[
    ['--port-base', '99999'],
    ['--port-base', '-1'],
    ['--seed', '\u001b[2J'],
    ['--zap-limit', 'sliding-log:limit=1e309,window=0s'],
    ['--zap-limit', '\u001b[2J::error::'],
    ['--zap-limit', `${'9'.repeat(400)}/1`],
    ['--fault', '__proto__'],
    ['--fault', '\u001b[2J\n::error::x'],
    ['--variant', 'constructor'],
    ['--approval-delay', '99999999999999'],
  ].map((args, index) =>
    refused(
      'serve',
      `serve: ${(args[0] ?? '').slice(2)} that is none, ${index + 1}`,
      () => ({ args: ['serve', ...FREE, ...args], seconds: 8 }),
      index % 3 === 1,
    ),
  ),
];
