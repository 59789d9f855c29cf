import { expect, test } from 'vitest';
import { EXAMPLE_LOAD } from '../../contracts/run/load/load-run.testkit.ts';
import { TYPED_ERRORS } from '../../contracts/service/wire/error-body.ts';
import type { LoadEngine, PreparedRequest } from '../engine.ts';
import { hold, scenario } from '../scenarios/scenario.testkit.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import { scheduleOf } from '../scenarios/schedule.ts';
import { startRounds } from './load-rounds.ts';
import type { RunDescription } from './run-description.ts';
import { startLoad } from './run-load.ts';
import { scriptedEngine } from './scripted-engine.testkit.ts';

const LIST: PreparedRequest = {
  operation: 'zap.pools',
  request: { api: 'zap', method: 'GET', path: '/v1/pools', purpose: { kind: 'valid' } },
};

/** Of 200 requests in 20 s. */
function described(
  engine: LoadEngine,
  rest: Partial<RunDescription> = {},
  wish: Partial<Scenario> = {},
  signal: AbortSignal = new AbortController().signal,
): RunDescription {
  const made = scenario({ steps: [hold(10, 20, 'only')], ...wish });
  return {
    job: {
      ...{ scenario: made, schedule: scheduleOf(made), requests: [LIST], choose: () => LIST },
      ...{ isThrottled: TYPED_ERRORS.isThrottled, waitIn: TYPED_ERRORS.waitIn, signal },
      ...{ timeoutMs: 1000, maxBodyBytes: 1000, connections: 10 },
    },
    ...{ engine: () => engine, version: '1', machine: EXAMPLE_LOAD.machine, keep: () => true },
    ...{ thresholds: [], failsRun: () => true, ...rest },
  };
}

test('a part of a run offers its own requests alone', async () => {
  const part = { index: 1, of: 4, plan: 'a', beganAtMs: 0 };
  const under = startLoad(described(scriptedEngine(), { part }));
  const { load } = await under.ended;
  expect(load.whole.counts.offered).toBe(50);
  expect(under.offered()).toBe(50);
});

test('a run that is cut short offers nothing after its end', async () => {
  const ending = new AbortController();
  const engine = scriptedEngine(
    () => ({}),
    {},
    (_, { slot }) => {
      if (slot === 99) ending.abort();
    },
  );
  const under = startLoad(described(engine, {}, {}, ending.signal));
  const { load } = await under.ended;
  expect(load.whole.counts.offered).toBe(100);
  expect(under.offered()).toBe(100);
});

test('rounds offer their target those of all of them, and none of the control', async () => {
  const description = described(scriptedEngine());
  const control = { ...description.job, engine: scriptedEngine() };
  const under = startRounds(description, { count: 3, control });
  await under.ended;
  expect(under.offered()).toBe(600);
});

test('without a schedule as much is offered as is sent', async () => {
  const under = startLoad(described(scriptedEngine(), {}, { pacer: 'saturation' }));
  await under.ended;
  expect(under.offered()).toBe(200);
});

test('the time of k6 begins with its first answer, not while it makes its VUs', async () => {
  let begin: () => void = () => undefined;
  const waiting = new Promise<void>((resolve) => (begin = resolve));
  const engine: LoadEngine = {
    ...scriptedEngine(),
    name: 'k6',
    run: async (job) => {
      await waiting;
      return scriptedEngine().run(job);
    },
  };
  const under = startLoad(described(engine));
  expect([under.nowMs(), under.offered()]).toEqual([undefined, undefined]);
  begin();
  await under.ended;
  // What ended last after 19.92 s has just been heard of.
  expect(under.nowMs()).toBeGreaterThanOrEqual(19_900);
});
