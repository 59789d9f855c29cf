import { type LoadCeilings, type LoadStep, type Scenario, ScenarioError } from './scenario.ts';
import { scheduleOf } from './schedule.ts';

/** What no scenario goes beyond, whoever wrote it. */
export const MAX_OF_SCENARIO = {
  requests: 20_000_000,
  seconds: 86_400,
  ratePerSecond: 50_000,
  steps: 100,
  clients: 250,
  weight: 1_000_000,
} as const;

/** What the steps of a scenario ask for, were there no ceilings: requests, seconds, highest rate. */
export function askedFor(
  steps: readonly LoadStep[],
): LoadCeilings & { readonly peakPerSecond: number } {
  const { slots: requests, seconds } = scheduleOf({ steps });
  const rates = steps.flatMap(({ fromPerSecond, toPerSecond }) => [fromPerSecond, toPerSecond]);
  return { requests, seconds, peakPerSecond: Math.max(...rates) };
}

/**
 * Holds a scenario to its bounds: a run never sends less than its steps say without a notice.
 *
 * @throws ScenarioError
 */
export function requireBounds(scenario: Scenario): void {
  const { name, steps, mix, clients, ceilings } = scenario;
  const most = MAX_OF_SCENARIO;
  const refuse = (why: string): never => {
    throw new ScenarioError(`the scenario ${name} ${why}`);
  };
  if (steps.length === 0 || steps.length > most.steps) {
    refuse(`has ${steps.length} steps; it needs 1 to ${most.steps}`);
  }
  for (const { name: step, seconds, fromPerSecond, toPerSecond } of steps) {
    if (!(seconds > 0 && Number.isFinite(seconds))) {
      refuse(`has the step "${step}" of ${seconds} s; it must be above 0`);
    }
    for (const rate of [fromPerSecond, toPerSecond]) {
      if (rate >= 0 && rate <= most.ratePerSecond) continue;
      refuse(`has the step "${step}" of ${rate}/s; 0 to ${most.ratePerSecond} is possible`);
    }
  }
  if (ceilings.requests > most.requests || ceilings.seconds > most.seconds) {
    refuse(
      `may send ${ceilings.requests} requests in ${ceilings.seconds} s; ${most.requests} in ${most.seconds} s is the most that any may`,
    );
  }
  const asked = askedFor(steps);
  const over: string[] = [];
  if (asked.requests > ceilings.requests) {
    over.push(`${asked.requests} requests, and its ceiling is ${ceilings.requests}`);
  }
  if (asked.seconds > ceilings.seconds * (1 + 1e-9)) {
    const seconds = Math.round(asked.seconds * 100) / 100;
    over.push(`${seconds} s, and its ceiling is ${ceilings.seconds} s`);
  }
  if (over.length > 0) {
    refuse(
      `asks for ${over.join('; and for ')}. Lower the rate or the seconds, or take another scenario.`,
    );
  }
  if (asked.requests === 0) refuse('sends no request at all: raise its rates');
  const weights = Object.values(mix);
  if (weights.length === 0)
    refuse('has no mix: name operations with their weights, such as OPERATION: 1');
  if (weights.some((weight) => !(weight > 0 && weight <= most.weight))) {
    refuse(`has a weight in its mix that is not above 0, and ${most.weight} at the most`);
  }
  const { count } = clients;
  if (!Number.isInteger(count) || count < 1 || count > most.clients) {
    refuse(`has ${count} clients; 1 to ${most.clients} are possible`);
  }
  if (clients.kind === 'one' && count !== 1) refuse(`has ${count} clients of the kind "one"`);
}
