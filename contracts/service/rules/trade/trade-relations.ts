/** Long because it is the table of relations of one request, with the judgements that they share. */

import type { Broken } from '../../../judging/rule.ts';
import type { View } from '../../../judging/view.ts';
import { BUILD } from '../readings/trade-build.ts';
import type { Amounts, TradeRow } from './trade-quotes.ts';
import { agree, amountsOf, quotesOf, readingBeside, readingIn } from './trade-quotes.ts';

// A service may guarantee more than it was asked to, for a fixed price; one that goes by the tolerance
// asked for goes by any.
const sameReading: TradeRow = {
  id: 'trade.summary.slippage-followed-throughout',
  level: 'should',
  source: 'implied by §1, §2.3',
  protects: 'A guarantee that follows the slippage that was asked for follows every other one.',
  rulesOut: 'A service that caps slippage, or rounds it, if it differs from what was asked.',
  relation: 'trade-slippage',
  api: 'trade',
  operations: BUILD,
  digest: quotesOf,
  agree: (one, other) => readingIn(one) === readingIn(other),
  // Who never goes by slippage, for a fixed price, answers as a service that is right or wrong.
  isEvidence: (a, b) => {
    const readings = [readingIn(a), readingIn(b)];
    return readings.includes('as asked') && !readings.includes('too small to judge');
  },
  compare: (a, b) => {
    const [one, other] = readingIn(a) === 'as asked' ? [a, b] : [b, a];
    if (readingIn(one) !== 'as asked' || readingIn(other) !== 'tighter') return [];
    if (one === 'served' || other === 'served') return [];
    const expected = `the tolerance asked for, ${String(other.slippage)} %, as with ${String(one.slippage)} %`;
    const minimum = amountsOf(other.pair, other)?.minDestAmount ?? 0n;
    return [brokenAt('minDestAmount', expected, minimum)];
  },
};

// As above, for a pair that is asked for alone in A, and beside another in B.
const sameReadingInBatch: TradeRow = {
  id: 'trade.summary.batch-follows-slippage',
  level: 'should',
  source: 'implied by §1, §2.3',
  protects: 'A guarantee that follows the slippage of a pair alone follows it in a batch.',
  rulesOut: 'A service that goes by the slippage of one entry, and guarantees the others in full.',
  relation: 'trade-batch',
  api: 'trade',
  operations: BUILD,
  digest: quotesOf,
  agree: (one, other) => readingIn(one) === readingIn(other),
  isEvidence: (a, b) =>
    a !== 'served' &&
    b !== 'served' &&
    readingIn(a) === 'as asked' &&
    ['as asked', 'tighter'].includes(readingBeside(a, b) ?? ''),
  compare: (a, b) => {
    if (a === 'served' || b === 'served' || readingIn(a) !== 'as asked') return [];
    if (readingBeside(a, b) !== 'tighter') return [];
    const expected = `the tolerance asked for, ${String(a.slippage)} %, as alone`;
    return [brokenAt('minDestAmount', expected, amountsOf(a.pair, b)?.minDestAmount ?? 0n)];
  },
};

type Row = Pick<TradeRow, 'id' | 'source' | 'protects' | 'relation'> &
  Pick<Partial<TradeRow>, 'level' | 'refused' | 'steady'> & { readonly rulesOut: string };

/** A relation between the amounts that A and B are quoted. */
function amountRow(
  row: Row,
  compareAmounts: (a: Amounts, b: Amounts) => Broken | undefined,
): TradeRow {
  return {
    level: 'should',
    ...row,
    api: 'trade',
    operations: BUILD,
    digest: quotesOf,
    agree,
    isEvidence: (a, b) => a !== 'served' && amountsOf(a.pair, b) !== undefined,
    compare: (a, b) => {
      if (a === 'served') return [];
      const [alone, beside] = [amountsOf(a.pair, a), amountsOf(a.pair, b)];
      if (alone === undefined || beside === undefined) return [];
      const broken = compareAmounts(alone, beside);
      return broken === undefined ? [] : [broken];
    },
  };
}

function brokenAt(field: 'destAmount' | 'minDestAmount', expected: string, actual: bigint): Broken {
  return { pointer: `/quotes/*/${field}`, expected, actual: String(actual) };
}

