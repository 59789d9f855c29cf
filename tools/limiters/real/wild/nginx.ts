import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LimiterTruth } from '../../../../fixtures/known-limiters/truth.ts';
import type { WildLimiter } from './wild-limiter.ts';

/** Enough that a download at `RATE` takes a fifth of a second beyond its free first second. */
const PADDING = 'x'.repeat(12_000);
const RATE = '10k';

interface NginxCase {
  readonly parameters: string;
  /** Directives of the whole server, and of its one location. */
  readonly zones: readonly string[];
  readonly rules: readonly string[];
  readonly truths: WildLimiter['truths'];
  readonly note?: string;
  readonly throttleStatus?: number;
}

function nginx({ parameters, zones, rules, truths, note, throttleStatus }: NginxCase): WildLimiter {
  return {
    family: 'nginx',
    name: `nginx ${zones[0]?.startsWith('limit_conn') === true ? 'limit_conn' : 'limit_req'}`,
    parameters,
    truths,
    ...(note === undefined ? {} : { note }),
    ...(throttleStatus === undefined ? {} : { throttleStatus }),
    command: ({ tool, folder, port }) => {
      mkdirSync(join(folder, 'www'));
      const body = JSON.stringify({ status: 'success', data: { padding: PADDING } });
      writeFileSync(join(folder, 'www', 'chains.json'), body);
      const file = join(folder, 'nginx.conf');
      writeFileSync(file, configuration(folder, port, zones, rules));
      return { program: tool, args: ['-e', join(folder, 'error.log'), '-p', folder, '-c', file] };
    },
  };
}

function configuration(
  folder: string,
  port: number,
  zones: readonly string[],
  rules: readonly string[],
): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path "${join(folder, name)}";`,
  );
  return [
    'daemon off; master_process off;',
    `pid "${join(folder, 'nginx.pid')}"; error_log "${join(folder, 'error.log')}";`,
    'events { worker_connections 256; }',
    'http {',
    '  access_log off; default_type application/json;',
    ...[...temporary, ...zones.map((zone) => `${zone};`)].map((line) => `  ${line}`),
    '  server {',
    `    listen 127.0.0.1:${port}; root "${join(folder, 'www')}";`,
    '    location / {',
    ...rules.map((rule) => `      ${rule};`),
    // Answered after the limits are looked at, which `return` would not be.
    '      try_files /chains.json =404;',
    '    }',
    '  }',
    '}',
    '',
  ].join('\n');
}

const zoneOf = (name: string, rate: string): string =>
  `limit_req_zone $binary_remote_addr zone=${name}:1m rate=${rate}`;
const TYPED = 'limit_req_status 429';

/** A meter with a burst is a bucket of one more, since the first request of an idle one is free. */
const bucketOf = (limit: number, perSecond: number): LimiterTruth => ({
  class: 'token-bucket',
  limit,
  perSecond,
  seconds: limit / perSecond,
});
const holding = (limit: number, atOnce: number, perSecond: number): LimiterTruth => ({
  ...bucketOf(limit, perSecond),
  class: 'shaping-with-reject',
  atOnce,
});

/** `limit_req` and `limit_conn` as they are configured. */
export const NGINX_LIMITERS: readonly WildLimiter[] = [
  nginx({
    parameters: 'rate=5r/s burst=9 nodelay, 429',
    zones: [zoneOf('a', '5r/s')],
    rules: ['limit_req zone=a burst=9 nodelay', TYPED],
    truths: [bucketOf(10, 5)],
  }),
  nginx({
    parameters: 'rate=20r/s burst=39 nodelay, 429',
    zones: [zoneOf('a', '20r/s')],
    rules: ['limit_req zone=a burst=39 nodelay', TYPED],
    truths: [bucketOf(40, 20)],
  }),
  nginx({
    parameters: 'rate=60r/m burst=4 nodelay, 503',
    zones: [zoneOf('a', '60r/m')],
    rules: ['limit_req zone=a burst=4 nodelay'],
    truths: [bucketOf(5, 1)],
    throttleStatus: 503,
  }),
  nginx({
    parameters: 'rate=2r/s, 429',
    zones: [zoneOf('a', '2r/s')],
    rules: ['limit_req zone=a', TYPED],
    truths: [bucketOf(1, 2)],
    note: 'one at a time: a window of half a second is the same',
  }),
  nginx({
    parameters: 'rate=10r/s, 429',
    zones: [zoneOf('a', '10r/s')],
    rules: ['limit_req zone=a', TYPED],
    truths: [bucketOf(1, 10)],
    note: 'no window is that short',
  }),
  nginx({
    parameters: 'rate=10r/s burst=12 delay=6, 429',
    zones: [zoneOf('a', '10r/s')],
    rules: ['limit_req zone=a burst=12 delay=6', TYPED],
    truths: [holding(13, 7, 10)],
    note: 'six of thirteen are held back',
  }),
  nginx({
    parameters: 'rate=10r/s burst=10, 429',
    zones: [zoneOf('a', '10r/s')],
    rules: ['limit_req zone=a burst=10', TYPED],
    truths: [holding(11, 1, 10)],
    note: 'ten of eleven are held back',
  }),
  nginx({
    parameters: '10r/s burst=9, and 2r/s burst=29',
    zones: [zoneOf('a', '10r/s'), zoneOf('b', '2r/s')],
    rules: ['limit_req zone=a burst=9 nodelay', 'limit_req zone=b burst=29 nodelay', TYPED],
    truths: [
      {
        class: 'stacked',
        limit: 30,
        seconds: 15,
        parts: [bucketOf(10, 10), bucketOf(30, 2)],
      },
    ],
  }),
  nginx({
    parameters: 'limit_conn 3, 429',
    zones: ['limit_conn_zone $binary_remote_addr zone=a:1m'],
    rules: [`limit_rate ${RATE}`, 'limit_conn a 3', 'limit_conn_status 429'],
    truths: [{ class: 'concurrency', limit: 3 }],
  }),
];
