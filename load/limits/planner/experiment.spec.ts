import { expect, test } from 'vitest';
import { bestExperiment, kindOf, type Costs } from './experiment.ts';
import type { Hypothesis } from './hypotheses.ts';
import { windowAhead } from '../models/ahead.ts';

/** A window of 10 that is used up, and ends then. */
function window(endMs: number, probability: number): Hypothesis {
  const rest = { limit: 10, windowMs: 1000, left: 0, onReject: 'nothing' } as const;
  const ahead = windowAhead({ ...rest, endMs });
  return { answer: `ends at ${endMs}`, probability, limit: 10, windowMs: 1000, ahead };
}

const costs: Costs = {
  nowMs: 0,
  slackMs: 5,
  perWindow: 2,
  windowMs: 1000,
  made: new Map(),
  isIdle: () => false,
  most: 100,
  reportsHold: false,
};

test('between two windows, one request is sent when one of them is over and the other is not', () => {
  const best = bestExperiment([window(300, 0.5), window(900, 0.5)], costs);
  expect(kindOf(best?.steps ?? [])).toBe('1');
  expect(best?.steps[0]?.atMs).toBeGreaterThan(300);
  expect(best?.steps[0]?.atMs).toBeLessThan(900);
  expect(best?.bits).toBeCloseTo(1);
});

test('where all agree there is nothing to learn', () => {
  expect(bestExperiment([window(300, 1)], costs)?.bits ?? 0).toBeCloseTo(0);
});

test('what told nothing is not tried again: the next best is', () => {
  const all = [window(300, 0.5), window(900, 0.5)];
  const best = bestExperiment(all, { ...costs, isIdle: (name) => name.startsWith('1 ') });
  expect(kindOf(best?.steps ?? [])).not.toBe('1');
  expect(best?.bits).toBeGreaterThan(0.5);
  expect(bestExperiment(all, { ...costs, isIdle: () => true })).toBeNull();
});

test('a burst that the budget does not allow is not begun', () => {
  const full = (limit: number): Hypothesis => {
    const rest = { limit, windowMs: 1000, endMs: -Infinity, left: 0, onReject: 'nothing' } as const;
    return {
      answer: `${limit}`,
      probability: 0.5,
      limit,
      windowMs: 1000,
      ahead: windowAhead(rest),
    };
  };
  const tells = bestExperiment([full(10), full(12)], costs);
  expect(tells?.bits).toBeCloseTo(1);
  expect(bestExperiment([full(10), full(12)], { ...costs, most: 5 })?.bits ?? 0).toBeLessThan(0.5);
});

test('where the service says what is left, one request does for a burst', () => {
  const half = (limit: number): Hypothesis => {
    const rest = { limit, windowMs: 1000, endMs: -Infinity, left: 0, onReject: 'nothing' } as const;
    return {
      answer: `${limit}`,
      probability: 0.5,
      limit,
      windowMs: 1000,
      ahead: windowAhead(rest),
    };
  };
  const best = bestExperiment([half(10), half(12)], { ...costs, reportsHold: true });
  expect(['1', '2']).toContain(kindOf(best?.steps ?? []));
  expect(best?.bits).toBeCloseTo(1);
});

test('more than one hypothesis admits, and far fewer than the other: so many tell them apart', () => {
  const open = (answer: string, left: number): Hypothesis => {
    const rest = { limit: 100, windowMs: 1000, endMs: 1e6, left, onReject: 'nothing' } as const;
    return { answer, probability: 0.5, limit: 100, windowMs: 1000, ahead: windowAhead(rest) };
  };
  const best = bestExperiment([open('a few', 4), open('all', 100)], costs);
  expect(best?.steps).toEqual([{ atMs: 0, count: 9, together: true }]);
  expect(kindOf(best?.steps ?? [])).toBe('some');
  expect(best?.bits).toBeCloseTo(1);
  // Between hardly more and all, a burst is needed.
  const close = bestExperiment([open('most', 60), open('all', 100)], costs);
  expect(kindOf(close?.steps ?? [])).not.toContain('some');
  expect(close?.bits).toBeCloseTo(1);
});
