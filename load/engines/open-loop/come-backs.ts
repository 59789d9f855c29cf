import type { PendingRequestPlan } from '../sending/pending-request.ts';
import type { ReadyRequest } from '../sending/ready-request.ts';

/** A request that will be sent again. */
export interface ComeBack {
  readonly plan: PendingRequestPlan;
  /** As it was sent before, its Idempotency-Key too. */
  readonly ready: ReadyRequest;
}

/** By due time; of equal ones the earlier slot first. */
function isBefore({ plan: a }: ComeBack, { plan: b }: ComeBack): boolean {
  return a.dueMs < b.dueMs || (a.dueMs === b.dueMs && a.slot < b.slot);
}

/** Those that wait; many of them at the same time is what a herd is, and each costs the logarithm of them. */
export class ComeBacks {
  /** A heap: none is before the one at half its place. */
  readonly #waiting: ComeBack[] = [];

  get nextDueMs(): number {
    return this.#waiting[0]?.plan.dueMs ?? Infinity;
  }

  add(one: ComeBack): void {
    let at = this.#waiting.length;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const other = this.#waiting[above];
      if (other === undefined || !isBefore(one, other)) break;
      this.#waiting[at] = other;
      at = above;
    }
    this.#waiting[at] = one;
  }

  /** Takes the next one off; undefined if none waits. */
  take(): ComeBack | undefined {
    const [first] = this.#waiting;
    const last = this.#waiting.pop();
    if (last !== undefined && this.#waiting.length > 0) this.#sink(last);
    return first;
  }

  /** Puts one in the place of the first. */
  #sink(one: ComeBack): void {
    const all = this.#waiting;
    for (let at = 0; ;) {
      const [left, right] = [all[2 * at + 1], all[2 * at + 2]];
      const isRight = left !== undefined && right !== undefined && isBefore(right, left);
      const next = isRight ? right : left;
      if (next === undefined || !isBefore(next, one)) {
        all[at] = one;
        return;
      }
      all[at] = next;
      at = 2 * at + (isRight ? 2 : 1);
    }
  }

  clear(): void {
    this.#waiting.length = 0;
  }
}
