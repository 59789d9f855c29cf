import { expect, test } from 'vitest';
import { exchangeOf } from '../../../judging/exchange.testkit.ts';
import type { Verdict } from '../../../judging/judge.ts';
import { judgedBy } from '../../../judging/verdicts.testkit.ts';
import type { Exchange } from '../../../wire/exchange.ts';

const [A, B, C] = ['a', 'b', 'c'].map((digit) => `0x${digit.repeat(40)}`) as [
  string,
  string,
  string,
];

/** An answer: the amount and minimum of the pair, and of another one beside it; or a refusal. */
type Answer = readonly [destAmount: string, minDestAmount: string] | 'refused';

let count = 0;

function exchange(
  relation: string,
  role: string,
  answer: Answer,
  batch: boolean,
  slippage = 1,
): Exchange {
  count += 1;
  const entry = (destToken: string) => ({ srcToken: A, destToken, toChain: 1, slippage });
  const summary = (destAmount: string, minDestAmount: string) => {
    return { provider: 'p', destAmount, minDestAmount };
  };
  const beside = batch ? { [`1_${A}-1_${C}`]: summary('7', '7') } : {};
  const quotes =
    answer === 'refused' ? {} : { ...beside, [`1_${A}-1_${B}`]: summary(answer[0], answer[1]) };
  const sketched = exchangeOf({
    id: `x${count}`,
    api: 'trade',
    method: 'POST',
    path: '/v1/buildTx',
    sent: { fromChain: 1, data: [...(batch ? [entry(C)] : []), entry(B)] },
    status: answer === 'refused' ? 400 : 200,
    answered: { status: 'success', quotes },
  });
  return { ...sketched, relations: [{ kind: relation, group: 'g', role }] };
}

/** The verdict if A and B were asked six times each. */
function verdict(
  id: string,
  relation: string,
  a: Answer,
  b: Answer,
  batch = false,
): Verdict | undefined {
  const exchanges = Array.from({ length: 7 }, () => [
    exchange(relation, 'A', a, false),
    exchange(relation, 'B', b, batch),
  ]);
  return verdictOn(id, exchanges.flat());
}

function verdictOn(id: string, exchanges: readonly Exchange[]): Verdict | undefined {
  return judgedBy(id, exchanges)[0]?.verdict;
}

test('more slippage keeps the amount and guarantees no more', () => {
  const [keeps, lowers] = ['slippage-keeps-dest-amount', 'slippage-lowers-min'].map(
    (name) => `trade.summary.${name}`,
  ) as [string, string];
  const relation = 'trade-slippage';
  expect(verdict(keeps, relation, ['1000', '990'], ['1000', '970'])).toBe('pass');
  expect(verdict(keeps, relation, ['1000', '990'], ['999', '970'])).toBe('warn');
  expect(verdict(lowers, relation, ['1000', '990'], ['1000', '990'])).toBe('pass');
  expect(verdict(lowers, relation, ['1000', '990'], ['1000', '991'])).toBe('warn');
  // A slippage that the service does not take says nothing.
  expect(verdict(keeps, relation, ['1000', '990'], 'refused')).toBe('not-reached');
});

/** Quotes of a million with what remains after slippage. */
function quoted(role: string, slippage: number, minDestAmount: string): Exchange {
  return exchange('trade-slippage', role, ['1000000', minDestAmount], false, slippage);
}

test('who goes by one slippage goes by any', () => {
  const id = 'trade.summary.slippage-followed-throughout';
  const six = (a: () => Exchange, b: () => Exchange): Verdict | undefined =>
    verdictOn(id, Array.from({ length: 7 }, () => [a(), b()]).flat());
  const asAsked = () => quoted('A', 1, '990000');
  expect(six(asAsked, () => quoted('B', 2.37, '976300'))).toBe('pass');
  expect(six(asAsked, () => quoted('B', 2.37, '980000'))).toBe('warn');
  const capped = () => quoted('A', 0.5, '997000');
  // What a fixed price shows, one that is capped shows as well.
  expect(six(capped, () => quoted('B', 1.9, '997000'))).toBe('not-reached');
  // Nor does a tolerance that is a part of rounding.
  expect(six(asAsked, () => quoted('B', 0.05, '1000000'))).toBe('not-reached');
  const small = () => quoted('A', 0.5, '1000000');
  expect(six(small, () => quoted('B', 3, '970000'))).toBe('warn');
});

test('slippage is taken in percent', () => {
  const id = 'trade.summary.slippage-in-percent';
  const verdictWith = (...kept: [number, string][]): Verdict | undefined =>
    verdictOn(
      id,
      kept.map(([slippage, least]) => exchange('none', 'A', ['100000000', least], false, slippage)),
    );
  expect(verdictWith([1, '99000000'], [2, '98000000'], [3, '97000000'])).toBe('pass');
  expect(verdictWith([1, '99990000'], [2, '99980000'], [3, '99970000'])).toBe('fail');
  // A guarantee that does not go by slippage says nothing of its unit.
  expect(verdictWith([1, '99500000'], [2, '99500000'], [3, '99500000'])).toBe('not-reached');
  expect(verdictWith([1, '99900000'], [2, '99800000'], [2, '99800000'])).toBe('not-reached');
});

