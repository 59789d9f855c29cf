import { describe, expect, test } from 'vitest';
import { AnswerForms } from './answer-forms.ts';
import { compareAnswers } from './compare-answers.ts';
import { exchangeOf, type ExchangeSketch } from '../judging/exchange.testkit.ts';
import { NO_CONTRACT } from '../judging/no-contract.testkit.ts';
import { member } from '../wire/json.ts';
import { PLAIN_ERRORS } from '../wire/error-reading.ts';
import type { AnswerChange } from '../run/run-comparison.ts';

/** Its errors have a code as a member. */
const contract = {
  ...NO_CONTRACT,
  errors: { ...PLAIN_ERRORS, codeOf: (json: unknown) => textOf(member(json, 'code')) },
};

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function formsOf(sketches: readonly ExchangeSketch[]): AnswerForms {
  const forms = new AnswerForms(contract);
  for (const sketch of sketches) forms.add(exchangeOf(sketch));
  return forms;
}

/** The same requests, answered in two ways by their number. */
function changes(
  count: number,
  then: (at: number) => ExchangeSketch,
  now: (at: number) => ExchangeSketch,
): readonly AnswerChange[] {
  const numbers = Array.from({ length: count }, (_, at) => at);
  const asked = (at: number): ExchangeSketch => ({ path: `/v1/pools?limit=${at}` });
  const forms = [then, now].map((answered) =>
    formsOf(numbers.map((at) => ({ ...asked(at), ...answered(at) }))),
  );
  const [before = formsOf([]), after = formsOf([])] = forms;
  return compareAnswers(before, after).changes;
}

const pool = { id: 1, fee: 'x' };
const invalid = { kind: 'invalid', defect: 'missing amount' } as const;

