import { given } from '../../contracts/wire/json.ts';
import { askedFor, requireBounds } from './bounds.ts';
import { type Scenario, ScenarioError } from './scenario.ts';

/** What somebody wants of a scenario other than it is. */
export interface Adaptation {
  /** Its highest rate, requests a second; all others keep their proportion to it. */
  readonly peakPerSecond?: number;
  /** All of its rates times so much; not together with `peakPerSecond`. */
  readonly scale?: number;
  /** Its length; all steps keep their proportion to it. */
  readonly seconds?: number;
  /** At its beginning, that is in no latency figure. */
  readonly warmUpSeconds?: number;
  /** Clients, if it has several. */
  readonly clients?: number;
  /** Ceilings of the run, if they are lower than its own. */
  readonly mostRequests?: number;
  readonly mostSeconds?: number;
}

/**
 * A scenario with other rates and another length, within its ceilings.
 *
 * @throws ScenarioError when it would pass a ceiling, or the wishes exclude each other
 */
export function adapted(scenario: Scenario, wishes: Adaptation): Scenario {
  const { peakPerSecond, scale, seconds, mostRequests, mostSeconds } = wishes;
  if (peakPerSecond !== undefined && scale !== undefined) {
    throw new ScenarioError('--rate and --scale both change the rates: give one of them');
  }
  const asked = askedFor(scenario.steps);
  const faster = scale ?? (peakPerSecond === undefined ? 1 : peakPerSecond / asked.peakPerSecond);
  const longer = seconds === undefined ? 1 : seconds / asked.seconds;
  const { ceilings } = scenario;
  const made: Scenario = {
    ...scenario,
    steps: scenario.steps.map((step) => ({
      ...step,
      seconds: step.seconds * longer,
      fromPerSecond: step.fromPerSecond * faster,
      toPerSecond: step.toPerSecond * faster,
    })),
    clients: clientsOf(scenario, wishes.clients),
    ...given({ warmUpSeconds: wishes.warmUpSeconds ?? scenario.warmUpSeconds }),
    ceilings: {
      requests: Math.min(ceilings.requests, mostRequests ?? Infinity),
      seconds: Math.min(ceilings.seconds, mostSeconds ?? Infinity),
    },
  };
  requireBounds(made);
  const { warmUpSeconds = 0 } = made;
  if (warmUpSeconds >= asked.seconds * longer) {
    throw new ScenarioError(
      `the warm-up of ${warmUpSeconds} s leaves nothing of the scenario ${scenario.name}, which takes ${Math.round(asked.seconds * longer)} s`,
    );
  }
  return made;
}

function clientsOf({ name, clients }: Scenario, count: number | undefined): Scenario['clients'] {
  if (count === undefined) return clients;
  if (clients.kind === 'one' && count !== 1) {
    throw new ScenarioError(
      `the scenario ${name} sends as one client; per-address and per-key have several`,
    );
  }
  return { ...clients, count };
}
