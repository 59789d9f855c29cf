import type { LoadJob, PreparedRequest } from '../engine.ts';
import type { Sample } from '../load-sink.ts';
import type { LoadStep, Scenario } from '../scenarios/scenario.ts';
import { scheduleOf } from '../scenarios/schedule.ts';

/** A step of one rate. */
export function steady(perSecond: number, seconds: number, name = 'steady'): LoadStep {
  return { name, seconds, fromPerSecond: perSecond, toPerSecond: perSecond };
}

/** A scenario of the given steps, one client, far below its ceilings. */
export function scenarioOf(steps: readonly LoadStep[], rest: Partial<Scenario> = {}): Scenario {
  return {
    name: 'test',
    purpose: 'To be looked at in tests.',
    steps,
    mix: { 'zap.quote': 1 },
    clients: { kind: 'one', count: 1 },
    onThrottle: 'go-on',
    endsWhenBroken: false,
    ceilings: { requests: 10_000_000, seconds: 100_000 },
    ...rest,
  };
}

/** A plain request of an operation. */
export function preparedFor(operation: string): PreparedRequest {
  return {
    operation,
    request: { api: 'zap', method: 'GET', path: `/${operation}`, purpose: { kind: 'valid' } },
  };
}

/** What an accumulator or an engine needs to know of a scenario, sending the requests in turn. */
export function planOf(
  scenario: Scenario,
  requests: readonly PreparedRequest[] = [preparedFor('zap.quote')],
): Pick<LoadJob, 'scenario' | 'schedule' | 'requests' | 'choose'> {
  const choose = (slot: number): PreparedRequest => {
    const chosen = requests[slot % requests.length];
    if (chosen === undefined) throw new Error('there are no requests');
    return chosen;
  };
  return { scenario, schedule: scheduleOf(scenario), requests, choose };
}

/** A served sample that took 10 ms. */
export function sampleAt(dueMs: number, rest: Partial<Sample> = {}): Sample {
  return {
    slot: 0,
    step: 0,
    operation: 'zap.quote',
    client: 0,
    dueMs,
    calledMs: dueMs,
    wireMs: dueMs,
    endMs: dueMs + 10,
    fate: 'served',
    status: 200,
    ...rest,
  };
}
