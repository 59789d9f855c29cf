import type { Broken, Judgement, Rule } from '../../../../judging/rule.ts';
import { isGreater } from '../../../../wire/amounts.ts';
import type { Entry } from '../../readings/zap-entry.ts';
import { pointerTo, sumOf } from '../../readings/zap-entry.ts';
import type { Shortfall } from './zap-flow.ts';
import { flowOf, wrappersOf } from './zap-flow.ts';
import type { Asked, Route, Step } from '../../readings/zap-route.ts';
import { onRoute } from './zap-rule.ts';

/** Of an amount this many times what rounding takes, a part that is left out shows. */
const SMALLEST_JUDGED = 10n;

// Section 2.1: `amount` is the amount to swap. A part of it may go to fees before the first step, and
// an integrator's fee, whose place is not shown, may be any part.
function spent(route: Route, asked: Asked): Judgement {
  const { sourceKey, amount } = asked;
  const flow = flowOf(route, asked);
  if (flow === undefined || amount === undefined || sourceKey === undefined) return null;
  const { drawn } = flow;
  if (drawn === 0n) return null;
  const rounding = BigInt(route.steps.length);
  let besides = 0n;
  for (const { fee, dust } of route.steps) {
    const [paid, left] = [sumOf(fee, sourceKey), sumOf(dust, sourceKey)];
    if (paid === undefined || left === undefined) return null;
    besides += paid + left;
  }
  const enough = drawn + besides + rounding >= amount || asked.body.integrator !== undefined;
  if (drawn <= amount + rounding && enough) return amount > SMALLEST_JUDGED * rounding ? [] : null;
  const expected = `the requested ${amount} of srcToken, fees and dust apart`;
  return [{ pointer: '/data/path', expected, actual: `${drawn} taken from the source` }];
}

/** What a route takes more of than there is, rounding apart; undefined if it cannot be followed. */
function shortOf(route: Route, asked: Asked): Shortfall[] | undefined {
  const flow = route.steps.length < 2 ? undefined : flowOf(route, asked);
  const rounding = BigInt(route.steps.length);
  return flow?.shortfalls.filter(
    ({ entry: { amount }, had }) => amount !== undefined && amount > had + rounding,
  );
}

/** Whether a step takes an asset other than the source, and more of it than rounding. */
function isFed({ steps }: Route, { sourceKey }: Asked): boolean {
  const rounding = BigInt(steps.length);
  return steps
    .slice(1)
    .some(({ input }) =>
      input.some(({ key, amount }) => key !== sourceKey && (amount ?? 0n) > rounding),
    );
}

function covered(route: Route, asked: Asked): Judgement {
  const shortfalls = shortOf(route, asked);
  if (shortfalls === undefined) return null;
  // A route that begins elsewhere is short of all that it begins with, which is reported already.
  const first = route.steps.find(({ input }) => input.length > 0);
  if (first?.input.some(({ key }) => key === asked.sourceKey) !== true) return null;
  const broken: Broken[] = [];
  for (const { entry, had } of shortfalls) {
    const expected = `at most ${had}, what earlier steps left of ${entry.key}`;
    const actual = String(entry.amount);
    broken.push({ pointer: pointerTo(entry, 'amount'), expected, actual });
  }
  return broken.length > 0 || isFed(route, asked) ? broken : null;
}

// What a step is guaranteed to yield of an asset that is neither source nor destination, later steps
// take, or it is reported as a fee or as dust: else the user never sees it again.
function used(route: Route, asked: Asked): Judgement {
  const { steps } = route;
  if (steps.length < 2) return null;
  let wrappers: ReadonlyMap<string, string> | undefined;
  let judged = false;
  const broken: Broken[] = [];
  for (const step of steps.slice(0, -1)) {
    for (const entry of step.output) {
      const { key } = entry;
      if (key === undefined || key === asked.sourceKey || key === asked.destKey) continue;
      const guaranteed = entry.minReturn;
      if (guaranteed === undefined) continue;
      if (step.output.some((other) => other !== entry && other.key === key)) continue;
      // A guarantee above the amount is none.
      if (
        guaranteed <= BigInt(steps.length) ||
        isGreater(entry.minReturnText ?? '', entry.amountText ?? '')
      )
        continue;
      judged = true;
      if (isTakenNext(steps[step.index + 1], entry)) continue;
      const taken = takenLater(steps, step.index, key);
      if (taken === undefined || taken + BigInt(steps.length) >= guaranteed) continue;
      wrappers ??= wrappersOf(route);
      if (wrappers.has(key) || [...wrappers.values()].includes(key)) continue;
      const expected = `at least ${guaranteed}, its minReturn, taken by later steps`;
      broken.push({
        pointer: pointerTo(entry),
        expected,
        actual: `${taken} taken, as fee or dust`,
      });
    }
  }
  // If a step takes what is not there, it is that which is wrong.
  if (broken.length > 0 && shortOf(route, asked)?.length !== 0) return null;
  return judged ? broken : null;
}

/** Whether the next step alone takes what is guaranteed, as it mostly does. */
function isTakenNext(next: Step | undefined, { key, minReturnText = '' }: Entry): boolean {
  const input = next?.input[0];
  if (input?.amountText === undefined || input.key !== key) return false;
  return !isGreater(minReturnText, input.amountText);
}

/**
 * Base units of an asset in inputs, fees, dust and last outputs after a step. What the step itself
 * states as fee or dust may be in the output that it states.
 */
function takenLater(steps: readonly Step[], after: number, key: string): bigint | undefined {
  let taken = 0n;
  for (const { index, input, output, fee, dust } of steps) {
    if (index < after) continue;
    const isLater = index > after;
    const isLast = index === steps.length - 1;
    for (const list of [isLater ? input : [], fee, dust, isLater && isLast ? output : []]) {
      const sum = sumOf(list, key);
      if (sum === undefined) return undefined;
      taken += sum;
    }
  }
  return taken;
}

/** Whether a route spends another amount than was asked for, which has a rule of its own. */
export function spendsOther(route: Route, asked: Asked): boolean {
  return (spent(route, asked)?.length ?? 0) > 0;
}

export const pathFlowRules: readonly Rule[] = [
  onRoute({
    id: 'zap.path.spends-amount',
    protects: 'The route spends the amount that was asked for.',
    rulesOut:
      'A service that routes an amount it remembers or rounds: the amount of the request is so large that a percent of it is more than rounding.',
    harm: 'loses money',
    judge: spent,
  }),
  onRoute({
    id: 'zap.path.inputs-covered',
    protects: 'No step takes more than the source and the steps before it give.',
    rulesOut:
      'A service whose later steps take what was sent, not what arrived: some step takes an asset that only a step before it yields.',
    harm: 'transaction fails',
    judge: covered,
  }),
  onRoute({
    id: 'zap.path.outputs-used',
    protects: 'What a step yields for the steps after it does not vanish between them.',
    rulesOut:
      'A service that loses a part between two steps: some step is guaranteed to yield an asset that is neither source nor destination, more of it than rounding.',
    harm: 'loses money',
    judge: used,
  }),
];
