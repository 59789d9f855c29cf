import { expect, test } from 'vitest';
import { exchangeOf } from './exchange.testkit.ts';
import { Judge } from './judge.ts';
import { loadContract } from '../service/load-contract.ts';
import { exchangeRule, runRule, type ExchangeRule, type Rule } from './rule.ts';
import { MAX_PLACES } from './findings/broken-places.ts';

const contract = await loadContract();

/** A rule that is broken at the place that the answer names, and silent if it names none. */
function rule(id: string, judge?: ExchangeRule['judge']): Rule {
  return exchangeRule({
    ...{ id, level: 'must', source: 'card', protects: 'Nothing.', api: 'zap' },
    ...{ operations: '*', answer: 'success', leastEvidence: 1 },
    judge:
      judge ??
      (({ json }) => {
        const { at } = json as { at?: string };
        if (at === undefined) return null;
        return at === '' ? [] : [{ pointer: `/${at}`, expected: 'a', actual: 'b' }];
      }),
  });
}

const answer = (at?: string): ReturnType<typeof exchangeOf> =>
  exchangeOf({ answered: at === undefined ? {} : { at } });

test('an exchange reports which rules it breaks, and nothing of what broke before', () => {
  const judge = new Judge([rule('zap.one'), rule('zap.held', () => []), rule('zap.two')], contract);
  expect(judge.add(answer(''))).toEqual([]);
  expect(judge.add(answer('here'))).toEqual(['zap.one', 'zap.two']);
  expect(judge.add(answer('here'))).toEqual(['zap.one', 'zap.two']);
  expect(judge.add(answer())).toEqual([]);
});

test('an exchange that Assay fails to judge reports what broke before that', () => {
  const throwing = rule('zap.throws', () => {
    throw new Error('a fault of Assay');
  });
  const judge = new Judge([rule('zap.one'), throwing, rule('zap.two')], contract);
  expect(judge.add(answer('here'))).toEqual(['zap.one', 'zap.two']);
});

test('each piece of evidence is reported with the place of its rule', () => {
  const reported: (readonly [number, boolean])[] = [];
  const judge = new Judge([rule('zap.one'), rule('zap.held', () => [])], contract, {
    onEvidence: (place, isBroken) => reported.push([place, isBroken]),
  });
  judge.add(answer('here'));
  judge.add(answer());
  expect(reported).toEqual([
    [1, true],
    [2, false],
    [2, false],
  ]);
});

test('endless exchanges leave no latencies, and few places of a rule', () => {
  const [endless, plain] = [true, false].map((isEndless) => {
    const judge = new Judge([rule('zap.one')], contract, { isEndless });
    for (let at = 0; at < 2 * MAX_PLACES; at += 1) judge.add(answer(`place-of-${'x'.repeat(at)}`));
    return judge;
  });
  expect(endless?.latencies()).toEqual([]);
  expect(plain?.latencies()).toHaveLength(1);
  const counted = [endless, plain].map((judge) => {
    const [result] = judge?.results() ?? [];
    return [result?.verdict, result?.evidence, result?.findings.length];
  });
  expect(counted).toEqual([
    ['fail', 2 * MAX_PLACES, 5],
    ['fail', 2 * MAX_PLACES, MAX_PLACES],
  ]);
});

test('rules over several exchanges, which keep facts of each, do not judge endless ones', () => {
  const ofRun = runRule({ ...rule('zap.run'), collect: () => ({}), conclude: () => [] });
  expect(() => new Judge([rule('zap.one'), ofRun], contract, { isEndless: true })).toThrow(
    'zap.run keeps facts of each exchange',
  );
});
