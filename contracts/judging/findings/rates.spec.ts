import { describe, expect, test } from 'vitest';
import { loadContract } from '../../service/load-contract.ts';
import { type Exchange, type HeaderList, SIMULTANEOUS } from '../../wire/exchange.ts';
import { exchangeOf, type ExchangeSketch } from '../exchange.testkit.ts';
import { Judge, type RuleResult } from '../judge.ts';
import { exchangeRule, type Rule, runRule } from '../rule.ts';

const contract = await loadContract();
const ROW = {
  ...({ id: 'zap.test', level: 'must', source: 'card', protects: 'Nothing.' } as const),
  ...({ api: 'zap', operations: '*', answer: 'any', leastEvidence: 1 } as const),
};
const AT = { pointer: '/x', expected: 'a', actual: 'b' };
/** Broken by answers that hold `bad`, and by errors of the service. */
const BAD = exchangeRule({
  ...ROW,
  judge: ({ text, status }) => (text.includes('bad') || status >= 500 ? [AT] : []),
});
const CHAINS: ExchangeSketch = { path: '/v1/config/chains', purpose: { kind: 'valid' } };
const PROVIDERS: ExchangeSketch = { ...CHAINS, path: '/v1/config/providers' };
const good = (of = CHAINS): ExchangeSketch => ({ ...of, answered: { is: 'good' } });
const bad = (of = CHAINS): ExchangeSketch => ({ ...of, answered: { is: 'bad' } });
const out = (of = CHAINS): ExchangeSketch => ({ ...of, status: 503 });

interface Sketch extends ExchangeSketch, Partial<Pick<Exchange, 'relations'>> {
  readonly key?: string;
}

function resultOf(rule: Rule, ...sketches: readonly Sketch[]): RuleResult {
  const judge = new Judge([rule], contract);
  for (const [at, { relations = [], key, ...sketch }] of sketches.entries()) {
    const made = exchangeOf({ ...sketch, id: `x${String(at).padStart(4, '0')}` });
    const headers: HeaderList = key === undefined ? [] : [['Idempotency-Key', key]];
    judge.add({ ...made, relations, request: { ...made.request, headers } });
  }
  const [result] = judge.results();
  if (result === undefined) throw new Error('no result');
  return result;
}
const times = <T>(count: number, ...of: readonly T[]): T[] =>
  Array.from({ length: count }, () => of).flat();

describe('the rate of a finding', () => {
  const ratesOf = (...sketches: readonly Sketch[]): unknown =>
    resultOf(BAD, ...sketches).findings.map(({ rate }) => rate);

  test('is how often the same request was judged broken, of how often it was judged', () => {
    const more = Array.from({ length: 60 }, () => good());
    expect(ratesOf(good(), bad(), ...more, bad())).toEqual([{ broken: 2, judged: 63 }]);
    expect(ratesOf(bad(), bad())).toEqual([{ broken: 2, judged: 2 }]);
  });

  test('counts no other request, nor the same under other conditions', () => {
    const atOnce = { ...good(), relations: [{ kind: SIMULTANEOUS, group: 'g', role: 'A' }] };
    const asked: ExchangeSketch = { ...good(), path: '/v1/config/chains?a=1' };
    const unknown: ExchangeSketch = { ...good(), purpose: { kind: 'unknown' } };
    expect(ratesOf(bad(), good(PROVIDERS), atOnce, asked, unknown)).toEqual([
      { broken: 1, judged: 1 },
    ]);
  });

  test('of all comparable requests counts other ones too, of its operation and under its conditions', () => {
    const asked = (at: number): ExchangeSketch => ({ path: `/v1/config/chains?a=${at}` });
    const others = Array.from({ length: 40 }, (_, at) => good({ ...CHAINS, ...asked(at) }));
    const unknown: ExchangeSketch = { ...good(), purpose: { kind: 'unknown' } };
    const { findings, rate } = resultOf(BAD, bad(), good(), ...others, unknown, good(PROVIDERS));
    expect(findings).toMatchObject([
      { rate: { broken: 1, judged: 2 }, share: { broken: 1, judged: 42 } },
    ]);
    expect(rate).toEqual({ broken: 1, judged: 44 });
  });

  test('is beside how often the rule was judged at each operation', () => {
    const result = resultOf(BAD, bad(), good(), good(PROVIDERS), good({ path: '/nowhere' }));
    expect(result.judgedAt).toEqual([
      { operation: contract.find('zap', 'GET', '/v1/config/chains')?.id, times: 2 },
      { operation: contract.find('zap', 'GET', '/v1/config/providers')?.id, times: 1 },
      { times: 1 },
    ]);
  });

  test('counts what has another key of idempotency', () => {
    const sent = { method: 'POST', path: '/v1/buildTx', sent: { a: 1 } };
    expect(ratesOf({ ...bad(sent), key: '1' }, { ...good(sent), key: '2' })).toEqual([
      { broken: 1, judged: 2 },
    ]);
  });

  test('of several exchanges counts groups of the same requests', () => {
    const pairs = runRule<boolean>({
      ...ROW,
      collect: ({ text }) => text.includes('bad'),
      conclude: (facts) =>
        facts.flatMap(({ witness }, at) => {
          const next = facts[at + 1];
          if (at % 2 === 1 || next === undefined) return [];
          const witnesses = [witness, next.witness];
          return [{ witnesses, judgement: next.fact ? [AT] : [] }];
        }),
    });
    const pair = (second: ExchangeSketch): ExchangeSketch[] => [good(PROVIDERS), second];
    const all = [...pair(bad()), ...pair(good()), ...pair(good()), ...pair(good(PROVIDERS))];
    expect(resultOf(pairs, ...all).findings).toMatchObject([{ rate: { broken: 1, judged: 3 } }]);
  });

  test('is not known of a sample, nor of exchanges without end', () => {
    for (const options of [{ isSampled: true }, { isEndless: true }]) {
      const judge = new Judge([BAD], contract, options);
      judge.add(exchangeOf({ method: 'GET', ...bad() }));
      expect(judge.results()[0]?.findings[0]).not.toHaveProperty('rate');
    }
  });
});

