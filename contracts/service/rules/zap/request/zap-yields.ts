import type { Broken } from '../../../../judging/rule.ts';
import { baseUnitsOf } from '../../../../wire/amounts.ts';
import type { ZapRelationRow } from './zap-relation.ts';
import { zapRelation } from './zap-relation.ts';
import type { Route } from '../../readings/zap-route.ts';
import { sketchOf } from '../../readings/zap-route.ts';

/** Smaller amounts change too rarely for two that are equal to show that nothing moved. */
export const SMALLEST_JUDGED_AMOUNT = 1_000_000n;

function judgedAmountOut({ data }: Route): string | null {
  const amount = baseUnitsOf(data.amountOut);
  return amount === undefined || amount < SMALLEST_JUDGED_AMOUNT ? null : String(amount);
}

function sameAmountOut(a: string, b: string): Broken[] {
  return a === b ? [] : [{ pointer: '/data/amountOut', expected: `${a}, as without`, actual: b }];
}

/** What a route yields, beside the route. */
interface RouteAmount {
  readonly route: string | null;
  readonly amount: string;
}

function routeAmount(route: Route): RouteAmount | null {
  const amount = judgedAmountOut(route);
  return amount === null ? null : { route: sketchOf(route), amount };
}

function weightOf({ route }: RouteAmount): number {
  return 1 + (route?.length ?? 0) / 50;
}

/** Thousandths by which two amounts of the same moment may differ, whatever is rounded or charged. */
const SAME_THOUSANDTHS = 999n;

/** Whether an amount is less than another by more than a thousandth. */
function isLess(amount: string, than: string): boolean {
  return BigInt(amount) * 1_000n < BigInt(than) * SAME_THOUSANDTHS;
}

// Section 4.1, rule 1: a build is of the route that is quoted. Where quotes agree with each other and
// so do builds, nothing moved between them; a simulation may know better.
export const sameYield: ZapRelationRow<RouteAmount> = zapRelation({
  id: 'zap.quote-build.no-less-than-quoted',
  level: 'must',
  source: 'implied by §2.2, §4.1 (loses money)',
  protects: 'A build yields no less than what was quoted for the same request a moment ago.',
  rulesOut: 'A service that shows more in quotes than it builds for, though nothing moved.',
  relation: 'quote-build',
  ofRoute: (route) => (route.asked?.body.estimateGas === true ? null : routeAmount(route)),
  weigh: weightOf,
  steady: true,
  // Another route is the business of the rule on that.
  isEvidence: (a, b) => a.route === b.route,
  compare: (a, b) => {
    if (!isLess(b.amount, a.amount)) return [];
    const expected = `${a.amount}, as quoted before and after, or a thousandth less at most`;
    return [{ pointer: '/data/amountOut', expected, actual: b.amount }];
  },
});

/** What a route yields, beside the decimals of what that is. */
interface RouteYield extends RouteAmount {
  readonly decimals: unknown;
}

function routeYield(route: Route): RouteYield | null {
  if (route.asked?.body.estimateGas === true) return null;
  const amount = routeAmount(route);
  const decimals = route.steps.at(-1)?.output[0]?.asset?.decimals;
  return amount && { ...amount, decimals: typeof decimals === 'number' ? decimals : null };
}

const CENTS = 2;
const MAX_DECIMALS = 77;
/** What is less of an amount is rounding of another kind. */
const MILLIONTHS = 1_000_000n;

/** Whether an amount is another cut to cents. */
function isCutToCents(cut: RouteYield, { amount }: RouteYield): boolean {
  const { decimals } = cut;
  if (typeof decimals !== 'number' || decimals <= CENTS || decimals > MAX_DECIMALS) return false;
  const cent = 10n ** BigInt(decimals - CENTS);
  const off = BigInt(amount) - BigInt(cut.amount);
  return BigInt(cut.amount) % cent === 0n && off < cent && off * MILLIONTHS > BigInt(amount);
}

// The same the other way round. Who is quoted too little turns away, or accepts too low a guarantee.
export const noMoreThanQuoted: ZapRelationRow<RouteYield> = zapRelation<RouteYield>({
  id: 'zap.quote-build.no-more-than-quoted',
  level: 'should',
  source: 'implied by §2.2, §4.1',
  protects: 'A quote states what its build yields, and not clearly less.',
  rulesOut: 'A service that rounds quotes to cents, or takes a fee off in quotes alone.',
  relation: 'quote-build',
  ofRoute: routeYield,
  weigh: weightOf,
  steady: true,
  isEvidence: (a, b) => a.route === b.route,
  compare: (a, b) => {
    if (!isLess(a.amount, b.amount) && !isCutToCents(a, b)) return [];
    const expected = `${a.amount}, as quoted before and after`;
    return [{ pointer: '/data/amountOut', expected, actual: b.amount }];
  },
});

export const slippageAmount: ZapRelationRow<string> = zapRelation({
  id: 'zap.slippage.leaves-amount',
  level: 'should',
  source: 'implied by §2.1, §2.2',
  protects: 'The slippage that is tolerated does not change the amount that is expected.',
  rulesOut: 'A service that takes the slippage off the amount which it expects.',
  relation: 'slippage',
  ofRoute: judgedAmountOut,
  compare: sameAmountOut,
});

export const recipientAmount: ZapRelationRow<string> = zapRelation({
  id: 'zap.recipient.leaves-amount',
  level: 'should',
  source: 'implied by §2.1, §2.2',
  protects: 'Whoever receives the tokens receives as many.',
  rulesOut: 'A service that charges a recipient who is not the account.',
  relation: 'recipient',
  ofRoute: judgedAmountOut,
  compare: sameAmountOut,
});

// EIP-55: letter case is a checksum and nothing else. What changes the route is reported above.
export const letterCaseAmount: ZapRelationRow<RouteAmount> = zapRelation({
  id: 'zap.addresses.letter-case-leaves-amount',
  level: 'must',
  source: 'implied by §2.1, EIP-55 (loses money)',
  protects: 'The letter case of an address changes nothing in what a zap yields.',
  rulesOut: 'A service that does not find decimals, fees or prices of a token spelt otherwise.',
  relation: 'letter-case',
  ofRoute: routeAmount,
  weigh: weightOf,
  steady: true,
  isEvidence: (a, b) => a.route === b.route,
  compare: (a, b) => {
    if (!isLess(a.amount, b.amount) && !isLess(b.amount, a.amount)) return [];
    const expected = `${a.amount}, as for the same addresses in other letters`;
    return [{ pointer: '/data/amountOut', expected, actual: b.amount }];
  },
});
