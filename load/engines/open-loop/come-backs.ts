import type { FlightPlan } from '../sending/flight.ts';
import type { ReadyRequest } from '../sending/ready-request.ts';

/** A request that will be sent again. */
export interface ComeBack {
  readonly plan: FlightPlan;
  /** As it was sent before, its Idempotency-Key too. */
  readonly ready: ReadyRequest;
}

/** Those that wait, the next one first; many of them at the same time is what a herd is. */
export class ComeBacks {
  /** A binary heap by due time; of equal ones the earlier slot. */
  readonly #heap: ComeBack[] = [];

  get size(): number {
    return this.#heap.length;
  }

  get nextDueMs(): number {
    return this.#heap[0]?.plan.dueMs ?? Infinity;
  }

  add(one: ComeBack): void {
    const heap = this.#heap;
    let at = heap.push(one) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = heap[parent];
      if (above === undefined || !isBefore(one, above)) break;
      heap[at] = above;
      at = parent;
    }
    heap[at] = one;
  }

  /** Takes the next one off; undefined where none waits. */
  take(): ComeBack | undefined {
    const heap = this.#heap;
    const [first, last] = [heap[0], heap.pop()];
    if (last === undefined || heap.length === 0) return first;
    let at = 0;
    for (let child = 1; child < heap.length; child = 2 * at + 1) {
      const [left, right] = [heap[child], heap[child + 1]];
      if (left === undefined) break;
      const least = right !== undefined && isBefore(right, left) ? right : left;
      if (!isBefore(least, last)) break;
      heap[at] = least;
      at = least === left ? child : child + 1;
    }
    heap[at] = last;
    return first;
  }

  clear(): void {
    this.#heap.length = 0;
  }
}

function isBefore(a: ComeBack, b: ComeBack): boolean {
  const [one, other] = [a.plan, b.plan];
  return one.dueMs < other.dueMs || (one.dueMs === other.dueMs && one.slot < other.slot);
}
