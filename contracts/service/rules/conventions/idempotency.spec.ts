import { describe, expect, test } from 'vitest';
import type { IdempotencyRole } from './idempotency.ts';
import { IDEMPOTENCY } from './idempotency.ts';
import { verdictOf, type WireSketch } from '../../../judging/verdicts.testkit.ts';

/** An answer in the story of a key: its role, status and text. */
function said(role: IdempotencyRole, status = 200, text = 'one'): WireSketch {
  return {
    ...{ api: 'trade', method: 'POST', path: '/v1/buildTx', status },
    text: JSON.stringify(status < 300 ? { status: 'success', text } : { code: 'SOME_CODE' }),
    relations: [{ kind: IDEMPOTENCY, group: 'key-1', role }],
  };
}

const times = (count: number, ...sketches: readonly WireSketch[]): WireSketch[] =>
  Array.from({ length: count }, () => sketches).flat();

describe.each<[rule: string, is: string, verdict: string, story: readonly WireSketch[]]>([
  ['replay-is-taken', 'served again', 'pass', [said('first'), said('again')]],
  ['replay-is-taken', 'refused, since it was done', 'pass', [said('first'), said('again', 409)]],
  [
    'replay-is-taken',
    'refused for good',
    'warn /',
    [said('first'), said('again'), ...times(3, said('again', 422)), said('bare')],
  ],
  [
    'replay-is-taken',
    'failing for good',
    'warn /',
    [said('first'), ...times(3, said('again', 500)), said('bare')],
  ],
  [
    'replay-is-taken',
    'refused twice, then served',
    'pass',
    [said('first'), ...times(2, said('again', 500)), said('again'), said('bare')],
  ],
  [
    'replay-is-taken',
    'refused as without a key',
    'not-reached',
    [said('first'), ...times(3, said('again', 400)), said('bare', 400)],
  ],
  [
    'replay-is-taken',
    'during an outage',
    'not-reached',
    [said('first'), ...times(4, said('again', 503)), said('bare')],
  ],
  [
    'replay-is-taken',
    'of a request that was never served',
    'not-reached',
    [said('first', 400), ...times(3, said('again', 400)), said('bare')],
  ],
  ['replay-is-taken', 'refused once', 'not-reached', [said('first'), said('again', 422)]],
  [
    'replay-is-taken',
    'refused twice at last',
    'not-reached',
    [said('first'), ...times(2, said('again', 422)), said('bare')],
  ],
  [
    'replay-is-taken',
    'answered by a gateway',
    'not-reached',
    [said('first'), ...times(4, said('again', 502)), said('bare')],
  ],
  [
    'reuse-is-no-server-error',
    'refused, as the first request was',
    'not-reached',
    [said('first', 400), said('other-body', 400)],
  ],
  ['reuse-is-no-server-error', 'refused', 'pass', [said('first'), said('other-body', 422)]],
  ['reuse-is-no-server-error', 'served', 'pass', [said('first'), said('elsewhere')]],
  [
    'reuse-is-no-server-error',
    'failing',
    'warn /',
    [said('first'), ...times(3, said('other-body', 500)), said('bare-other-body')],
  ],
  [
    'reuse-is-no-server-error',
    'failing elsewhere',
    'warn /',
    [said('first'), ...times(3, said('elsewhere', 500)), said('bare-elsewhere')],
  ],
  [
    'reuse-is-no-server-error',
    'failing with and without a key',
    'not-reached',
    [said('first'), ...times(3, said('elsewhere', 500)), said('bare-elsewhere', 500)],
  ],
  ['twins-are-served', 'one of them', 'pass', [said('twin-1'), said('twin-1', 409)]],
  ['twins-are-served', 'both', 'pass', times(2, said('twin-1'))],
  [
    'twins-are-served',
    'none in three rounds',
    'warn /',
    [
      ...times(2, said('twin-1', 409)),
      ...times(2, said('twin-2', 409)),
      ...times(2, said('twin-3', 409)),
      ...times(2, said('bare-twin')),
    ],
  ],
  [
    'twins-are-served',
    'one, while the other fails',
    'warn /',
    [
      ...[said('twin-1'), said('twin-1', 500), said('twin-2', 500), said('twin-2')],
      ...[said('twin-3'), said('twin-3', 500), ...times(2, said('bare-twin'))],
    ],
  ],
  [
    'twins-are-served',
    'one in the second round',
    'pass',
    [said('twin-1'), said('twin-1', 500), said('twin-2'), said('twin-2', 409)],
  ],
  [
    'twins-are-served',
    'none, nor without a key',
    'not-reached',
    [
      ...times(2, said('twin-1', 500)),
      ...times(2, said('twin-2', 500)),
      ...times(2, said('twin-3', 500)),
      ...[said('bare-twin'), said('bare-twin', 500)],
    ],
  ],
  [
    'other-body-is-not-replayed',
    'failing',
    'not-reached',
    [said('first'), said('other-body', 500)],
  ],
  ['other-body-is-not-replayed', 'refused', 'pass', [said('first'), said('other-body', 422)]],
  [
    'other-body-is-not-replayed',
    'answered by itself',
    'pass',
    [said('first'), said('other-body', 200, 'two')],
  ],
  [
    'other-body-is-not-replayed',
    'answered as the first',
    'warn /',
    [
      ...[said('first'), ...times(2, said('other-body'))],
      ...times(2, said('bare', 200, 'three'), said('bare-other-body', 200, 'four')),
    ],
  ],
  [
    'other-body-is-not-replayed',
    'answered alike without a key, too',
    'not-reached',
    [
      ...[said('first'), ...times(2, said('other-body'))],
      ...times(2, said('bare'), said('bare-other-body')),
    ],
  ],
  [
    'other-endpoint-is-not-replayed',
    'refused there',
    'pass',
    [said('first'), said('elsewhere', 422)],
  ],
  [
    'other-endpoint-is-not-replayed',
    'answered by itself',
    'pass',
    [said('first'), said('elsewhere', 200, 'two')],
  ],
  [
    'other-endpoint-is-not-replayed',
    'answered as the first',
    'fail /',
    [said('first'), said('elsewhere')],
  ],
  [
    'other-endpoint-is-not-replayed',
    'failing there',
    'not-reached',
    [said('first'), said('elsewhere', 500)],
  ],
  [
    'other-endpoint-is-not-replayed',
    'refused at first',
    'not-reached',
    [said('first', 400), said('elsewhere', 400)],
  ],
])('%s', (rule, is, verdict, story) => {
  test(`${is}: ${verdict}`, () => {
    expect(verdictOf(`trade.idempotency-key.${rule}`, ...story)).toBe(verdict);
  });
});
