import { describe, expect, test } from 'vitest';
import { exchangeOf, type ExchangeSketch } from '../../judging/exchange.testkit.ts';
import { Judge } from '../../judging/judge.ts';
import { SIMULTANEOUS } from '../../wire/exchange.ts';
import { loadContract } from '../../service/load-contract.ts';
import { RefusedAtTimes } from './refused-at-times.ts';

const CONTRACT = await loadContract();
/** A document, and a request that changes something at the same API. */
const DOCUMENT = { api: 'docs', path: '/openapi.yaml' };
const REVOKE = { api: 'docs', method: 'POST', path: '/.well-known/agent-auth/revoke' };

const ANSWERS: Readonly<Record<string, ExchangeSketch>> = {
  s: { ...DOCUMENT },
  n: { ...DOCUMENT, status: 404 },
  u: { ...DOCUMENT, status: 401 },
  t: { ...DOCUMENT, status: 429 },
  w: { ...DOCUMENT, status: 403, headers: { 'retry-after': '1' } },
  p: { ...DOCUMENT, status: 402 },
  f: { ...DOCUMENT, status: 503 },
  c: { ...REVOKE },
  // One that is asked to change something, and may not be possible twice.
  S: { ...REVOKE, sent: {} },
  N: { ...REVOKE, sent: {}, status: 400 },
};

/** How often, of how many answers, what is answered by a letter each was refused at times. */
function refusedIn(letters: string, more: Partial<ReturnType<typeof exchangeOf>> = {}): string[] {
  const refusals = new RefusedAtTimes({});
  const judge = new Judge([], CONTRACT, {
    onView: (view) => {
      refusals.look(view);
    },
  });
  for (const [at, letter] of Array.from(letters).entries()) {
    judge.add({ ...exchangeOf({ id: `x${at}`, ...ANSWERS[letter] }), ...more });
  }
  return refusals
    .rows()
    .map(({ operation, kind, count, of }) => `${operation} ${kind} ${count}/${of}`);
}

describe('a request that was served counts as refused at times', () => {
  test.each([
    ['between two successes', 'sns', '1/3'],
    ['before the first success', 'ns', '1/2'],
    ['after the last success', 'snn', '2/3'],
    ['with a credential that was taken before and afterwards', 'sus', '1/3'],
    ['while another that changes something came later', 'nsc', '1/2'],
  ])('%s', (_, letters, rate) => {
    expect(refusedIn(letters)).toEqual([`docs.openapi refused ${rate}`]);
  });

  test('of what changes something between two successes alone', () => {
    expect(refusedIn('SNS')).toEqual([expect.stringMatching(/ refused 1\/3$/)]);
    expect([refusedIn('NS'), refusedIn('SN')]).toEqual([[], []]);
  });
});

describe('no request counts as refused at times', () => {
  test.each([
    ['that is served each time', 'sss'],
    ['that is refused each time', 'nnn'],
    ['that a limit refuses', 'sts'],
    ['that is to come again later', 'sws'],
    ['that has to be paid for', 'sps'],
    ['that meets an error of the service', 'sfs'],
    ['whose credential ended', 'ssuu'],
    ['whose credential was there later', 'uuss'],
    ['if something was changed between', 'scncs'],
  ])('%s', (_, letters) => {
    expect(refusedIn(letters)).toEqual([]);
  });

  test('that is one of many at once', () => {
    const relations = [{ kind: SIMULTANEOUS, group: 'g', role: 'one' }];
    expect(refusedIn('sns', { relations })).toEqual([]);
  });
});

test('requests that were asked once say nothing of how often others are refused', () => {
  const refusals = new RefusedAtTimes({});
  const judge = new Judge([], CONTRACT, {
    onView: (view) => {
      refusals.look(view);
    },
  });
  const ask = (path: string, status: number): void => {
    judge.add(exchangeOf({ api: 'zap', path: `/v1/config/providers${path}`, status }));
  };
  for (const status of [404, 200, 200]) ask('', status);
  for (const at of [1, 2, 3]) ask(`?chainId=${at}`, 200);
  expect(refusals.rows()).toEqual([
    {
      ...{ api: 'zap', operation: 'zap.providers', kind: 'refused', count: 1, of: 3 },
      said: '404 {}',
    },
  ]);
});
