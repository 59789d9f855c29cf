import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LimiterTruth } from '../../../../fixtures/known-limiters/truth.ts';
import type { WildLimiter } from './wild-limiter.ts';

interface Zone {
  readonly limit: number;
  readonly seconds: number;
}

function caddy(zones: readonly Zone[], truth: LimiterTruth): WildLimiter {
  return {
    family: 'caddy',
    name: 'caddy-ratelimit',
    parameters: zones.map(({ limit, seconds }) => `${limit} in ${seconds} s`).join(' and '),
    truths: [truth],
    note: 'a ring of the times of what was admitted; 429 with Retry-After and no body',
    command: ({ tool, folder, port }) => {
      const file = join(folder, 'caddy.json');
      writeFileSync(file, JSON.stringify(configuration(folder, port, zones)));
      return { program: tool, args: ['run', '--config', file] };
    },
  };
}

function configuration(folder: string, port: number, zones: readonly Zone[]): unknown {
  const limits: Readonly<Record<string, unknown>> = Object.fromEntries(
    zones.map(({ limit, seconds }, at) => [
      `zone${at}`,
      { key: '{http.request.remote.host}', window: `${seconds}s`, max_events: limit },
    ]),
  );
  const answer = {
    handler: 'static_response',
    status_code: 200,
    headers: { 'Content-Type': ['application/json'] },
    body: JSON.stringify({ status: 'success', data: {} }),
  };
  const server = {
    listen: [`127.0.0.1:${port}`],
    automatic_https: { disable: true },
    routes: [{ handle: [{ handler: 'rate_limit', rate_limits: limits }, answer] }],
  };
  return {
    admin: { disabled: true, config: { persist: false } },
    storage: { module: 'file_system', root: join(folder, 'storage') },
    logging: { logs: { default: { level: 'ERROR' } } },
    apps: { http: { servers: { only: server } } },
  };
}

const ring = ({ limit, seconds }: Zone): LimiterTruth => ({
  class: 'sliding-log',
  limit,
  seconds,
});
const INNER = { limit: 6, seconds: 2 };
const OUTER = { limit: 20, seconds: 20 };

/** The module for Caddy, by address. */
export const CADDY_LIMITERS: readonly WildLimiter[] = [
  ...[
    { limit: 10, seconds: 3 },
    { limit: 25, seconds: 10 },
  ].map((zone) => caddy([zone], ring(zone))),
  caddy([INNER, OUTER], { ...ring(OUTER), class: 'stacked', parts: [ring(INNER), ring(OUTER)] }),
];
