import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WildLimiter } from './wild-limiter.ts';

/** A stick table that counts the requests of each address, rejected ones among them. */
function requestRate(limit: number, seconds: number): WildLimiter {
  return {
    family: 'haproxy',
    name: 'haproxy http_req_rate',
    parameters: `more than ${limit} in ${seconds} s, 429`,
    truths: [{ class: 'sliding-counter-counting-rejects', limit, seconds }],
    note: 'two stretches, of which the older one counts in part',
    command: ({ tool, folder, port }) => {
      const file = join(folder, 'haproxy.cfg');
      writeFileSync(
        file,
        [
          'global',
          '  maxconn 256',
          'defaults',
          '  mode http',
          '  timeout client 60s',
          '  timeout connect 5s',
          '  timeout server 60s',
          'frontend all',
          `  bind 127.0.0.1:${port}`,
          `  stick-table type ip size 1k expire ${4 * seconds}s store http_req_rate(${seconds}s)`,
          '  http-request track-sc0 src',
          `  http-request deny deny_status 429 if { sc_http_req_rate(0) gt ${limit} }`,
          `  http-request return status 200 content-type application/json string '{"status":"success","data":{}}'`,
          '',
        ].join('\n'),
      );
      return { program: tool, args: ['-db', '-f', file] };
    },
  };
}

/** HAProxy's way to limit, with two windows. */
export const HAPROXY_LIMITERS: readonly WildLimiter[] = [requestRate(20, 3), requestRate(50, 10)];
