import { describe, expect, test } from 'vitest';
import { exchangeOf } from './exchange.testkit.ts';
import { Judge } from './judge.ts';
import { loadContract } from '../service/load-contract.ts';
import { exchangeRule, runRule, type ExchangeRule, type Rule } from './rule.ts';
import type { Exchange } from '../wire/exchange.ts';

const contract = await loadContract();

/** A rule of which a test cares for little. */
function rule(differing: Partial<ExchangeRule> = {}): Rule {
  return exchangeRule({
    ...{ id: 'zap.test', level: 'must', source: 'card', protects: 'Nothing.', api: 'zap' },
    ...{ operations: '*', answer: 'success', leastEvidence: 1, judge: () => [] },
    ...differing,
  });
}

/** Exchanges x00001, x00002, … */
function several(count: number): Exchange[] {
  return Array.from({ length: count }, (_, at) =>
    exchangeOf({ id: `x${String(at + 1).padStart(5, '0')}` }),
  );
}

describe('a fault of Assay itself', () => {
  const failing = rule({
    id: 'zap.failing',
    judge: ({ exchange }) => {
      if (exchange.id === 'x00002') throw new RangeError('too deep');
      return [];
    },
  });

  test('in a rule is reported, makes its verdict no pass, and keeps no other rule from judging', () => {
    const judging = new Judge(
      [rule({ id: 'zap.before' }), failing, rule({ id: 'zap.after' })],
      contract,
    );
    for (const exchange of several(3)) judging.add(exchange);
    expect(judging.results().map(({ verdict, evidence }) => [verdict, evidence])).toEqual([
      ['pass', 3],
      ['inconclusive', 2],
      ['pass', 3],
    ]);
    expect(judging.crashes).toEqual(['judging x00002 by zap.failing failed: too deep']);
    expect(judging.results()[1]?.reason).toBe(judging.crashes[0]);
  });

  test('does not hide what the rule has found', () => {
    const both = rule({
      judge: ({ exchange }) => {
        if (exchange.id === 'x00002') throw new Error('no');
        return [{ pointer: '/a', expected: 'a', actual: 'b' }];
      },
    });
    const judging = new Judge([both], contract);
    for (const exchange of several(3)) judging.add(exchange);
    expect(judging.results()[0]).toMatchObject({ verdict: 'fail', evidence: 2 });
  });

  test('at the end of a run concerns the rule alone', () => {
    const whole = runRule({
      ...rule({ id: 'zap.whole' }),
      collect: () => ({}),
      conclude: () => {
        throw new Error('at the end');
      },
    });
    const judging = new Judge([whole, rule()], contract);
    judging.add(exchangeOf());
    expect(judging.results().map(({ verdict }) => verdict)).toEqual(['inconclusive', 'pass']);
    expect(judging.results()).toHaveLength(2);
    expect(judging.crashes).toEqual(['judging all exchanges by zap.whole failed: at the end']);
  });

  test('is reported a few times only', () => {
    const always = rule({
      judge: () => {
        throw new Error('always');
      },
    });
    const judging = new Judge([always], contract);
    for (const exchange of several(100)) judging.add(exchange);
    expect(judging.crashes).toHaveLength(20);
  });
});

describe('what a judge has in hand', () => {
  test('can be seen from outside while a rule is at work', () => {
    const inHand = new Int32Array(2);
    const seen: number[][] = [];
    const looking = rule({
      judge: () => {
        seen.push([...inHand]);
        return [];
      },
    });
    const judging = new Judge([rule(), looking], contract, { inHand });
    for (const exchange of several(2)) judging.add(exchange);
    expect(seen).toEqual([
      [1, 2],
      [2, 2],
    ]);
    expect([...inHand]).toEqual([2, 0]);
  });

  test('can be left out by the next judge', () => {
    const leaveOut = [{ exchange: 2, rule: 1 }];
    const judging = new Judge([rule(), rule({ id: 'zap.other' })], contract, { leaveOut });
    for (const exchange of several(3)) judging.add(exchange);
    expect(judging.results().map(({ verdict, evidence }) => [verdict, evidence])).toEqual([
      ['inconclusive', 2],
      ['pass', 3],
    ]);
    expect(judging.crashes).toEqual([
      'judging x00002 by zap.test failed: it did not come to an end',
    ]);
  });

  test('as a whole exchange is left out for all rules', () => {
    const judging = new Judge([rule()], contract, { leaveOut: [{ exchange: 1, rule: 0 }] });
    for (const exchange of several(2)) judging.add(exchange);
    expect(judging.results()[0]?.evidence).toBe(1);
    expect(judging.crashes).toEqual(['judging x00001 failed: judging it did not come to an end']);
  });
});

describe('a fault of a rule that a configuration brings', () => {
  const own = rule({
    ...{ id: 'ours.failing', isOwn: true },
    judge: () => {
      throw new Error('no member');
    },
  });

  test('is none of Assay: reported once, with how often, and its verdict is no pass', () => {
    const judging = new Judge([own, rule()], contract);
    for (const exchange of several(3)) judging.add(exchange);
    expect(judging.results().map(({ verdict }) => verdict)).toEqual(['inconclusive', 'pass']);
    expect(judging.crashes).toEqual([]);
    expect(judging.ownCrashes).toEqual([
      'judging x00001 by ours.failing failed: no member (and it failed at 2 more exchanges)',
    ]);
  });

  test('at the end of a run is reported once, however often results are asked for', () => {
    const whole = runRule({
      ...rule({ id: 'ours.whole', isOwn: true }),
      collect: () => ({}),
      conclude: () => {
        throw new Error('at the end');
      },
    });
    const judging = new Judge([whole], contract);
    judging.add(exchangeOf());
    judging.results();
    judging.results();
    expect(judging.ownCrashes).toEqual(['judging all exchanges by ours.whole failed: at the end']);
  });
});
