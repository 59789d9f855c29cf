import { isObject, listOf, member } from '../../../../wire/json.ts';
import type { Rule } from '../../../../judging/rule.ts';
import { baseUnitsOf } from '../../../../wire/amounts.ts';
import type { Kept, Reading } from '../../inputs/slippage-reading.ts';
import { percentRule, readingOf } from '../../inputs/slippage-reading.ts';
import {
  letterCaseAmount,
  noMoreThanQuoted,
  recipientAmount,
  sameYield,
  slippageAmount,
  SMALLEST_JUDGED_AMOUNT,
} from './zap-yields.ts';
import { capitals, letterCase } from './zap-letters.ts';
import type { ZapRelationRow } from './zap-relation.ts';
import { zapRelation } from './zap-relation.ts';
import type { Entry } from '../../readings/zap-entry.ts';
import { isPosition, pointerTo } from '../../readings/zap-entry.ts';
import type { Route } from '../../readings/zap-route.ts';
import { MAX_STEPS, ROUTED, routeOf, sketchOf } from '../../readings/zap-route.ts';

// Section 4.1, rule 1: a quote has the same route information as buildTx: amounts may move, and with
// them what is left over and charged.
const sameRoute: ZapRelationRow<string> = zapRelation({
  id: 'zap.quote-build.same-route',
  level: 'must',
  source: '§4.1',
  protects: 'What is quoted is what is built: the same actions, protocols and assets.',
  rulesOut: 'A service that plans once more for a build, over other protocols than it quoted.',
  relation: 'quote-build',
  ofRoute: sketchOf,
  weigh: (sketch) => 1 + sketch.length / 50,
  compare: (a, b) =>
    a === b ? [] : [{ pointer: '/data/path', expected: `the route quoted: ${a}`, actual: b }],
});

const sameApproval: ZapRelationRow<{ route: string | null; callTo: unknown; approveTo: unknown }> =
  zapRelation({
    id: 'zap.quote-build.same-approval',
    level: 'must',
    source: 'implied by §2.2, §4.1 (transaction fails)',
    protects: 'The approval of a quote serves the transaction that is built for the same route.',
    rulesOut: 'A service whose quotes name another spender than its builds.',
    relation: 'quote-build',
    ofRoute: (route) => {
      const approval = route.data.approvalData;
      if (!isObject(approval) || route.asked?.fromNative !== false) return null;
      const [callTo, approveTo] = ['callTo', 'approveTo'].map((name) => lowerCase(approval[name]));
      if (isLarge(callTo) || isLarge(approveTo)) return null;
      return { route: sketchOf(route), callTo, approveTo };
    },
    isEvidence: (a, b) => a.route === b.route,
    compare: (a, b) =>
      (['callTo', 'approveTo'] as const)
        .filter((name) => a[name] !== b[name])
        .map((name) => ({
          pointer: `/data/approvalData/${name}`,
          expected: `${String(a[name])}, as quoted`,
          actual: String(b[name]),
        })),
  });

/** Whether a value is no address and may be of any size, so that it is not kept. */
function isLarge(value: unknown): boolean {
  return typeof value === 'string' ? value.length > 300 : isObject(value) || Array.isArray(value);
}

function lowerCase(value: unknown): unknown {
  return typeof value === 'string' ? value.toLowerCase() : value;
}

// Sections 1 and 4.1, rule 2: mutation endpoints accept Idempotency-Key.
const idempotencyKey: ZapRelationRow<true> = zapRelation({
  id: 'zap.idempotency-key.accepted',
  level: 'must',
  source: '§1, §4.1',
  protects: 'A request is served with an Idempotency-Key as it is without.',
  rulesOut: 'A service that refuses a header which it does not know, or keys of some length.',
  relation: 'idempotency-key',
  ofRoute: () => true,
  compare: () => [],
  refused: 'a success, as without the Idempotency-Key',
});

/** The answer's last output beside the tolerance it was asked with. */
interface Guarantee {
  readonly slippage: number;
  readonly minReturn: string;
  /** How the guarantee stands to the tolerance asked for. */
  readonly reading: Reading;
}

/** The guarantee of what a route yields in the end; null if it shows nothing. */
export function keptBy({ steps, asked }: Route): (Kept & { readonly entry: Entry }) | null {
  const output: readonly Entry[] = steps.at(-1)?.output ?? [];
  const entry = output.find(({ key }) => key === asked?.destKey) ?? output[0];
  const slippage = asked?.slippage;
  if (entry?.amount === undefined || slippage === undefined || isPosition(entry)) return null;
  const { amount, minReturn } = entry;
  if (minReturn === undefined || amount < SMALLEST_JUDGED_AMOUNT) return null;
  return { amount, minReturn, slippage, entry };
}

function guaranteeOf(route: Route): Guarantee | null {
  const kept = keptBy(route);
  const reading = kept === null ? undefined : readingOf(kept);
  if (kept === null || reading === undefined) return null;
  return { slippage: kept.slippage, minReturn: String(kept.minReturn), reading };
}