function sameDestAmount(original: string): (a: Amounts, b: Amounts) => Broken | undefined {
  return (a, b) =>
    a.destAmount === b.destAmount
      ? undefined
      : brokenAt('destAmount', `${a.destAmount}, as ${original}`, b.destAmount);
}

/** The promise that a request with more in it is taken if the same without it is. */
function acceptance(
  row: Row & {
    readonly expected: string;
    readonly operations?: readonly string[];
    readonly excused?: (view: View) => boolean;
  },
): TradeRow {
  const { expected, operations = BUILD, ...rest } = row;
  return {
    level: 'must',
    ...rest,
    api: 'trade',
    operations,
    digest: () => 'served',
    compare: () => [],
    refused: expected,
  };
}

function distanceOf(a: Amounts, b: Amounts): bigint {
  return a.destAmount > b.destAmount ? a.destAmount - b.destAmount : b.destAmount - a.destAmount;
}

/** From so many base units on, an amount differs from twice as much, whatever is rounded. */
const SMALLEST_JUDGED = 1_000n;

type TradeRelationName =
  | 'idempotencyKey'
  | 'quotesIdempotencyKey'
  | 'disablePricing'
  | 'disableEstimation'
  | 'permit2Approval'
  | 'slippage'
  | 'twiceTheAmount'
  | 'otherRecipient'
  | 'letterCase'
  | 'capitals'
  | 'batch';

