import { firstOf } from '../../scenarios/schedule.ts';
import type { FlightPlan } from '../sending/flight.ts';
import type { ReadyRequest } from '../sending/ready-request.ts';

/** A request that will be sent again. */
export interface ComeBack {
  readonly plan: FlightPlan;
  /** As it was sent before, its Idempotency-Key too. */
  readonly ready: ReadyRequest;
}

/** Those that wait; many of them at the same time is what a herd is. */
export class ComeBacks {
  /** By due time; of equal ones the earlier slot first. */
  readonly #waiting: ComeBack[] = [];

  get nextDueMs(): number {
    return this.#waiting[0]?.plan.dueMs ?? Infinity;
  }

  add(one: ComeBack): void {
    const { dueMs, slot } = one.plan;
    const place = firstOf(this.#waiting.length, (at) => {
      const { plan = one.plan } = this.#waiting[at] ?? {};
      return plan.dueMs > dueMs || (plan.dueMs === dueMs && plan.slot > slot);
    });
    this.#waiting.splice(place, 0, one);
  }

  /** Takes the next one off; undefined where none waits. */
  take(): ComeBack | undefined {
    return this.#waiting.shift();
  }

  clear(): void {
    this.#waiting.length = 0;
  }
}