test('twice as much in gives more out, but for amounts that rounding swallows', () => {
  const id = 'trade.summary.more-in-more-out';
  const relation = 'trade-twice-the-amount';
  expect(verdict(id, relation, ['1000', '990'], ['1001', '990'])).toBe('pass');
  expect(verdict(id, relation, ['1000', '990'], ['1000', '990'])).toBe('warn');
  expect(verdict(id, relation, ['1000', '990'], ['900', '890'])).toBe('warn');
  expect(verdict(id, relation, ['3', '2'], ['3', '2'])).toBe('pass');
});

test('a pair is quoted in a batch as alone, wherever it stands in it', () => {
  const id = 'trade.summary.batch-equals-parts';
  expect(verdict(id, 'trade-batch', ['1000', '990'], ['1000', '990'], true)).toBe('pass');
  expect(verdict(id, 'trade-batch', ['1000', '990'], ['800', '790'], true)).toBe('warn');
});

test('letter case changes nothing, and is not refused', () => {
  const id = 'trade.addresses.any-letter-case';
  const relation = 'trade-letter-case';
  expect(verdict(id, relation, ['1000000', '1'], ['1000500', '1'])).toBe('pass');
  expect(verdict(id, relation, ['1000000', '1'], ['998000', '1'])).toBe('fail');
  expect(verdict(id, relation, ['1000000', '1'], 'refused')).toBe('fail');
  expect(verdict(id, relation, ['10', '1'], ['11', '1'])).toBe('pass');
});

test('who receives does not change the amount; markets that move prove nothing', () => {
  const id = 'trade.summary.recipient-keeps-dest-amount';
  const relation = 'trade-other-recipient';
  expect(verdict(id, relation, ['1000', '990'], ['1000', '990'])).toBe('pass');
  expect(verdict(id, relation, ['1000', '990'], ['999', '990'])).toBe('warn');
  const moving = Array.from({ length: 7 }, (_, index) => [
    exchange(relation, 'A', [String(1000 + index), '1'], false),
    exchange(relation, 'B', [String(2000 + index), '1'], false),
  ]);
  expect(verdictOn(id, moving.flat())).toBe('inconclusive');
});

test('what may be in a request is taken', () => {
  for (const [name, relation, broken] of [
    ['idempotency-key', 'trade-idempotency-key', 'fail'],
    ['disable-pricing', 'trade-disable-pricing', 'fail'],
    ['disable-estimation', 'trade-disable-estimation', 'fail'],
    ['permit2-approval', 'trade-permit2-approval', 'fail'],
  ] as const) {
    const id = `trade.build-tx.${name}-accepted`;
    expect(verdict(id, relation, ['1', '1'], ['2', '2'])).toBe('pass');
    expect(verdict(id, relation, ['1', '1'], 'refused')).toBe(broken);
    expect(verdict(id, relation, 'refused', 'refused')).toBe('not-reached');
    // One refusal among answers may have a cause of its own.
    const once = [
      exchange(relation, 'A', ['1', '1'], false),
      exchange(relation, 'B', 'refused', false),
      exchange(relation, 'B', ['1', '1'], false),
    ];
    expect(verdictOn(id, once)).toBe('pass');
  }
});

test('without USD pricing a quote is for about as much', () => {
  const [id, relation] = [
    'trade.summary.disable-pricing-keeps-dest-amount',
    'trade-disable-pricing',
  ] as const;
  expect(verdict(id, relation, ['1000', '990'], ['1000', '990'])).toBe('pass');
  expect(verdict(id, relation, ['1000', '990'], ['500', '490'])).toBe('pass');
  expect(verdict(id, relation, ['1000', '990'], ['499', '490'])).toBe('fail');
  expect(verdict(id, relation, ['1000', '990'], ['0', '0'])).toBe('fail');
  expect(verdict(id, relation, ['1000', '990'], 'refused')).toBe('not-reached');
});

test('who goes by slippage alone goes by it in a batch', () => {
  const [id, relation] = ['trade.summary.batch-follows-slippage', 'trade-batch'] as const;
  const asAsked = ['1000000', '990000'] as const;
  expect(verdict(id, relation, asAsked, asAsked, true)).toBe('pass');
  expect(verdict(id, relation, asAsked, ['1200000', '1188000'], true)).toBe('pass');
  expect(verdict(id, relation, asAsked, ['1000000', '1000000'], true)).toBe('warn');
  // A fixed price follows no slippage, here and there; less than was asked for is reported by other rules.
  expect(verdict(id, relation, ['1000000', '1000000'], ['1000000', '1000000'], true)).toBe(
    'not-reached',
  );
  expect(verdict(id, relation, asAsked, ['1000000', '950000'], true)).toBe('not-reached');
  expect(verdict(id, relation, ['1000', '990'], ['1000', '1000'], true)).toBe('not-reached');
});
