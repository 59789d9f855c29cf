import { describe, expect, test } from 'vitest';
import { judgedBy, wireExchange } from '../../../judging/verdicts.testkit.ts';
import type { Exchange } from '../../../wire/exchange.ts';

interface Answer {
  readonly atMs?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status?: number;
  readonly method?: string;
  readonly asked?: readonly (readonly [string, string])[];
}

/** Equal posts, each with what it was answered. */
function posts(count: number, answerOf: (at: number) => Answer): Exchange[] {
  return Array.from({ length: count }, (_, at) => {
    const {
      atMs = at * 10,
      headers = {},
      status = 200,
      method = 'POST',
      asked = [],
    } = answerOf(at);
    const path = method === 'POST' ? '/v1/quote' : '/v1/config/chains';
    const answered = status === 200 ? { data: {} } : { code: 'RATE_LIMITED' };
    const id = `x${String(at + 1).padStart(5, '0')}`;
    const sketch = { api: 'zap', id, method, path, status, headers, answered, asked } as const;
    return { ...wireExchange(sketch), sentAtMs: atMs };
  });
}

/** The fields of draft 10. */
function announced(limit: number, remaining: number, seconds = 60): Record<string, string> {
  return {
    'RateLimit-Policy': `"a";q=${limit};w=${seconds}`,
    RateLimit: `"a";r=${remaining};t=${seconds}`,
  };
}

function verdict(rule: string, exchanges: readonly Exchange[]): string {
  return judgedBy(`zap.rate-limit-fields.${rule}`, exchanges)
    .map((result) => result.verdict)
    .join(' ');
}

describe('what remains', () => {
  const ID = 'remaining-is-a-count';

  test('passes if it becomes less', () => {
    expect(
      verdict(
        ID,
        posts(2, (at) => ({ headers: announced(100, 99 - at) })),
      ),
    ).toBe('pass');
  });

  test('is broken if it stays over more requests than come back meanwhile', () => {
    expect(
      verdict(
        ID,
        posts(30, () => ({ headers: announced(100, 99) })),
      ),
    ).toBe('warn');
  });

  test('is broken below nothing, of a refused request as well', () => {
    const below = posts(2, (at) => ({ status: 429, headers: announced(100, -at) }));
    expect(verdict(ID, below)).toBe('warn');
  });

  test.each<[string, Exchange[]]>([
    ['of a few requests', posts(20, () => ({ headers: announced(100, 99) }))],
    ['of a bucket that fills as fast', posts(80, () => ({ headers: announced(100, 99, 1) }))],
    [
      'of requests far from each other',
      posts(80, (at) => ({ atMs: at * 700, headers: announced(100, 99) })),
    ],
    [
      'of a month, reported in hundreds',
      posts(80, () => ({ headers: announced(100_000, 99_900, 2_592_000) })),
    ],
    [
      'of answers that a cache gives',
      posts(80, () => ({ headers: { ...announced(100, 99), Age: '3' } })),
    ],
    [
      'of replays',
      posts(80, () => ({ headers: announced(100, 99), asked: [['Idempotency-Key', 'k']] })),
    ],
    [
      'without any window',
      posts(80, () => ({ headers: { 'X-RateLimit-Limit': '9', 'X-RateLimit-Remaining': '8' } })),
    ],
  ])('may stay %s', (_, exchanges) => {
    expect(verdict(ID, exchanges)).toBe('not-reached');
  });

  test('is broken by the moment of the X- family as well', () => {
    const headers = {
      'X-RateLimit-Limit': '100',
      'X-RateLimit-Remaining': '90',
      'X-RateLimit-Reset': '3600',
    };
    expect(
      verdict(
        ID,
        posts(30, () => ({ headers })),
      ),
    ).toBe('warn');
  });
});

describe('a limit that is announced', () => {
  const ID = 'limit-is-kept';

  test('is broken if more than three times as many are served in its window', () => {
    expect(
      verdict(
        ID,
        posts(31, () => ({ headers: announced(10, 5) })),
      ),
    ).toBe('warn');
  });

  test('is kept if the client is refused', () => {
    const some = posts(12, (at) => ({
      status: at > 10 ? 429 : 200,
      headers: announced(10, 10 - at),
    }));
    expect(verdict(ID, some)).toBe('pass');
  });

  test.each<[string, Exchange[]]>([
    ['three times as many', posts(30, () => ({ headers: announced(10, 5) }))],
    [
      'as many in longer than the window',
      posts(60, (at) => ({ atMs: at * 2_100, headers: announced(10, 5) })),
    ],
    ['reads, which may be free', posts(80, () => ({ method: 'GET', headers: announced(10, 5) }))],
  ])('says nothing of %s', (_, exchanges) => {
    expect(verdict(ID, exchanges)).toBe('not-reached');
  });

  test('is not judged by what another client is refused', () => {
    const two = posts(12, (at) =>
      at > 10
        ? { status: 429, headers: announced(10, 0), asked: [['Authorization', 'Bearer k']] }
        : { headers: announced(10, 5) },
    );
    expect(verdict(ID, two)).toBe('not-reached');
  });
});
