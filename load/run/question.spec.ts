import { expect, test } from 'vitest';
import { loadOutcome } from '../../contracts/run/load/load-outcome.ts';
import type { RunLoad } from '../../contracts/run/load/load-run.ts';
import { TYPED_ERRORS } from '../../contracts/service/wire/error-body.ts';
import { planOf, preparedFor, scenarioOf, steady } from '../samples/sample.testkit.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import { startLoad } from './run-load.ts';
import { type Scripted, scriptedEngine } from './scripted-engine.testkit.ts';

async function run(
  script: (slot: number) => Scripted,
  rest: Partial<Scenario> = {},
): Promise<RunLoad> {
  const requests = Array.from({ length: 20 }, (_, at) =>
    preparedFor(at === 0 ? 'zap.chains' : 'zap.quote'),
  );
  const { load } = await startLoad({
    job: {
      ...planOf(scenarioOf([steady(20, 5)], rest), requests),
      ...{ isThrottled: TYPED_ERRORS.isThrottled, waitIn: TYPED_ERRORS.waitIn },
      ...{ timeoutMs: 1000, maxBodyBytes: 1000, connections: 10 },
      signal: new AbortController().signal,
    },
    engine: () => scriptedEngine(script),
    ...{ version: '1', keep: () => true, failsRun: () => true, thresholds: [] },
  }).ended;
  return load;
}

test('a rare operation that is never served under load fails the run', async () => {
  const load = await run((slot) => (slot % 20 === 0 ? { fate: 'serverError' } : {}));
  expect(load.thresholds.map(({ expression }) => expression)).toEqual(['zap.chains:errors<100%']);
  expect(loadOutcome(load)).toBe('broken');
});

test('a herd of which nobody was asked to come back decides nothing', async () => {
  const herd = { onThrottle: 'come-back', expectsThrottling: true } as const;
  expect(loadOutcome(await run(() => ({}), herd))).toBe('unreached');
  expect(loadOutcome(await run((slot) => (slot === 1 ? { fate: 'throttled' } : {}), herd))).toBe(
    'held',
  );
});
