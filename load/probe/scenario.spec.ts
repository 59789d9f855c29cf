import { describe, expect, test } from 'vitest';
import { dripping, sceneOf, TEN, type Decides } from './exhausted.testkit.ts';
import { pacingPlan, runScenario } from './scenario.ts';

const BUCKET = {
  verdict: 'identified',
  algorithms: ['token-bucket'],
  limit: 20,
  burst: 20,
  windowSeconds: 10,
  refillPerSecond: 2,
} as const;

/** What becomes of the client where the limit decides so. */
async function paced(decides: Decides): Promise<{
  readonly scenario: Awaited<ReturnType<typeof runScenario>>['scenario'];
  readonly gapsMs: readonly number[];
}> {
  const { probed, probing } = sceneOf({ decides, estimate: BUCKET });
  const plan = pacingPlan(probed);
  if (plan === null) throw new Error('there is a rate');
  const run = await runScenario(probed, plan, probing);
  const sentMs = run.paced.map((reported) => reported.sentMs);
  const gapsMs = sentMs.slice(1).map((ms, at) => ms - (sentMs[at] ?? 0));
  return { scenario: run.scenario, gapsMs };
}

test('a client asks for a little less than was measured, a window of it or ten', () => {
  const planOf = (estimate: object): ReturnType<typeof pacingPlan> =>
    pacingPlan(sceneOf({ decides: () => 200, estimate: { ...TEN, ...estimate } }).probed);
  const plan = planOf(BUCKET);
  expect(plan?.requests).toBe(20);
  expect(plan?.spacingMs).toBeCloseTo(1000 / (2 * 0.97), 6);
  expect(planOf({ limit: 3, windowSeconds: 10 })?.requests).toBe(10);
  expect(planOf({ limit: 900, windowSeconds: 10 })?.requests).toBe(200);
  expect(planOf({ verdict: 'ambiguous' })).toBeNull();
});

describe('a client', () => {
  test('gets through where the limit is what was measured', async () => {
    const { scenario } = await paced(dripping(20, 2));
    expect(scenario).toMatchObject({ held: true, admitted: 20, rejected: 0 });
  });

  test('does not where half of that is let in', async () => {
    const { scenario } = await paced(dripping(1, 1));
    expect(scenario.held).toBe(false);
    expect(scenario.shareOfRate).toBeLessThan(0.6);
  });

  test('does not where it is rejected again and again, though it gets its rate', async () => {
    let count = 0;
    const { scenario } = await paced(() => {
      count += 1;
      return count % 8 === 0 ? { status: 429, headers: [['Retry-After', '0']] } : 200;
    });
    expect(scenario.rejected).toBeGreaterThan(1);
    expect(scenario.shareOfRate).toBeGreaterThan(0.95);
    expect(scenario.held).toBe(false);
  });

  test('waits twice as long each time that it is told nothing', async () => {
    let count = 0;
    const { gapsMs } = await paced(() => {
      count += 1;
      return count <= 4 ? 429 : 200;
    });
    expect(gapsMs.slice(0, 4).map((ms) => Math.round(ms / 10) * 10)).toEqual([
      260, 510, 1010, 2010,
    ]);
  });
});