describe('an outage within a run', () => {
  const served = [good(), good(PROVIDERS)];
  const outage = times(4, out(), out(PROVIDERS));

  test('is no part of a rate, and what it alone broke is of it', () => {
    const { verdict, findings, rate } = resultOf(BAD, ...served, ...outage, ...served, bad());
    expect(verdict).toBe('fail');
    expect(findings).toMatchObject([{ rate: { broken: 1, judged: 3 } }, { isOfOutage: true }]);
    expect(rate).toEqual({ broken: 1, judged: 5 });
    expect(findings[1]).not.toHaveProperty('rate');
  });

  test('is none of one request alone, nor a few errors among what is served', () => {
    for (const errors of [times(20, out()), outage.flatMap((one) => [one, good()])]) {
      const { findings } = resultOf(BAD, ...served, ...errors, ...served);
      expect(findings.some(({ isOfOutage }) => isOfOutage)).toBe(false);
    }
  });

  describe('of one operation', () => {
    const quote = (amount: number): ExchangeSketch => ({
      ...{ method: 'POST', path: '/v1/quote', purpose: { kind: 'valid' }, sent: { amount } },
    });
    const all = [1, 2, 3].map(quote);
    const goods = all.map(good);
    const outs = times(4, ...all.map(out));
    /** How many answers are no part of the rate. */
    const leftOut = (...sketches: readonly Sketch[]): number =>
      sketches.length - (resultOf(BAD, ...sketches).rate?.judged ?? 0);

    test('is what is served before and afterwards, be others served between or not', () => {
      expect(leftOut(...goods, ...outs, ...goods)).toBe(12);
      expect(leftOut(...goods, ...outs.flatMap((one) => [one, good()]), ...goods)).toBe(12);
      // As at the beginning of a run, the same is served later.
      expect(leftOut(...outs, ...goods, ...goods)).toBe(12);
      const { findings, rate } = resultOf(BAD, ...goods, ...outs, ...goods, bad(quote(1)));
      expect(findings[0]).toMatchObject({ rate: { broken: 1, judged: 3 } });
      expect(rate).toEqual({ broken: 1, judged: 7 });
    });

    test.each<[string, readonly Sketch[]]>([
      ['that is not over', [...goods, ...outs, good(), good(PROVIDERS)]],
      ['too short', [...goods, ...outs.slice(0, 7), ...goods]],
      [
        'of other requests than are served',
        [...goods, ...times(4, ...[4, 5, 6].map(quote).map(out)), ...goods],
      ],
      ['between refusals', [...goods, ...outs.flatMap((one) => [one, { ...one, status: 400 }])]],
      [
        'at an operation that fails as often at other times',
        [
          ...times(6, ...all.flatMap((one) => [good(one), ...times(4, out(one))])),
          ...outs,
          ...goods,
        ],
      ],
      ['that comes again and again', times(3, ...times(10, ...goods), ...outs, ...goods)],
      [
        'of a few requests alone that are served as well',
        [...goods, ...outs.slice(0, 7), ...times(4, out(quote(4))), ...goods],
      ],
    ])('is none %s', (_, sketches) => {
      expect(leftOut(...sketches)).toBe(0);
    });
  });
});
