import { isObject, member } from '../../../wire/json.ts';
import type { View } from '../../../judging/view.ts';
import { baseUnitsOf } from '../../../wire/amounts.ts';
import type { FieldRow } from './excluded-values.ts';
import { poolsOf } from '../readings/pool-list.ts';
import { answeredIn, buildOf } from '../readings/trade-build.ts';
import { routeOf } from '../readings/zap-route.ts';
import type { Entry } from '../readings/zap-entry.ts';

/** What an answer shows of how its request was read; undefined if it does not show it. */
export interface Reading {
  /** Chains and tokens from where to where. */
  readonly ends?: string;
  /** What goes in, or what comes out where that is all that is shown. Base units. */
  readonly amount?: bigint;
  /** What is given of what is expected, from 0 to 1, by the tolerance. */
  readonly kept?: number;
  readonly gasless?: boolean;
}

/** Whether a request was served: 2xx with what the operation answers, and no status of an error. */
export function isTaken(view: View): boolean {
  const { json } = view;
  if (!view.succeeded || !isObject(json)) return false;
  if (json.status !== undefined && json.status !== 'success') return false;
  switch (view.operation?.id) {
    case 'zap.pools':
      return poolsOf(json) !== undefined;
    case 'trade.build-tx':
      return isObject(json.transaction) || isObject(json.quotes);
    default:
      return isObject(json.data) ? Object.keys(json.data).length > 0 : Array.isArray(json.data);
  }
}

/** How the request of an answer was read. */
export function requestReadingOf(view: View): Reading {
  return view.operation?.id === 'trade.build-tx' ? tradeReading(view) : zapReading(view);
}

function zapReading(view: View): Reading {
  const route = routeOf(view);
  const inputs = route?.steps[0]?.input ?? [];
  const outputs = route?.steps.at(-1)?.output ?? [];
  if (inputs.length === 0 || outputs.length === 0) return {};
  const [source, destination] = [inputs, outputs].map(keysOf);
  // A route may spend its source in several steps, and divide it differently each time.
  const sources = new Set(inputs.map(({ key }) => key));
  const spent = route?.steps.flatMap(({ input }) => input.filter(({ key }) => sources.has(key)));
  const amount = sumOf(spent ?? []);
  const kept = outputs.find(
    ({ amount: outputAmount, minReturn }) => outputAmount !== undefined && minReturn !== undefined,
  );
  return {
    ...(source && destination ? { ends: `${source} > ${destination}` } : {}),
    ...(amount === undefined ? {} : { amount }),
    ...keptOf(kept?.amount, kept?.minReturn),
  };
}

function keysOf(entries: readonly Entry[]): string | undefined {
  const keys = entries.map(({ key }) => key);
  return keys.includes(undefined) ? undefined : [...new Set(keys)].sort().join('+');
}

function sumOf(entries: readonly Entry[]): bigint | undefined {
  let sum = 0n;
  for (const { amount } of entries) {
    if (amount === undefined) return undefined;
    sum += amount;
  }
  return sum;
}

function tradeReading(view: View): Reading {
  const gasless = member(view.json, 'gasless');
  const reported = typeof gasless === 'boolean' ? { gasless } : {};
  const build = buildOf(view);
  const keys = build?.quotes?.map(({ key }) => key);
  const [quote] = build?.quotes ?? [];
  // The request may be one that nobody can read, so its entries are of no help.
  const summary = (build && answeredIn(build)[0]?.summary) ?? quote?.summary;
  const amount = baseUnitsOf(member(summary, 'destAmount'));
  return {
    ...reported,
    ...(keys === undefined || keys.includes(undefined) ? {} : { ends: keys.sort().join(' ') }),
    ...(amount === undefined ? {} : { amount }),
    ...keptOf(amount, baseUnitsOf(member(summary, 'minDestAmount'))),
  };
}

function keptOf(amount: bigint | undefined, least: bigint | undefined): Pick<Reading, 'kept'> {
  if (amount === undefined || least === undefined || amount <= 0n) return {};
  return { kept: Number((least * 1_000_000_000n) / amount) / 1e9 };
}

/** An amount that is read as another one differs by far more; markets move by less. */
const MAX_TIMES = 2n;
/** Two guarantees differ by less through rounding, if so much of the tolerance is distinguished. */
const OF_TOLERANCE = 0.05;
const ROUNDING = 1e-6;

/**
 * Where an answer shows that a field was read differently than in another request, in words. Only what
 * the field governs is looked at: the rest may move between two requests.
 */
export function differenceOf(
  kind: FieldRow['kind'],
  plain: Reading,
  other: Reading,
): string | undefined {
  switch (kind) {
    case 'chain':
      return differs(plain.ends, other.ends)
        ? `a way from ${other.ends} in place of ${plain.ends}`
        : undefined;
    case 'boolean':
      return differs(plain.gasless, other.gasless)
        ? `gasless ${other.gasless} in place of ${plain.gasless}`
        : undefined;
    case 'amount':
      return isFar(plain.amount, other.amount)
        ? `an amount of ${other.amount} in place of ${plain.amount}`
        : undefined;
    case 'percent':
      return isOtherTolerance(plain.kept, other.kept)
        ? `a guarantee of ${percent(other.kept)} in place of ${percent(plain.kept)} of what is expected`
        : undefined;
    default:
      return undefined;
  }
}

function differs<T>(one: T | undefined, other: T | undefined): boolean {
  return one !== undefined && other !== undefined && one !== other;
}

function isOtherTolerance(plain: number | undefined, other: number | undefined): boolean {
  if (plain === undefined || other === undefined) return false;
  return Math.abs(plain - other) > ROUNDING + (1 - plain) * OF_TOLERANCE;
}

function isFar(one: bigint | undefined, other: bigint | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  return one > other * MAX_TIMES || other > one * MAX_TIMES;
}

function percent(part = 0): string {
  return `${Number((part * 100).toFixed(4))} %`;
}