describe('answers to the same requests', () => {
  test('are the same whatever their values, positions, keys made of addresses, and clocks', () => {
    const found = changes(
      6,
      (at) => ({ answered: { pools: [{ ...pool, id: at }], byChain: { 1: 2 } } }),
      (at) => ({
        answered: { byChain: { '0xAB-7': 3 }, pools: [pool, { ...pool, id: -at }] },
        headers: { date: 'now', connection: 'close', 'x-cache': 'HIT' },
      }),
    );
    expect(found).toEqual([]);
  });

  test('differ for certain by a field that is gone from all of them, reported once', () => {
    const found = changes(
      6,
      () => ({ answered: { pools: [{ ...pool, inner: { a: 1 } }] } }),
      () => ({ answered: { pools: [pool] } }),
    );
    expect(found).toEqual([
      {
        ...{ operation: 'GET zap /v1/pools', aspect: 'field', answer: '200' },
        ...{ what: '/pools/*/inner', then: 'object', now: null },
        ...{ requests: 6, of: 6, grade: 'certain' },
      },
    ]);
  });

  test('may differ by data if a member of items, or of a run cut short, is missing in few', () => {
    const formsFor = (answered: object): AnswerForms => formsOf([{ path: '/v1/pools', answered }]);
    const gradesOf = (then: object, now: object, areWhole = true): string[] =>
      compareAnswers(formsFor(then), formsFor(now), areWhole).changes.map(({ grade }) => grade);
    const items = (item: object): object => ({ items: [{ ...pool, ...item }] });
    expect(gradesOf(items({}), items({ tags: [] }))).toEqual(['uncertain']);
    expect(gradesOf(items({}), items({ fee: 3 }))).toEqual(['certain']);
    expect(gradesOf({ ...pool, tags: [] }, pool)).toEqual(['certain']);
    expect(gradesOf({ ...pool, tags: [] }, pool, false)).toEqual(['uncertain']);
  });

  test('differ for certain by a type and by a header field', () => {
    const found = changes(
      6,
      () => ({ answered: pool, headers: { 'RateLimit-Policy': '1' } }),
      () => ({ answered: { ...pool, fee: 3 } }),
    );
    expect(found).toMatchObject([
      { aspect: 'field', what: '/fee', then: 'string', now: 'number', grade: 'certain' },
      { aspect: 'header', what: 'ratelimit-policy', then: 'present', now: null, grade: 'certain' },
    ]);
  });

  test('may differ by chance if few of them have a field, or some have it still', () => {
    const few = changes(
      40,
      (at) => ({ answered: at < 2 ? { extra: 1 } : {} }),
      () => ({ answered: {} }),
    );
    expect(few).toMatchObject([{ what: '/extra', requests: 2, of: 40, grade: 'uncertain' }]);
    const some = changes(
      40,
      () => ({ answered: { extra: 1 } }),
      (at) => ({ answered: at < 20 ? { extra: 1 } : {} }),
    );
    expect(some).toMatchObject([{ what: '/extra', requests: 20, of: 40, grade: 'uncertain' }]);
  });

  test('may differ by chance by a field that some answers to the same request had', () => {
    const asked = { path: '/v1/hours' };
    const [fine, odd] = [{ monday: '9-17' }, { error: 'x' }].map((answered) => ({
      ...asked,
      answered,
    }));
    if (fine === undefined || odd === undefined) throw new Error('two answers are wanted');
    const gradesOf = (then: ExchangeSketch[], now: ExchangeSketch[]): string[] =>
      compareAnswers(formsOf(then), formsOf(now)).changes.map(
        ({ what, grade }) => `${what} ${grade}`,
      );
    expect(gradesOf([fine, odd], [fine])).toEqual(['/error uncertain']);
    expect(gradesOf([fine], [odd, fine])).toEqual(['/error uncertain']);
    expect(gradesOf([odd], [fine])).toEqual(['/error certain', '/monday certain']);
  });

  test('differ for certain if one invalid request is refused with another code', () => {
    const refused = (code: string): ExchangeSketch => ({
      ...{ purpose: invalid, status: 400, answered: { code } },
    });
    const found = changes(
      20,
      () => refused('A'),
      (at) => refused(at === 0 ? 'B' : 'A'),
    );
    expect(found).toMatchObject([
      { aspect: 'status', then: '400 A', now: '400 B', requests: 1, of: 20, grade: 'certain' },
    ]);
  });

  test('may differ by chance if a few valid requests find no route', () => {
    const found = changes(
      20,
      () => ({}),
      (at) => (at < 12 ? { status: 404, answered: { code: 'NO_ROUTE' } } : {}),
    );
    expect(found).toMatchObject([{ now: '404 NO_ROUTE', requests: 12, grade: 'uncertain' }]);
  });

  test('may differ by chance if all of a few valid requests do, or a listing fails once', () => {
    const few = changes(
      9,
      () => ({}),
      () => ({ status: 404, answered: { code: 'NO_ROUTE' } }),
    );
    expect(few).toMatchObject([{ requests: 9, of: 9, grade: 'uncertain' }]);
    const moment = compareAnswers(
      formsOf([{ path: '/v1/config/chains' }]),
      formsOf([{ path: '/v1/config/chains', status: 502 }]),
    );
    expect(moment.changes).toMatchObject([{ now: '502', grade: 'uncertain' }]);
  });

  test('differ for certain if all valid requests of an operation fail, or a listing is gone', () => {
    const all = changes(
      20,
      () => ({}),
      () => ({ status: 404, answered: { code: 'NO_ROUTE' } }),
    );
    expect(all).toMatchObject([{ requests: 20, of: 20, grade: 'certain' }]);
    const listing = compareAnswers(
      formsOf([{ path: '/v1/config/chains' }]),
      formsOf([{ path: '/v1/config/chains', status: 404 }]),
    );
    expect(listing.changes).toMatchObject([{ aspect: 'status', now: '404', grade: 'certain' }]);
  });

  test('say nothing if they were throttled, absent, or answered both ways in one run', () => {
    const asked = { path: '/v1/a' };
    const then = formsOf([asked, { ...asked, status: 404 }, { path: '/v1/b' }]);
    const now = formsOf([
      { ...asked, status: 404 },
      { path: '/v1/b', status: 429 },
      { path: '/v1/b', failure: 'timeout' },
    ]);
    expect(compareAnswers(then, now)).toMatchObject({ pairs: 1, then: 2, now: 1, changes: [] });
  });

  test('are of other requests if the body or a header field differs', () => {
    const forms = formsOf([{ sent: { a: 1 } }, { sent: { a: 2 } }, { sent: { a: 1 } }]);
    expect(forms.questions.size).toBe(2);
  });
});

describe('hostile answers', () => {
  test('take bounded room', () => {
    const forms = new AnswerForms(contract, { mostFacts: 5_000 });
    const wide = Object.fromEntries(Array.from({ length: 9_000 }, (_, at) => [`k${at}`, at]));
    for (let at = 0; at < 4; at += 1) {
      forms.add(exchangeOf({ path: `/${at}`, answered: { [`own${at}`]: 1, ...wide } }));
    }
    expect(forms.questions.size).toBe(3);
    expect(forms.unread).toBe(1);
    let deep: unknown = 1;
    for (let at = 0; at < 500; at += 1) deep = { a: deep };
    expect(formsOf([{ answered: deep }]).questions.size).toBe(1);
  });
});
