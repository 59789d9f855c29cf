import { describe, expect, test } from 'vitest';
import { exchangeOf } from '../../../judging/exchange.testkit.ts';
import { judge, type RuleResult } from '../../../judging/judge.ts';
import { loadContract } from '../../load-contract.ts';
import { comeBackMark } from '../../../run/load/load-marks.ts';
import type { Exchange } from '../../../wire/exchange.ts';
import { herdRules } from './herd.ts';

const contract = await loadContract();

/** One answer: which client's request, when in seconds, and the announced wait if refused. */
interface Sent {
  readonly at: number;
  readonly client?: number;
  readonly request?: number;
  readonly reported?: number;
  /** What Retry-After says; as the body when absent. */
  readonly field?: string;
}

function exchanges(sent: readonly Sent[]): Exchange[] {
  return sent.map(({ at, client = 0, request = 0, reported, field }, index) => ({
    ...exchangeOf({
      id: `x${String(index).padStart(5, '0')}`,
      ...(reported === undefined
        ? {}
        : {
            status: 429,
            headers: { 'Retry-After': field ?? String(reported) },
            answered: { status: 429, code: 'RATE_LIMITED', retryAfter: reported },
          }),
    }),
    relations: [comeBackMark(client, request)],
    sentAtMs: at * 1000,
    latencyMs: 20,
  }));
}

function judged(sent: readonly Sent[]): Pick<RuleResult, 'verdict' | 'evidence' | 'findings'> {
  const [result] = judge(herdRules, contract, exchanges(sent));
  if (result === undefined) throw new Error('no result');
  return result;
}

/** The wait that is announced to a crowd, its real wait, and how it is let in, all in seconds. */
interface Crowd {
  readonly reported?: number;
  readonly every?: number;
  readonly isLetIn?: (request: number, time: number) => boolean;
}

/** A crowd of requests, each refused and sent again after `every` seconds, so many times. */
function crowd(requests: number, times: number, how: Crowd = {}): Sent[] {
  const { reported = 2, isLetIn = (): boolean => false } = how;
  const { every = reported + 0.03 } = how;
  return Array.from({ length: requests }, (_, request) => {
    const own: Sent[] = [];
    for (let time = 0; time < times; time += 1) {
      const at = request * 0.01 + time * every;
      if (isLetIn(request, time)) return [...own, { at, request }];
      own.push({ at, request, reported });
    }
    return own;
  })
    .flat()
    .sort((one, other) => one.at - other.at);
}

describe('a herd that nobody of comes through', () => {
  test('after four waits that all kept to breaks the promise', () => {
    const { verdict, findings } = judged(crowd(20, 5));
    expect(verdict).toBe('warn');
    expect(findings[0]).toMatchObject({
      rule: 'zap.limits.herd-drains',
      pointer: '/retryAfter',
      actual:
        '80 requests were sent again after the announced wait and all refused; 20 of them waited 4 times in a row',
    });
    expect(findings[0]?.exchanges).toHaveLength(4);
  });

  test('after three waits has not shown it yet', () => {
    expect(judged(crowd(20, 4)).verdict).toBe('not-reached');
  });

  test('though somebody came through before all were held off', () => {
    const early = [0, 1, 2].map((request) => ({ at: -1 + request * 0.01, request: 100 + request }));
    expect(judged([...early, ...crowd(20, 5)]).verdict).toBe('warn');
  });

  test('though one in twenty is new, and no wait was announced to it yet', () => {
    const late = Array.from({ length: 4 }, (_, at) => ({
      at: 2 * at + 3,
      request: 50 + at,
      reported: 2,
    }));
    expect(judged([...crowd(20, 5), ...late]).verdict).toBe('warn');
  });

  test('is found in whatever order its answers were recorded', () => {
    const [result] = judge(herdRules, contract, exchanges(crowd(20, 5)).reverse());
    expect(result?.verdict).toBe('warn');
  });
});

describe('a correct limiter', () => {
  test('that lets in a few each time drains the herd', () => {
    const { verdict, evidence } = judged(
      crowd(40, 9, { isLetIn: (request, time) => time > 0 && request < 5 * time }),
    );
    expect([verdict, evidence]).toEqual(['pass', 1]);
  });

  test('that lets in a single one of a hundred is at work, however long the others wait', () => {
    const { verdict } = judged(
      crowd(100, 9, { isLetIn: (request, time) => request === 99 && time === 8 }),
    );
    expect(verdict).toBe('pass');
  });

  test('that has let in another client meanwhile is at work', () => {
    const other = { at: 8.9, client: 1, request: 500 };
    expect(judged([...crowd(20, 5), other]).verdict).toBe('not-reached');
  });

  test('may hold off who came back too soon once, however often it waited before', () => {
    const hasty = [0, 2.1, 4.2, 6.3, 6.8, 8.9, 11].map((at) => ({ at, request: 99, reported: 2 }));
    // Three waits of the others are none too many.
    expect(judged([...crowd(30, 4), ...hasty]).verdict).toBe('not-reached');
    const patient = [0, 2.1, 4.2, 6.3, 8.4].map((at) => ({ at, request: 99, reported: 2 }));
    expect(judged([...crowd(30, 4), ...patient]).verdict).toBe('warn');
  });

  test('that is letting somebody in meanwhile is at work', () => {
    const slow = exchanges([{ at: 0.5, request: 500 }]).map((one) => ({
      ...one,
      id: 'x99999',
      latencyMs: 30_000,
    }));
    const verdicts = [slow, slow.map((one) => ({ ...one, latencyMs: 20 }))].map(
      (letIn) => judge(herdRules, contract, [...exchanges(crowd(20, 5)), ...letIn])[0]?.verdict,
    );
    expect(verdicts).toEqual(['not-reached', 'warn']);
  });

  test('may hold off who comes back too soon', () => {
    expect(judged(crowd(20, 12, { reported: 2, every: 1 })).verdict).toBe('not-reached');
  });

  test('may hold off whoever goes on with new requests all the same', () => {
    const going = Array.from({ length: 90 }, (_, at) => ({
      ...{ at: at / 10, request: 100 + at, reported: 2 },
    }));
    expect(judged([...crowd(20, 5), ...going]).verdict).toBe('not-reached');
  });

  test('is obeyed in the longer of two waits that it announces', () => {
    const sent = crowd(20, 6).map((one) => ({ ...one, field: '9' }));
    expect(judged(sent).verdict).toBe('not-reached');
  });

  test('that says 0 and means less than a second is not held to that', () => {
    expect(judged(crowd(5, 20, { reported: 0, every: 0.1 })).verdict).toBe('not-reached');
  });

  test('that announces no wait has promised nothing here', () => {
    const sent = exchanges(crowd(20, 6)).map((one) => ({
      ...one,
      ...exchangeOf({ status: 429, answered: { code: 'RATE_LIMITED' } }),
      ...{ id: one.id, relations: one.relations, sentAtMs: one.sentAtMs },
    }));
    expect(judge(herdRules, contract, sent)[0]?.verdict).toBe('not-reached');
  });
});

test('requests that are not marked are no herd', () => {
  const sent = exchanges(crowd(20, 6)).map((one) => ({ ...one, relations: [] }));
  expect(judge(herdRules, contract, sent)[0]?.verdict).toBe('not-reached');
});