/** All relations between two trade requests that differ in one thing, each with its rules. */
export const TRADE_RELATIONS: Readonly<Record<TradeRelationName, readonly TradeRow[]>> = {
  idempotencyKey: [
    acceptance({
      id: 'trade.build-tx.idempotency-key-accepted',
      source: '§1, §4.2',
      protects: 'A build request may carry an Idempotency-Key.',
      relation: 'trade-idempotency-key',
      rulesOut: 'A service that refuses a header which it does not know, or keys of some length.',
      expected: 'served, as the same request without an Idempotency-Key',
    }),
  ],
  quotesIdempotencyKey: [
    acceptance({
      id: 'trade.quotes.idempotency-key-accepted',
      source: '§1, §4.2',
      protects: 'A quotes request may carry an Idempotency-Key.',
      relation: 'trade-quotes-idempotency-key',
      rulesOut: 'A service that takes the header on builds and refuses it on quotes.',
      expected: 'served, as the same request without an Idempotency-Key',
      operations: ['trade.quotes'],
    }),
  ],
  disablePricing: [
    acceptance({
      id: 'trade.build-tx.disable-pricing-accepted',
      source: '§2.3',
      protects: 'A build request may skip USD pricing.',
      relation: 'trade-disable-pricing',
      rulesOut: 'A service that does not know disablePricing, or fails without prices.',
      expected: 'served, as the same request without disablePricing',
    }),
    // Which route is best may be found by what it costs in USD, so that another may be taken without it.
    amountRow(
      {
        id: 'trade.summary.disable-pricing-keeps-dest-amount',
        level: 'must',
        source: 'implied by §2.3, §2.4 (loses money)',
        protects: 'Without USD pricing a quote is still for about what the trade gives.',
        relation: 'trade-disable-pricing',
        rulesOut: 'A service whose amounts come from USD prices: without them they are nothing.',
      },
      (a, b) => {
        if (b.destAmount * 2n >= a.destAmount) return undefined;
        return brokenAt('destAmount', `about ${a.destAmount}, as with USD pricing`, b.destAmount);
      },
    ),
  ],
  disableEstimation: [
    acceptance({
      id: 'trade.build-tx.disable-estimation-accepted',
      source: '§2.3',
      protects: 'A build request may do without gas estimation and simulation.',
      relation: 'trade-disable-estimation',
      rulesOut: 'A service that does not know disableEstimation, or cannot build without it.',
      expected: 'served, as the same request without disableEstimation',
    }),
  ],
  permit2Approval: [
    // §2.3: either boolean is right. Both requests go without simulation, which an approval that the
    // sender does not have would make fail. Which fields of an entry are required is not shown, so that a
    // service may ask for `permitData` then.
    acceptance({
      id: 'trade.build-tx.permit2-approval-accepted',
      source: 'implied by §2.3 (no service)',
      excused: ({ text }) => /permit_?data/i.test(text),
      protects: 'A build request may say that the sender has permit2 approval for all tokens.',
      relation: 'trade-permit2-approval',
      rulesOut: 'A service that knows no approval by permit2 and refuses true.',
      expected: 'served, as the same request with hasPermit2ApprovalForAllTokens false',
    }),
  ],
  slippage: [
    amountRow(
      {
        id: 'trade.summary.slippage-keeps-dest-amount',
        source: 'implied by §1, §2.3',
        protects:
          'What a swap is expected to give does not depend on the slippage that is tolerated.',
        relation: 'trade-slippage',
        rulesOut: 'A service that takes the slippage off the amount which it expects.',
      },
      sameDestAmount('with less slippage'),
    ),
    amountRow(
      {
        id: 'trade.summary.slippage-lowers-min',
        source: 'implied by §1, §2.3, §2.4',
        protects: 'Who tolerates more slippage is guaranteed no more.',
        relation: 'trade-slippage',
        rulesOut: 'A service whose guarantee grows with the slippage that is tolerated.',
      },
      (a, b) =>
        b.minDestAmount <= a.minDestAmount
          ? undefined
          : brokenAt(
              'minDestAmount',
              `at most ${a.minDestAmount}, as with less slippage`,
              b.minDestAmount,
            ),
    ),
    sameReading,
  ],
  twiceTheAmount: [
    amountRow(
      {
        id: 'trade.summary.more-in-more-out',
        source: 'implied by §2.3, §2.4',
        protects: 'A quote is for the amount that was asked: twice as much in gives more out.',
        relation: 'trade-twice-the-amount',
        rulesOut:
          'A service that quotes one amount, or the one it was asked first, for every other.',
      },
      (a, b) => {
        if (b.destAmount > a.destAmount) return undefined;
        if (b.destAmount === a.destAmount && a.destAmount < SMALLEST_JUDGED) return undefined;
        const expected = `more than ${a.destAmount}, which half of the amount gives`;
        return brokenAt('destAmount', expected, b.destAmount);
      },
    ),
  ],
  otherRecipient: [
    amountRow(
      {
        id: 'trade.summary.recipient-keeps-dest-amount',
        source: 'implied by §2.3',
        protects: 'What a swap gives does not depend on who receives it, or a refund.',
        relation: 'trade-other-recipient',
        rulesOut: 'A service that charges recipients other than the sender.',
      },
      sameDestAmount('for another recipient and refundee'),
    ),
  ],
  letterCase: [
    // EIP-55: letter case is a checksum and nothing else.
    amountRow(
      {
        id: 'trade.addresses.any-letter-case',
        level: 'must',
        source: 'implied by §2.3, EIP-55 (loses money)',
        protects: 'The letter case of an address changes nothing in what a trade gives.',
        rulesOut: 'A service that finds tokens by the letters that its lists are spelt in.',
        relation: 'trade-letter-case',
        steady: true,
        refused: 'a success, as for the same addresses in other letters',
      },
      (a, b) => {
        const distance = distanceOf(a, b);
        if (distance * 1_000n <= a.destAmount || distance < SMALLEST_JUDGED) return undefined;
        const expected = `${a.destAmount}, as for the same addresses in other letters`;
        return brokenAt('destAmount', expected, b.destAmount);
      },
    ),
  ],
  capitals: [
    // EIP-55: who writes all digits in capitals gives no checksum, as who writes none so.
    acceptance({
      id: 'trade.addresses.in-capitals',
      level: 'should',
      source: 'implied by §2.3, EIP-55',
      protects: 'An address in capital hex digits is served as one in small ones is.',
      relation: 'trade-capitals',
      rulesOut: 'A service that holds an address in capitals against its checksum.',
      expected: 'a success, as for the same addresses in other letters',
    }),
  ],
  batch: [
    amountRow(
      {
        id: 'trade.summary.batch-equals-parts',
        source: 'implied by §2.3, §2.4',
        protects: 'A pair is quoted about the same in a batch as alone.',
        relation: 'trade-batch',
        rulesOut:
          'A service that quotes a pair of a batch for the amount of another, or leaves a part out.',
      },
      // Trades of one transaction move the markets for each other, which a service may reckon with.
      (a, b) => {
        if (distanceOf(a, b) <= a.destAmount / 20n + 1n) return undefined;
        return brokenAt('destAmount', `about ${a.destAmount}, as alone`, b.destAmount);
      },
    ),
    sameReadingInBatch,
  ],
};
