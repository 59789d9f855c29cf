import { expect, test } from 'vitest';
import type { WireSketch } from '../../../judging/verdicts.testkit.ts';
import { verdictOf } from '../../../judging/verdicts.testkit.ts';
import { ONE_CALLER } from '../conventions/one-caller.ts';
import { OTHER_CALLERS } from './other-callers.ts';

const [FIRST, SECOND, PAID] = ['1f', '2e', '3d'].map((byte) => `0x${byte.repeat(20)}`);

/** A trade that was built for a sender, with this in its answer. */
function built(role: string, sender: unknown, holds: unknown, group = 'g'): WireSketch {
  return {
    ...{ api: 'trade', method: 'POST', path: '/v1/buildTx' },
    sent: { sender, data: [{ recipient: PAID }] },
    answered: { status: 'success', holds },
    relations: [{ kind: OTHER_CALLERS, group, role }],
  };
}

test.each<[string, WireSketch[], string]>([
  ['its own sender', [built('one', FIRST, FIRST), built('two', SECOND, SECOND)], 'pass'],
  ['the sender before', [built('one', FIRST, FIRST), built('two', SECOND, FIRST)], 'fail /'],
  [
    'the sender before, in call data',
    [built('one', FIRST, ''), built('two', SECOND, `0x12${FIRST?.slice(2)}`)],
    'fail /',
  ],
  ['whom both pay', [built('one', FIRST, PAID), built('two', SECOND, PAID)], 'pass'],
  ['the sender after', [built('one', FIRST, SECOND), built('two', SECOND, '')], 'pass'],
  ['the same caller again', [built('one', FIRST, ''), built('one', SECOND, FIRST)], 'not-reached'],
  [
    'the sender of another group',
    [built('one', FIRST, ''), built('two', SECOND, FIRST, 'other')],
    'not-reached',
  ],
])('a build that holds %s', (_, sketches, verdict) => {
  expect(verdictOf('trade.build-tx.names-no-other-caller', ...sketches)).toBe(verdict);
});

/** What a caller is answered with the key that others use. */
function keyed(role: string, text: string, status = 200): WireSketch {
  return {
    ...{ api: 'trade', method: 'POST', path: '/v1/buildTx', status },
    answered: { status: 'success', text },
    relations: [{ kind: ONE_CALLER, group: 'g', role }],
  };
}

/** A key that nobody gave out. */
const REFUSED: WireSketch = {
  ...{ api: 'trade', method: 'POST', path: '/v1/buildTx', status: 401 },
  ...{ asked: [['Authorization', 'Bearer other']], answered: {} },
};

test.each<[string, WireSketch[], string]>([
  ['an answer of its own', [keyed('a key', 'one'), keyed('no key', 'two')], 'pass'],
  ['the same answer', [keyed('a key', 'one'), keyed('no key', 'one')], 'warn /'],
  ['a refusal', [keyed('a key', 'one'), keyed('no key', 'one', 409)], 'pass'],
  ['an error', [keyed('a key', 'one'), keyed('no key', 'one', 500)], 'not-reached'],
  ['what it was answered before', [keyed('a key', 'one'), keyed('a key', 'one')], 'not-reached'],
  ['the same refusal', [keyed('a key', 'one', 400), keyed('no key', 'one', 400)], 'not-reached'],
])('another caller with the same Idempotency-Key gets %s', (_, sketches, verdict) => {
  expect(verdictOf('trade.idempotency-key.of-one-caller', REFUSED, ...sketches)).toBe(verdict);
});

test('callers that a service does not distinguish are one', () => {
  const sketches = [keyed('a key', 'one'), keyed('no key', 'one')];
  expect(verdictOf('trade.idempotency-key.of-one-caller', ...sketches)).toBe('not-reached');
});
