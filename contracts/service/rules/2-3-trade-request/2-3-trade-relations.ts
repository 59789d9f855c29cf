/** Long because it is the table of relations of one request, with the judgements that they share. */

import type { Broken } from '../../../judging/rule.ts';
import type { View } from '../../../judging/view.ts';
import { baseUnitsOf } from '../../../wire/amounts.ts';
import { answeredIn, BUILD, buildOf } from '../readings/trade-build.ts';
import type { Reading } from '../inputs/slippage-reading.ts';
import { readingOf } from '../inputs/slippage-reading.ts';
import type { RelationRow } from '../../../rules/relation-rule.ts';

/** What one pair is quoted. */
export interface Amounts {
  readonly destAmount: bigint;
  readonly minDestAmount: bigint;
}

/** What all pairs of an answer are quoted. */
export interface Quotes {
  /** The pair that the request asks for first: in A the only one. */
  readonly pair: string;
  /** Of that pair, percent. */
  readonly slippage: unknown;
  readonly amounts: ReadonlyMap<string, Amounts>;
}

/** A row that compares what pairs are quoted, or that a request is served. */
export type TradeRow = RelationRow<Quotes | 'served'>;

function quotesOf(view: View): Quotes | null {
  const build = buildOf(view);
  const [asked] = build?.asked ?? [];
  if (build === null || asked === undefined) return null;
  const [pair, { fields }] = asked;
  const amounts = new Map<string, Amounts>();
  for (const { key, summary } of answeredIn(build)) {
    const destAmount = baseUnitsOf(summary.destAmount);
    const minDestAmount = baseUnitsOf(summary.minDestAmount);
    if (destAmount === undefined || minDestAmount === undefined) continue;
    amounts.set(key, { destAmount, minDestAmount });
  }
  return amounts.has(pair) ? { pair, slippage: fields.slippage, amounts } : null;
}

/** The amounts of the pair that A asks for, in answers to A and to B. */
function amountsOf(pair: string, quotes: Quotes | 'served'): Amounts | undefined {
  return quotes === 'served' ? undefined : quotes.amounts.get(pair);
}

function agree(one: Quotes | 'served', other: Quotes | 'served'): boolean {
  if (one === 'served' || other === 'served') return one === other;
  const [first, second] = [amountsOf(one.pair, one), amountsOf(one.pair, other)];
  return first?.destAmount === second?.destAmount && first?.minDestAmount === second?.minDestAmount;
}

/** How the guarantee of the first pair stands to its slippage; null where that is no percentage. */
function readingIn(quotes: Quotes | 'served'): Reading | null {
  if (quotes === 'served' || typeof quotes.slippage !== 'number') return null;
  const amounts = amountsOf(quotes.pair, quotes);
  if (amounts === undefined) return null;
  const { destAmount: amount, minDestAmount: minReturn } = amounts;
  return readingOf({ amount, minReturn, slippage: quotes.slippage }) ?? null;
}

// A service may guarantee more than it was asked to, for a fixed price; one that goes by the tolerance
// asked for goes by any.
const sameReading: TradeRow = {
  id: 'trade.summary.slippage-followed-throughout',
  level: 'should',
  source: 'implied by §1, §2.3',
  protects: 'A guarantee that follows the slippage that was asked for follows every other one.',
  rulesOut: 'A service that caps slippage, or rounds it, where it differs from what was asked.',
  relation: 'trade-slippage',
  api: 'trade',
  operations: BUILD,
  digest: quotesOf,
  agree: (one, other) => readingIn(one) === readingIn(other),
  // Who never goes by slippage, for a fixed price, answers as a service that is right or wrong.
  tells: (a, b) => {
    const readings = [readingIn(a), readingIn(b)];
    return readings.includes('as asked') && !readings.includes('too small to tell');
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
    tells: (a, b) => a !== 'served' && amountsOf(a.pair, b) !== undefined,
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

/** The promise that a request with more in it is taken where the same without it is. */
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

/** This many base units tell an amount from twice as much, whatever is rounded. */
const TELLING = 1_000n;

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
        if (b.destAmount === a.destAmount && a.destAmount < TELLING) return undefined;
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
        if (distance * 1_000n <= a.destAmount || distance < TELLING) return undefined;
        const expected = `${a.destAmount}, as for the same addresses in other letters`;
        return brokenAt('destAmount', expected, b.destAmount);
      },
    ),
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
  ],
};
