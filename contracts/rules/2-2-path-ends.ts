import type { Broken, Judgement, Rule } from '../rule.ts';
import { exchangeRule } from '../rule.ts';
import type { View } from '../view.ts';
import { isBaseUnits, isMore } from '../wire/amounts.ts';
import { flowOf, wrappersOf } from './zap-flow.ts';
import type { Entry } from './zap-entry.ts';
import { chainOf, isPosition, pointerTo } from './zap-entry.ts';
import type { Asked, Route, Step } from './zap-route.ts';
import { ROUTED, routeOf } from './zap-route.ts';

/** A rule on a route beside the plain request that it answers. */
export function onRoute(
  id: string,
  protects: string,
  judge: (route: Route, asked: Asked) => Judgement,
): Rule {
  return exchangeRule({
    id,
    level: 'should',
    source: 'implied by §2.1, §2.2',
    protects,
    api: 'zap',
    operations: ROUTED,
    answer: 'success',
    leastEvidence: 1,
    judge: (view: View) => {
      const route = routeOf(view);
      if (route?.asked?.isPlain !== true) return null;
      return judge(route, route.asked);
    },
  });
}

function keysOf(entries: readonly Entry[]): string {
  return entries.map(({ key }) => key ?? 'an asset that cannot be read').join(', ') || 'nothing';
}

/** Base units of one asset in all of these entries; undefined where an amount cannot be read. */
function sumOf(entries: readonly Entry[], key: string): bigint | undefined {
  let sum = 0n;
  for (const entry of entries) {
    if (entry.key !== key) continue;
    if (entry.amount === undefined) return undefined;
    sum += entry.amount;
  }
  return sum;
}

// Section 2.2: the path holds the ordered steps of the route, which 2.1 has begin at srcToken.
function firstInput({ steps }: Route, { sourceKey }: Asked): Judgement {
  const first = steps.find(({ input }) => input.length > 0);
  if (first === undefined || sourceKey === undefined) return null;
  if (first.input.some(({ key }) => key === undefined)) return null;
  if (first.input.some(({ key }) => key === sourceKey)) return [];
  const expected = `srcToken on srcChainId, ${sourceKey}`;
  const pointer = `/data/path/${first.index}/input`;
  return [{ pointer, expected, actual: keysOf(first.input) }];
}

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
  if (drawn <= amount + rounding && enough) return [];
  const expected = `the requested ${amount} of srcToken, fees and dust apart`;
  return [{ pointer: '/data/path', expected, actual: `${drawn} taken from the source` }];
}

function covered(route: Route, asked: Asked): Judgement {
  const flow = route.steps.length < 2 ? undefined : flowOf(route, asked);
  if (flow === undefined) return null;
  const rounding = BigInt(route.steps.length);
  const broken: Broken[] = [];
  for (const { entry, had } of flow.shortfalls) {
    if (entry.amount === undefined || entry.amount <= had + rounding) continue;
    const expected = `at most ${had}, what earlier steps left of ${entry.key}`;
    const actual = String(entry.amount);
    broken.push({ pointer: pointerTo(entry, 'amount'), expected, actual });
  }
  return broken;
}

// What a step is guaranteed to yield of an asset that is neither source nor destination, later steps
// take, or it is told as a fee or as dust: else the user never sees it again.
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
  return judged ? broken : null;
}

/** Whether the next step alone takes what is guaranteed, as it mostly does. */
function isTakenNext(next: Step | undefined, { key, minReturnText = '' }: Entry): boolean {
  const input = next?.input[0];
  if (input?.amountText === undefined || input.key !== key) return false;
  return !isMore(minReturnText, input.amountText);
}

/**
 * Base units of an asset in inputs, fees, dust and last outputs after a step. What the step itself
 * tells as fee or dust may be in the output that it tells.
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

function crosses({ input, output }: Step): boolean {
  const [from, to] = [input[0]?.key, output[0]?.key];
  return from !== undefined && to !== undefined && chainOf(from) !== chainOf(to);
}

// The route ends in destToken. What a deposit yields may be told by another address than what it goes
// into, such as a position by that of its manager; it is on destChainId all the same.
function lastOutput({ steps }: Route, { destKey }: Asked): Judgement {
  const last = steps.findLast(({ output }) => output.length > 0);
  if (last === undefined || destKey === undefined) return null;
  const { output, action, index } = last;
  if (output.some(({ key }) => key === undefined)) return null;
  if (output.some(({ key }) => key === destKey)) return [];
  const pointer = `/data/path/${index}/output`;
  const actual = keysOf(output);
  const chain = chainOf(destKey);
  if (output.every(({ key }) => key !== undefined && chainOf(key) !== chain)) {
    return [{ pointer, expected: `an asset on destChainId ${chain}`, actual }];
  }
  if ((action !== 'swap' && !crosses(last)) || output.some(isPosition)) return null;
  return [{ pointer, expected: `destToken on destChainId, ${destKey}`, actual }];
}

/** The entries that a route yields in the end; none where they cannot be told. */
function yieldsOf({ steps }: Route, destKey: string): readonly Entry[] {
  const output = steps.at(-1)?.output ?? [];
  const named = output.filter(({ key }) => key === destKey);
  if (named.length > 0) return named;
  return output.length === 1 ? output : [];
}

// Section 2.2: amountOut is the output amount. Where steps run side by side it is what they yield
// together; fees may be taken from it at the end.
function amountOutFaults(route: Route, { destKey }: Asked): Judgement {
  const text = route.data.amountOut;
  if (!isBaseUnits(text) || destKey === undefined) return null;
  const yielded = yieldsOf(route, destKey);
  const key = yielded[0]?.key;
  if (key === undefined || yielded.some(isPosition)) return null;
  if (yielded.length === 1 && yielded[0]?.amountText === text) return [];
  const stated = BigInt(text);
  const last = sumOf(yielded, key);
  if (last === undefined) return null;
  if (stated === last) return [];
  let all = 0n;
  let fees = 0n;
  for (const { input, output, fee } of route.steps) {
    const [given, taken, paid] = [sumOf(output, key), sumOf(input, key), sumOf(fee, key)];
    if (given === undefined || taken === undefined || paid === undefined) return null;
    all += given - taken;
    fees += paid;
  }
  const most = all > last ? all : last;
  if (stated === all || (fees > 0n && stated < most && stated + fees >= last)) return [];
  const expected = `what the path yields of ${key}, ${last}`;
  return [{ pointer: '/data/amountOut', expected, actual: String(stated) }];
}

export const pathEndRules: readonly Rule[] = [
  onRoute(
    'zap.path.starts-at-source',
    'The route starts with the token that is spent.',
    firstInput,
  ),
  onRoute('zap.path.spends-amount', 'The route spends the amount that was asked for.', spent),
  onRoute(
    'zap.path.inputs-covered',
    'No step takes more than the source and the steps before it give.',
    covered,
  ),
  onRoute(
    'zap.path.outputs-used',
    'What a step yields for the steps after it does not vanish between them.',
    used,
  ),
  onRoute(
    'zap.path.ends-at-destination',
    'The route ends with the token, and on the chain, that was asked for.',
    lastOutput,
  ),
  onRoute(
    'zap.amount-out.is-path-output',
    'The output amount is what the last step yields.',
    amountOutFaults,
  ),
];
