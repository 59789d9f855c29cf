import { expect, test } from 'vitest';
import { classesOf } from '../estimate/estimate.ts';
import { weighed } from '../estimate/posterior.ts';
import { fixedWindow } from '../simulated/limiters.testkit.ts';
import type { ProbeEvent } from '../transcript.ts';
import { askAsAnnounced } from './before-naming.ts';
import { DEFAULT_BUDGET } from './plan.ts';
import { beginProbe, observed, type ProbePlan } from './probe-plan.ts';

const NOW_MS = 20_400;

/** A window of 5 in 10 s that was used up three times, and that says these waits as it rejects, s. */
function usedUp(waits: readonly number[]): ProbePlan {
  const limiter = fixedWindow(5, 10_000);
  const first = [0, 100, 110, 120, 130, 140, 9990];
  const second = [10_010, 10_020, 10_030, 10_040, 10_050, 10_060, 20_000];
  const third = [20_020, 20_030, 20_040, 20_050, 20_060, 20_070, 20_300];
  let rejected = 0;
  return [...first, ...second, ...third].reduce((plan, ms) => {
    const { admitted } = limiter.decide(ms, ms);
    const wait = admitted ? undefined : waits[rejected];
    if (!admitted) rejected += 1;
    const event: ProbeEvent = {
      ...{ sentMs: ms - 1, receivedMs: ms + 1 },
      outcome: admitted ? 'admitted' : 'rejected',
      ...(wait === undefined ? {} : { retryAfterSeconds: wait }),
    };
    return observed(plan, [event]);
  }, beginProbe(DEFAULT_BUDGET));
}

/** What is said first, and is true. */
const TRUE = [9.87, 0.02, 9.95, 0.02];

/** When it is asked as announced, before the likeliest class is named; null where it is not. */
function announcedMs(before: ProbePlan): number | null {
  const plan = { ...before, posterior: weighed(before.posterior) };
  const [best] = classesOf(plan.posterior);
  expect([best?.class, best?.limit.value]).toEqual(['fixed-window', 5]);
  const next = best === undefined ? null : askAsAnnounced(plan, best, NOW_MS);
  return next === null || next[1].kind === 'stop' ? null : next[1].waitUntilMs;
}

test('an announcement that the class cannot keep is tried before that is named', () => {
  const announced = announcedMs(usedUp([...TRUE, 4.95, 4.72]));
  expect(announced).toBeGreaterThan(25_000);
  expect(announced).toBeLessThan(25_100);
});

test('also where no wait was ever seen to fall, as long as none was too short', () => {
  expect(announcedMs(usedUp([9.87, 0, 9.95, 0, 4.95, 4.72]))).toBeLessThan(25_100);
  expect(announcedMs(usedUp([2, 0, 9.95, 0, 4.95, 4.72]))).toBeNull();
});

test('one that says what the class says is not tried again, and neither is one without a wait', () => {
  expect(announcedMs(usedUp([...TRUE, 9.95, 9.72]))).toBeNull();
  expect(announcedMs(usedUp([]))).toBeNull();
});

test('what was refuted by the next request is not followed', () => {
  expect(announcedMs(usedUp([...TRUE, 0.1, 4.72]))).toBeNull();
});
