import { describe, expect, test } from 'vitest';
import type { Purpose } from '../../contracts/wire/exchange.ts';
import { bodyTextOf, objectIn, type TriedRequest } from '../drive/tried-request.ts';
import type { Reproducer } from './reproducer.ts';
import { simplerValues } from './simpler-values.ts';

function asked(json: object, purpose: Purpose = { kind: 'valid' }): TriedRequest {
  return { api: 'zap', method: 'POST', path: '/v1/quote', json, purpose };
}
const plainFor = (): TriedRequest => asked({ amount: '1000', list: ['a'] });

function bodiesOf(reproducer: Reproducer): (Readonly<Record<string, unknown>> | undefined)[] {
  return reproducer.map(({ request }) => objectIn(bodyTextOf(request)));
}

/** Takes each step whose candidate still shows it, and gives what was tried of the first request. */
function simplified(
  reproducer: Reproducer,
  shows: (body: Readonly<Record<string, unknown>>) => boolean,
): { readonly tried: readonly unknown[]; readonly last: Reproducer } {
  const tried: unknown[] = [];
  let last = reproducer;
  for (const step of simplerValues(reproducer, plainFor)) {
    const candidate = step(last);
    const [body] = candidate === undefined ? [] : bodiesOf(candidate);
    if (candidate === undefined || body === undefined) continue;
    tried.push(body);
    if (shows(body)) last = candidate;
  }
  return { tried, last };
}

describe('an amount', () => {
  const many = asked({ amount: '123456789', list: ['a'] });

  test('comes down to the least power of ten that shows it, each tried once', () => {
    const { tried, last } = simplified(
      [{ request: many }],
      ({ amount }) => BigInt(String(amount)) >= 100n,
    );
    expect(bodiesOf(last)).toEqual([{ amount: '100', list: ['a'] }]);
    const amounts = tried.map((body) => (body as { amount: string }).amount);
    expect(new Set(amounts).size).toBe(amounts.length);
  });

  test('stays if no smaller one shows it', () => {
    const { tried, last } = simplified([{ request: many }], () => false);
    expect(bodiesOf(last)).toEqual([{ amount: '123456789', list: ['a'] }]);
    const amounts = tried.map((body) => (body as { amount: string }).amount);
    expect(amounts).toEqual(['1000', '100000', '1000000', '10000000']);
  });

  test('that is the plain one is left alone, and so is what is none', () => {
    expect(simplerValues([{ request: asked({ amount: '1000', list: ['a'] }) }], plainFor)).toEqual(
      [],
    );
    expect(simplerValues([{ request: asked({ amount: '0x12', list: ['a'] }) }], plainFor)).toEqual(
      [],
    );
  });
});

describe('a list', () => {
  test('loses one item at a time, never the last', () => {
    const request = asked({ amount: '1000', list: ['a', 'b', 'c'] });
    const { last } = simplified([{ request }], () => true);
    expect(bodiesOf(last)).toEqual([{ amount: '1000', list: ['c'] }]);
    const kept = simplified([{ request }], ({ list }) => (list as string[]).includes('b'));
    expect(bodiesOf(kept.last)).toEqual([{ amount: '1000', list: ['b'] }]);
  });

  test('of objects is left alone', () => {
    const request = asked({ amount: '1000', list: [{ a: 1 }, { a: 2 }] });
    expect(simplified([{ request }], () => true).tried).toEqual([]);
  });
});

test('a value in which the requests differ is what shows it, and stays', () => {
  const [one, other] = ['77777', '88888'].map((amount) => ({
    request: asked({ amount, list: ['a', 'b'] }),
  }));
  if (one === undefined || other === undefined) throw new Error('there are two');
  const { last } = simplified([one, other], () => true);
  expect(bodiesOf(last)).toEqual([
    { amount: '77777', list: ['b'] },
    { amount: '88888', list: ['b'] },
  ]);
});

test.each<[Purpose, Purpose]>([
  [{ kind: 'valid' }, { kind: 'unknown' }],
  [
    { kind: 'invalid', defect: 'missing account' },
    { kind: 'invalid', defect: 'missing account' },
  ],
  [
    { kind: 'probe', about: 'a large amount' },
    { kind: 'probe', about: 'a large amount' },
  ],
])('with a value that was made up %o becomes %o', (before, after) => {
  const { last } = simplified(
    [{ request: asked({ amount: '98765', list: ['a'] }, before) }],
    () => true,
  );
  expect(last[0]?.request.purpose).toEqual(after);
});
