import { describe, expect, test } from 'vitest';
import type { LimitRow } from '../../contracts/run/run.ts';
import { limitFields, limitLines } from './terminal-limits.ts';
import { painter } from './verdict-style.ts';

const shaped: LimitRow = {
  api: 'zap',
  scope: 'per client address',
  verdict: 'shaped',
  algorithms: [],
  burst: 7,
  refillPerSecond: 5,
  requests: 47,
  seconds: 7,
};

test.each([
  ['rejected', 'burst 7, 5 a second, up to 6 held back, the next one rejected'],
  ['not-tried', 'burst 7, 5 a second, at least 6 held back, more were not tried'],
] as const)('a queue is reported with what is beyond it: %s', (beyond, words) => {
  const fields = limitFields({ ...shaped, queue: { requests: 6, beyond } });
  expect(fields).toContainEqual(['limit', words]);
});

test('why no one class is named stands before what is known', () => {
  const why = 'no single class of limiter admits and rejects as this one did';
  expect(limitFields({ ...shaped, verdict: 'composite', why })[0]).toEqual(['why', why]);
  expect(limitFields(shaped).map(([label]) => label)).not.toContain('why');
});

test('a refill is reported with how many come together, and two limits with all that explain them', () => {
  const refilled: LimitRow = {
    ...{ ...shaped, verdict: 'identified', algorithms: ['interval-refill'], burst: 10 },
    ...{ refillPerSecond: 2, refill: 4, intervalSeconds: 2 },
    intervals: { intervalSeconds: [1.99, 2.01] },
  };
  expect(limitFields(refilled)).toContainEqual([
    'limit',
    'burst 10, 2 a second, 4 each 2 (1.99 to 2.01) s',
  ]);
  const alternatives = ['sliding-log'];
  const stacked = [
    { algorithm: 'token-bucket', limit: 5, windowSeconds: 2 },
    { algorithm: 'fixed-window', alternatives, limit: 20, windowSeconds: 30 },
  ];
  const fields = limitFields({ ...shaped, verdict: 'stacked', stacked });
  expect(fields).toContainEqual(['inner limit', '5 requests in 2 s, token-bucket']);
  expect(fields).toContainEqual([
    'outer limit',
    '20 requests in 30 s, fixed-window or sliding-log',
  ]);
});

test('a header field is reported apart only if its wait is another than that of the body', () => {
  const wait = { verdict: 'honest', detail: 'announced 1 s, admitted after 0.2 s' } as const;
  const rowOf = (detail: string): LimitRow => ({
    ...{ ...shaped, retryAfter: wait },
    headers: { 'retry-after': { ...wait, detail } },
  });
  const text = `true: ${wait.detail}`;
  const same = limitFields(rowOf(wait.detail));
  expect(same).toContainEqual(['retryAfter', `${text}; Retry-After alike`]);
  expect(same.map(([label]) => label)).not.toContain('Retry-After');
  const apart = limitFields(rowOf('announced 9 s'));
  expect(apart).toContainEqual(['retryAfter', text]);
  expect(apart).toContainEqual(['Retry-After', 'true: announced 9 s']);
});

test('beside what is broken the cost and the extent of a search are left out', () => {
  const row = {
    ...shaped,
    verdict: 'identified' as const,
    envelope: [{ seconds: 2, requests: 50 }],
  };
  const linesOf = (isBrief: boolean): string =>
    limitLines([row], 80, painter(false), isBrief).join('\n');
  for (const label of ['took', 'as far as']) {
    expect(linesOf(false)).toContain(label);
    expect(linesOf(true)).not.toContain(label);
  }
});

describe('of an identified limit', () => {
  const identified: LimitRow = { ...shaped, verdict: 'identified', algorithms: ['fixed-window'] };
  const fieldsOf = (envelope?: LimitRow['envelope']): readonly (readonly [string, string])[] =>
    limitFields({ ...identified, ...(envelope === undefined ? {} : { envelope }) });

  test('it is said how far it was tried', () => {
    const envelope = [
      { seconds: 2, requests: 50 },
      { seconds: 5, requests: 90 },
      { seconds: 6.37, requests: 101 },
    ];
    const text = (rows: number): string =>
      fieldsOf(envelope.slice(0, rows)).find(([label]) => label === 'as far as')?.[1] ?? '';
    const end = 'show: a limit above that was not reached';
    expect(text(1)).toBe(`50 requests in 2 s ${end}`);
    expect(text(2)).toBe(`50 requests in 2 s and 90 in 5 s ${end}`);
    expect(text(3)).toBe(`50 requests in 2 s, 90 in 5 s and 101 in 6.37 s ${end}`);
    expect(fieldsOf(envelope).map(([label]) => label)).not.toContain('admitted at most');
  });

  test('nothing is said of what an earlier version did not record', () => {
    expect(fieldsOf().map(([label]) => label)).not.toContain('as far as');
  });
});