/** The rule that a zap takes its slippage in percent. */
export const zapPercentRule: Rule = percentRule(
  {
    id: 'zap.slippage.in-percent',
    source: 'implied by §1, §2.1 (transaction fails)',
    api: 'zap',
    operations: ROUTED,
  },
  (view) => {
    const route = routeOf(view);
    const kept = route && keptBy(route);
    if (kept === null) return null;
    const { entry, ...rest } = kept;
    return { ...rest, pointer: pointerTo(entry, 'minReturn') };
  },
);

const moreSlippage: ZapRelationRow<Guarantee> = zapRelation({
  id: 'zap.slippage.more-guarantees-no-more',
  level: 'should',
  source: 'implied by §1, §2.1',
  protects: 'Who tolerates more slippage is guaranteed no more.',
  rulesOut: 'A service whose guarantee grows with the slippage that is tolerated.',
  relation: 'slippage',
  ofRoute: guaranteeOf,
  isEvidence: (a, b) => a.slippage !== b.slippage,
  compare: (a, b) => {
    const [less, more] = a.slippage < b.slippage ? [a, b] : [b, a];
    if (BigInt(more.minReturn) <= BigInt(less.minReturn)) return [];
    const expected = `at most ${less.minReturn}, what ${less.slippage} % guarantees`;
    const actual = `${more.minReturn} with ${more.slippage} %`;
    return [{ pointer: '/data/path', expected, actual }];
  },
});

// A service may guarantee more than it was asked to, for a fixed price; one that goes by the tolerance
// asked for goes by any.
const sameReading: ZapRelationRow<Guarantee> = zapRelation({
  id: 'zap.slippage.followed-throughout',
  level: 'should',
  source: 'implied by §1, §2.1',
  protects: 'A guarantee that follows the slippage that was asked for follows every other one.',
  rulesOut: 'A service that caps slippage, or rounds it, if it differs from what was asked.',
  relation: 'slippage',
  ofRoute: guaranteeOf,
  agree: (one, other) => one.reading === other.reading,
  // Who never goes by slippage, for a fixed price, answers as a service that is right or wrong.
  isEvidence: (a, b) =>
    [a.reading, b.reading].includes('as asked') &&
    ![a.reading, b.reading].includes('too small to judge'),
  compare: (a, b) => {
    const [one, other] = a.reading === 'as asked' ? [a, b] : [b, a];
    if (one.reading !== 'as asked' || other.reading !== 'tighter') return [];
    const expected = `the tolerance asked for, ${other.slippage} %, as with ${one.slippage} %`;
    const actual = `a minReturn of ${other.minReturn}, nearer to the amount`;
    return [{ pointer: '/data/path', expected, actual }];
  },
});

const moreIn: ZapRelationRow<string> = zapRelation({
  id: 'zap.amount.more-in-no-less-out',
  level: 'should',
  source: 'implied by §2.1, §2.2',
  protects: 'Twice the amount yields no less.',
  rulesOut: 'A service whose yield falls, or overflows, as the amount grows.',
  relation: 'amount',
  ofRoute: ({ data }) => {
    const amount = baseUnitsOf(data.amountOut);
    return amount === undefined ? null : String(amount);
  },
  compare: (a, b) =>
    BigInt(b) >= BigInt(a)
      ? []
      : [{ pointer: '/data/amountOut', expected: `at least ${a}, as for half`, actual: b }],
});

// Section 2.1: estimateGas is false by default. Only the gas that is reported shows which it was.
const estimateGas: ZapRelationRow<readonly string[]> = zapRelation({
  id: 'zap.estimate-gas.false-by-default',
  level: 'must',
  source: '§2.1',
  protects: 'A build without estimateGas is the build with estimateGas false.',
  rulesOut: 'A service that estimates gas if estimateGas is not given: with true the gas differs.',
  relation: 'estimate-gas',
  // With estimateGas true: if that has the same gas, nothing shows which of the two a build was.
  control: true,
  ofRoute: ({ data }) => {
    const gas = listOf(data.steps).map((step) => member(member(step, 'data'), 'estimatedGas'));
    // What is longer is no gas, and such lists are no steps.
    return gas.length > MAX_STEPS || gas.some(isLarge) ? null : gas.map(String);
  },
  compare: (a, b) =>
    a.join() === b.join()
      ? []
      : [{ pointer: '/data/steps', expected: `gas ${a.join(', ')}`, actual: b.join(', ') }],
  refused: 'a success, as with estimateGas false',
});

type ZapRelationName =
  | 'build'
  | 'idempotencyKey'
  | 'slippage'
  | 'recipient'
  | 'letterCase'
  | 'capitals'
  | 'amount'
  | 'estimateGas';

/** All relations between zap requests, each with its rules. */
export const ZAP_RELATIONS: Readonly<Record<ZapRelationName, readonly ZapRelationRow[]>> = {
  build: [sameRoute, sameApproval, sameYield, noMoreThanQuoted],
  idempotencyKey: [idempotencyKey],
  slippage: [moreSlippage, sameReading, slippageAmount],
  recipient: [recipientAmount],
  letterCase: [letterCase, letterCaseAmount],
  capitals: [capitals],
  amount: [moreIn],
  estimateGas: [estimateGas],
};
