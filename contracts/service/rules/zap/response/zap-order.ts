import type { Memo } from '../../../../judging/view.ts';
import { memoOf } from '../../../../judging/view.ts';
import type { Entry } from '../../readings/zap-entry.ts';
import { isNativeKey } from '../../readings/zap-entry.ts';
import { chainFlow, wrappersOf } from './zap-flow.ts';
import type { Asked, Route, Step } from '../../readings/zap-route.ts';
import { routeOf } from '../../readings/zap-route.ts';

/** A step that stands before the one that yields what it takes. */
export interface Misplaced {
  readonly entry: Entry;
  /** The index of the step that yields it. */
  readonly feeder: number;
}

/** What the order of the steps of a route shows. */
export interface Order {
  /** Undefined if every step stands behind those that it takes from. */
  readonly misplaced: Misplaced | undefined;
}

/** Routes of more steps are not looked at: each is compared with all others. */
const MAX_ORDERED = 64;

/** What the order of the steps shows, of an answer to a request about tokens alone. */
export const ORDER: Memo<Order | null> = memoOf((view) => {
  const route = routeOf(view);
  return route?.asked?.isPlain === true ? orderOf(route, route.asked) : null;
});

/**
 * Whether the steps of a route stand in an order in which they can be done. They do not only if
 * another order feeds each of them: what no order feeds is short of something, which is another
 * matter.
 *
 * @returns null if no step takes what another one yields, or an amount cannot be read
 */
export function orderOf(route: Route, asked: Asked): Order | null {
  const { steps } = route;
  const { sourceKey } = asked;
  if (steps.length < 2 || steps.length > MAX_ORDERED || sourceKey === undefined) return null;
  if (chainFlow(route, asked) !== undefined) {
    // Each step is fed by the one before it, unless all take the source itself.
    return steps.some(({ input }) => input[0]?.key !== sourceKey) ? IN_ORDER : null;
  }
  return orderOfAny(route, sourceKey);
}

/** What {@link orderOf} says, of a route of any form. */
export function orderOfAny(route: Route, sourceKey: string): Order | null {
  const { steps } = route;
  if (!steps.every(isReadable)) return null;
  const strict = new Feeding(steps, sourceKey, undefined);
  if (!strict.isLinked()) return null;
  if (strict.firstUnfed() === undefined) return IN_ORDER;
  const aliases = wrappersOf(route);
  const feeding = aliases.size === 0 ? strict : new Feeding(steps, sourceKey, aliases);
  const unfed = feeding.firstUnfed();
  if (unfed === undefined || !feeding.canBeOrdered()) return IN_ORDER;
  const feeder = feeding.feederAfter(unfed);
  return feeder === undefined ? IN_ORDER : { misplaced: { entry: unfed, feeder } };
}

const IN_ORDER: Order = { misplaced: undefined };

function isReadable({ input, output, dust }: Step): boolean {
  return areReadable(input) && areReadable(output) && areReadable(dust);
}

function areReadable(entries: readonly Entry[]): boolean {
  for (const { key, amountText } of entries) {
    if (key === undefined || amountText === undefined) return false;
  }
  return true;
}

/** What steps take from the source and from each other. */
class Feeding {
  readonly #steps: readonly Step[];
  readonly #source: string;
  readonly #aliases: ReadonlyMap<string, string> | undefined;
  /** What some step yields. */
  readonly #yielded: ReadonlySet<string>;
  readonly #rounding: bigint;

  constructor(
    steps: readonly Step[],
    source: string,
    aliases: ReadonlyMap<string, string> | undefined,
  ) {
    this.#steps = steps;
    this.#aliases = aliases;
    this.#source = aliases?.get(source) ?? source;
    this.#rounding = BigInt(steps.length);
    const yielded = new Set<string>();
    for (const { output } of steps) for (const one of output) yielded.add(this.#keyOf(one));
    this.#yielded = yielded;
  }

  #keyOf({ key = '' }: Entry): string {
    return this.#aliases?.get(key) ?? key;
  }

  /** Whether any step takes what only another one yields. */
  isLinked(): boolean {
    return this.#steps.some(({ input }) =>
      input.some((entry) => {
        const key = this.#keyOf(entry);
        return key !== this.#source && this.#yielded.has(key);
      }),
    );
  }

  /** The first input for which the steps before its own have not yielded enough. */
  firstUnfed(): Entry | undefined {
    const held = new Map<string, bigint>();
    for (const step of this.#steps) {
      const unfed = this.#unfedOf(step, held);
      if (unfed !== undefined) return unfed;
      this.#take(step, held);
    }
    return undefined;
  }

  /** Whether all steps can be done in some order. */
  canBeOrdered(): boolean {
    const held = new Map<string, bigint>();
    const left = new Set(this.#steps);
    for (;;) {
      const next = [...left].find((step) => this.#unfedOf(step, held) === undefined);
      if (next === undefined) return left.size === 0;
      this.#take(next, held);
      left.delete(next);
    }
  }

  /** The first step behind an input's own that yields what it takes. */
  feederAfter(entry: Entry): number | undefined {
    return this.#steps.find(
      ({ index, output }) =>
        index > entry.step && output.some((one) => this.#keyOf(one) === this.#keyOf(entry)),
    )?.index;
  }

  #unfedOf({ input }: Step, held: ReadonlyMap<string, bigint>): Entry | undefined {
    for (const entry of input) {
      const key = this.#keyOf(entry);
      if (key === this.#source) continue;
      // A bridge may take a fee for its message in the native token beside what it carries.
      if (input.length > 1 && isNativeKey(entry.key) && !this.#yielded.has(key)) continue;
      const had = held.get(key);
      if (had === undefined || had + this.#rounding < (entry.amount ?? 0n)) return entry;
    }
    return undefined;
  }

  #take({ input, output, dust }: Step, held: Map<string, bigint>): void {
    for (const entry of input) {
      const key = this.#keyOf(entry);
      const [had, taken] = [held.get(key), entry.amount ?? 0n];
      if (had !== undefined) held.set(key, had > taken ? had - taken : 0n);
    }
    for (const entry of output) this.#give(entry, held);
    for (const entry of dust) this.#give(entry, held);
  }

  #give(entry: Entry, held: Map<string, bigint>): void {
    const key = this.#keyOf(entry);
    held.set(key, (held.get(key) ?? 0n) + (entry.amount ?? 0n));
  }
}
