import { describe, expect, test } from 'vitest';
import { stacked as followedBy, stackOf, weighedStack, type Stack } from '../estimate/stacked.ts';
import { knownOuter } from '../estimate/two-limits.ts';
import { fixedWindow, slidingLog, stacked } from '../simulated/limiters.testkit.ts';
import { simulate } from '../simulated/simulation.testkit.ts';
import type { ProbeEvent, Transcript } from '../transcript.ts';
import { nextOfStack } from './stack-plan.ts';

const service = { seed: 1, roundTripMs: 2, jitterMs: 0.3, retryAfter: 'none' } as const;
const INNER_MS = 2000;
/** So far apart neither of the two is reached. */
const SPACING_MS = 400;
/** Of so many events one is looked at. */
const EACH = 4;

/** What was asked of 8 in 2 s, as a log, within 24 in 9 s, and where in it two limits are thought of. */
const ASKED = asked();
async function asked(): Promise<{ transcript: Transcript; begins: number }> {
  const limiter = stacked(slidingLog(8, INNER_MS), fixedWindow(24, 9000));
  const { transcript } = await simulate({ ...service, limiter });
  const { events } = transcript;
  const begins = events.findIndex((_, at) => stackOf(upTo(transcript, at + 1)) !== null);
  return { transcript, begins };
}

function upTo(transcript: Transcript, count: number): Transcript {
  return { ...transcript, events: transcript.events.slice(0, count) };
}

describe('of two limits', () => {
  test('the inner one never has more to count than it admits, until the outer one is known', async () => {
    const { transcript, begins } = await ASKED;
    expect(begins).toBeGreaterThan(0);
    const { events } = transcript;
    const isKnown = (at: number): boolean => {
      const stack = at > begins ? stackOf(upTo(transcript, at)) : null;
      return stack !== null && knownOuter(weighedStack(stack)) !== null;
    };
    // Each look follows all events anew; the first at which it is known comes after the last at which it is not.
    const looks = events.map((_, at) => at).filter((at) => (at - begins) % EACH === 0);
    const known = looks.find(isKnown);
    const until = known === undefined ? events.length : known - EACH + 1;
    expect(until).toBeGreaterThan(begins + 8);
    const sent = events.slice(begins + 1, until).map(({ sentMs }) => sentMs);
    for (const [at, ms] of sent.entries()) {
      const before = sent[at - 8];
      if (before !== undefined) expect(ms - before).toBeGreaterThan(INNER_MS);
    }
  });

  test('it is given up once far more were let in, one after another, than the outer one ever let in', async () => {
    const next = await afterMore();
    expect([next(20)[0].kind, next(100)[0].kind]).toEqual(['send', 'stop']);
  });

  test('what goes on alike keeps below the inner one too, and is few of all requests', async () => {
    const next = await afterMore();
    const [action, alike] = next(72);
    if (action.kind !== 'send') throw new Error('nothing is sent');
    expect([alike[0]?.atMs, alike[0]?.count]).toEqual([action.waitUntilMs, 1]);
    expect(alike.length).toBeGreaterThan(1);
    expect(alike.length).toBeLessThan(6);
    for (const [at, { atMs, count }] of alike.entries()) {
      expect(count).toBe(1);
      const before = alike[at - 1];
      if (before !== undefined) expect(atMs - before.atMs).toBeGreaterThan(INNER_MS / 8);
    }
  });
});

/** What is next once so many more were let in, one after another, since two limits were thought of. */
async function afterMore(): Promise<(count: number) => ReturnType<typeof nextOfStack>> {
  const { transcript, begins } = await ASKED;
  const until = upTo(transcript, begins + 1);
  const lastMs = until.events.at(-1)?.receivedMs ?? 0;
  const more = Array.from({ length: 100 }, (_, index): ProbeEvent => {
    const sentMs = lastMs + SPACING_MS * (index + 1);
    return { sentMs, receivedMs: sentMs + 2, outcome: 'admitted', burst: 1000 + index };
  });
  const begun = stackOf(until);
  return (count) => {
    const since = more.slice(0, count);
    const stack = since.reduce<Stack | null>((now, one) => now && followedBy(now, [one]), begun);
    if (stack === null) throw new Error('there is no stack');
    const all = { ...transcript, events: [...until.events, ...since] };
    return nextOfStack(weighedStack(stack), all, lastMs + SPACING_MS * count, 2);
  };
}
