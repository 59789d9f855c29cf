import { expect, test } from 'vitest';
import { exchangeOf, type ExchangeSketch } from '../../contracts/judging/exchange.testkit.ts';
import type { Purpose } from '../../contracts/wire/exchange.ts';
import { isOnFailingRequests } from '../../contracts/rules/valid-requests/valid-request-rules.ts';
import { areServiceErrors, areToBeTaken } from './service-errors.ts';

test.each<[string, readonly ExchangeSketch[], boolean]>([
  ['a 500', [{ status: 500 }], true],
  ['an outage', [{ status: 503 }], true],
  ['no answer in time', [{ failure: 'timeout' }], true],
  ['a closed connection', [{ failure: 'closed' }], true],
  ['a body that is too large', [{ failure: 'too-large' }], false],
  ['what is not implemented', [{ status: 501 }], false],
  ['a refusal', [{ status: 400 }], false],
  ['several of them', [{ status: 500 }, { failure: 'timeout' }], true],
  ['one of two', [{ status: 500 }, { status: 200 }], false],
])('errors of the service each time: %s', (_, sketches, expected) => {
  expect(areServiceErrors(sketches.map(exchangeOf))).toBe(expected);
});

test.each<[Purpose, boolean]>([
  [{ kind: 'valid' }, true],
  [{ kind: 'probe', about: 'amount absent' }, true],
  [{ kind: 'invalid', defect: 'missing account' }, false],
  [{ kind: 'unknown' }, false],
])('a request with the purpose %o is to be taken: %s', (purpose, expected) => {
  const request = { api: 'zap', method: 'GET', path: '/v1/pools' } as const;
  const taken = { request: { ...request, purpose: { kind: 'valid' } as const } };
  expect(areToBeTaken([taken, { request: { ...request, purpose } }])).toBe(expected);
});

test('the rules on errors in valid requests are known by their ids', () => {
  expect(isOnFailingRequests({ id: 'trade.errors.none-of-the-service' })).toBe(true);
  expect(isOnFailingRequests({ id: 'books.errors.none-each-time' })).toBe(true);
  expect(isOnFailingRequests({ id: 'trade.errors.rarely-of-the-service' })).toBe(false);
});
