import type { Broken, Collected, GroupJudgement, Rule } from '../../../judging/rule.ts';
import { runRule } from '../../../judging/rule.ts';
import type { View } from '../../../judging/view.ts';
import { baseUnitsOf } from '../../../wire/amounts.ts';
import { assetKey } from '../readings/zap-entry.ts';
import { isPosition, pointerTo } from '../readings/zap-entry.ts';
import { answeredIn, BUILD, buildOf } from '../readings/trade-build.ts';
import { ROUTED, routeOf } from '../readings/zap-route.ts';

/** What an answer says of an asset. */
interface Priced {
  readonly key: string;
  /** USD for one token. */
  readonly price: number;
  readonly decimals: number;
}

/** What an answer yields for what it takes. */
interface Yield {
  readonly pointer: string;
  readonly source: string;
  readonly amount: bigint;
  readonly destination: string;
  /** Whether it is nothing. */
  readonly isNothing: boolean;
}

interface Fact {
  readonly prices: readonly Priced[];
  readonly yields: readonly Yield[];
}

/** More assets or pairs are no route or batch. */
const MAX = 100;
const MAX_DECIMALS = 77;
/** Other token standards, whose amounts count something else. */
const OTHER_STANDARD = /^ERC(?!20$)/;

function pricesIn(view: View): Priced[] {
  const priced = new Map<string, Priced>();
  for (const { key, asset } of routeOf(view)?.entries.slice(0, MAX) ?? []) {
    const { price, decimals, type } = asset ?? {};
    if (key === undefined || typeof price !== 'string' || !(Number(price) > 0)) continue;
    if (typeof type === 'string' && OTHER_STANDARD.test(type)) continue;
    if (typeof decimals !== 'number' || !Number.isInteger(decimals)) continue;
    if (decimals < 0 || decimals > MAX_DECIMALS) continue;
    priced.set(key, { key, price: Number(price), decimals });
  }
  return [...priced.values()];
}

/** What a zap yields at last, by its amountOut and by its last outputs. */
function zapYields(view: View): Yield[] {
  const route = routeOf(view);
  const { sourceKey: source, destKey: destination, amount } = route?.asked ?? {};
  if (route?.asked?.isPlain !== true || amount === undefined) return [];
  if (source === undefined || destination === undefined || source === destination) return [];
  const outputs = route.steps.at(-1)?.output ?? [];
  const isOther = (type: unknown): boolean => typeof type === 'string' && OTHER_STANDARD.test(type);
  if (outputs.some((entry) => isPosition(entry) || isOther(entry.asset?.type))) return [];
  const base = { source, destination, amount };
  const out = baseUnitsOf(route.data.amountOut);
  const [first] = outputs;
  const amounts = outputs.map((entry) => entry.amount);
  return [
    ...(out === undefined ? [] : [{ ...base, pointer: '/data/amountOut', isNothing: out === 0n }]),
    ...(first === undefined || amounts.includes(undefined)
      ? []
      : [
          {
            ...base,
            pointer: pointerTo(first, 'amount'),
            isNothing: amounts.every((one) => one === 0n),
          },
        ]),
  ];
}

function tradeYields(view: View): Yield[] {
  const build = buildOf(view);
  const fromChain = build?.request.fromChain;
  return (build === null ? [] : answeredIn(build)).slice(0, MAX).flatMap((answered): Yield[] => {
    const { entry, summary, pointer } = answered;
    const source = assetKey(fromChain, entry.srcToken);
    const destination = assetKey(entry.toChain, entry.destToken);
    const amount = baseUnitsOf(entry.amount);
    const out = baseUnitsOf(summary.destAmount);
    if (source === undefined || destination === undefined || source === destination) return [];
    if (amount === undefined || out === undefined) return [];
    const yielded = { source, destination, amount, isNothing: out === 0n };
    return [{ ...yielded, pointer: `${pointer}/destAmount` }];
  });
}

