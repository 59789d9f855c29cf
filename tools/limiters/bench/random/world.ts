/** A world of one random service on a clock on which waiting takes no time. */

import type { ProbeEvent, ProbeWorld } from '../../../../load/limits/index.ts';
import { createEventClock } from '../../../../fixtures/clocks/event-clock.ts';
import { announcedWait } from '../../../../fixtures/known-limiters/announced-wait.ts';
import { chanceOf } from '../../../../fixtures/known-limiters/chance.ts';
import type { RandomService } from './draw.ts';

/** How late a timer is at most, ms. */
const LATE_MS = 2;

/** A world, and what only its maker knows. */
export interface RandomWorld extends ProbeWorld {
  /** Whether the outer of two limits rejected a request that the inner one admitted. */
  readonly metOuter: () => boolean;
}

/** The service as a probe meets it; the same service behaves alike each time it is made and probed. */
export function worldOf(service: RandomService): RandomWorld {
  const { limiter, latencyMs, jitterMs, busyMs, clockRate, clockStepMs } = service;
  const clock = createEventClock(0);
  const { uniform, happens } = chanceOf(service.seed ^ 0x5bd1e995);
  // The way there and the way back are as long for all, except for the jitter of each.
  const there = 0.2 + 0.6 * uniform();
  const jitter = (): number => -Math.log(1 - uniform()) * (jitterMs / 2);
  const serviceMs = (): number => {
    const ms = clock.nowMs() * clockRate;
    return clockStepMs > 0 ? Math.floor(ms / clockStepMs) * clockStepMs : ms;
  };
  let metOuter = false;
  const send = async (): Promise<ProbeEvent> => {
    const sentMs = clock.nowMs();
    const backMs = latencyMs * (1 - there) + jitter();
    const isFailing = happens(service.failing);
    await clock.sleep(latencyMs * there + jitter());
    const event = (outcome: ProbeEvent['outcome'], wait?: number): ProbeEvent => ({
      sentMs,
      receivedMs: clock.nowMs(),
      outcome,
      ...(wait === undefined ? {} : { retryAfterSeconds: wait }),
    });
    if (isFailing && !service.countsFailures) {
      await clock.sleep(backMs);
      return event('failed');
    }
    const atMs = serviceMs();
    const { admitted, waitMs, delayMs = 0, byOuter } = limiter.decide(atMs, atMs + busyMs);
    metOuter ||= byOuter === true;
    if (!admitted) {
      await clock.sleep(backMs);
      return event('rejected', announcedWait(service.waits, waitMs, service.truth.seconds));
    }
    await clock.sleep(delayMs + busyMs + backMs);
    return event(isFailing ? 'failed' : 'admitted');
  };
  return {
    send,
    metOuter: () => metOuter,
    nowMs: () => clock.nowMs(),
    sleepMs: (ms, signal) => clock.sleep(ms + LATE_MS * uniform(), signal).catch(() => undefined),
  };
}
