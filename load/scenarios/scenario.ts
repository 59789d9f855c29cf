import { MendableError } from '../../contracts/wire/mendable-error.ts';

/** A load scenario: what is sent at which rate for how long, as data. */

/** One part of a scenario; the rate moves in a straight line from its first value to its last. */
export interface LoadStep {
  /** As reports call it, e.g. `ramp` or `hold 200/s`. */
  readonly name: string;
  readonly seconds: number;
  /** Requests a second at the step's start. */
  readonly fromPerSecond: number;
  /** Requests a second at the step's end. */
  readonly toPerSecond: number;
}

/** Who sends: one client, many local addresses, or many keys; slot k is sent by client k mod count. */
export interface LoadClients {
  readonly kind: 'one' | 'addresses' | 'keys';
  readonly count: number;
}

/** What no run of a scenario goes beyond, whatever rates its steps and flags name. */
export interface LoadCeilings {
  readonly requests: number;
  readonly seconds: number;
}

/** A load scenario. */
export interface Scenario {
  readonly name: string;
  /** What a run of it answers, in one sentence. */
  readonly purpose: string;
  readonly steps: readonly LoadStep[];
  /** Weights by operation id, e.g. `{ 'zap.quote': 3 }`; an operation that is not named is not asked for. */
  readonly mix: Readonly<Record<string, number>>;
  readonly clients: LoadClients;
  /**
   * What a client does that is throttled: `go-on` leaves the schedule as it is · `come-back` sends the
   * same request again after the announced wait, so that many come back at the same time.
   */
  readonly onThrottle: 'go-on' | 'come-back';
  /** Whether the run ends with the first step that breaks a threshold (the search for a breakpoint). */
  readonly endsWhenBroken: boolean;
  /** The run ends once a threshold has been broken for so long; it goes on when absent. */
  readonly abortSeconds?: number;
  /** So long after its beginning requests are in no latency figure, and count in all others; 0 when absent. */
  readonly warmUpSeconds?: number;
  /** Whether throttling is what it is about: else a run that meets much of it measured the limiter. */
  readonly expectsThrottling?: true;
  /** Thresholds, as they are written, that it is held to where nobody gives others for the same metric. */
  readonly keeps?: readonly string[];
  /**
   * How requests follow each other; absent: by the rates of the steps · `saturation`: each connection
   * sends the next one once the last was answered, as many in all as the steps hold.
   */
  readonly pacer?: 'saturation';
  readonly ceilings: LoadCeilings;
}

/** Thrown when a load scenario cannot be run as it is asked for; the message says what to change. */
export class ScenarioError extends MendableError {
  override readonly name = 'ScenarioError';
}