/** USD from which on an amount is something. */
const SMALLEST_JUDGED_USD = 1;
/** One base unit of the destination may be worth a hundredth of the amount at most. */
const MAX_UNIT = 0.01;
/** Without a price: with fewer decimals one base unit could be worth anything. */
const FINE_DECIMALS = 6;

/** Prices over a run: of what is spent the lowest that was stated, of what arrives the highest. */
function pricesOver(facts: readonly Collected<Fact>[]): {
  readonly least: ReadonlyMap<string, Priced>;
  readonly most: ReadonlyMap<string, Priced>;
} {
  const least = new Map<string, Priced>();
  const most = new Map<string, Priced>();
  const worth = ({ price, decimals }: Priced): number => price / 10 ** decimals;
  for (const priced of facts.flatMap(({ fact }) => fact.prices)) {
    const [low, high] = [least.get(priced.key), most.get(priced.key)];
    if (low === undefined || worth(priced) < worth(low)) least.set(priced.key, priced);
    if (high === undefined || worth(priced) > worth(high)) most.set(priced.key, priced);
  }
  return { least, most };
}

function conclude(facts: readonly Collected<Fact>[]): GroupJudgement[] {
  const { least, most } = pricesOver(facts);
  return facts.flatMap(({ fact, witness }): GroupJudgement[] => {
    let judged = false;
    const broken: Broken[] = [];
    for (const { pointer, source, destination, amount, isNothing } of fact.yields) {
      const spent = least.get(source);
      if (spent === undefined) continue;
      const usd = (Number(amount) / 10 ** spent.decimals) * spent.price;
      const unit = most.get(destination);
      // Of a coarse token, or one of which nothing is known, less than one unit may be right.
      const isFine =
        unit === undefined
          ? usd >= SMALLEST_JUDGED_USD / MAX_UNIT
          : unit.decimals >= FINE_DECIMALS && unit.price / 10 ** unit.decimals <= usd * MAX_UNIT;
      if (!(usd >= SMALLEST_JUDGED_USD) || !isFine) continue;
      judged = true;
      if (!isNothing) continue;
      const expected = `something for ${amount} of ${source}, worth ${usd.toPrecision(4)} USD`;
      broken.push({ pointer, expected, actual: '0' });
    }
    return judged ? [{ witnesses: [witness], judgement: broken }] : [];
  });
}

const base = {
  level: 'must',
  answer: 'success',
  leastEvidence: 1,
  weigh: ({ prices, yields }: Fact) => 1 + 2 * (prices.length + yields.length),
  conclude,
} as const;

function factOf(prices: readonly Priced[], yields: readonly Yield[]): Fact | null {
  return prices.length + yields.length === 0 ? null : { prices, yields };
}

// Sections 2.1 and 2.2: amountOut is the output amount of a route that somebody pays an input for. Prices
// are the service's own; if it states none, nothing is known.
export const zapSomethingRule: Rule = runRule<Fact>({
  ...base,
  id: 'zap.amount-out.something-for-something',
  source: 'implied by §2.1, §2.2 (loses money)',
  protects: 'What the service itself says is worth a dollar yields more than nothing.',
  rulesOut:
    'A service that answers 0 if it finds no rate: what is spent is worth a dollar, and one base unit of what arrives a hundredth of it at most.',
  api: 'zap',
  operations: ROUTED,
  collect: (view) => factOf(pricesIn(view), zapYields(view)),
});

export const tradeSomethingRule: Rule = runRule<Fact>({
  ...base,
  id: 'trade.summary.something-for-something',
  source: 'implied by §2.3, §2.4 (loses money)',
  protects: 'What the service itself says is worth a dollar yields more than nothing.',
  rulesOut:
    'A service that answers 0 if it finds no rate: by the prices of the zap API what is spent is worth a dollar.',
  api: 'trade',
  besides: ['zap'],
  operations: [...BUILD, ...ROUTED],
  needs: { apis: ['zap'], also: 'the zap API, whose answers state prices' },
  collect: (view) =>
    view.operation?.id === 'trade.build-tx'
      ? factOf([], tradeYields(view))
      : factOf(pricesIn(view), []),
});
