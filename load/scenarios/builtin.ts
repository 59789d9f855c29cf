import type { LoadStep, Scenario } from './scenario.ts';

/** Which operations the built-in scenarios ask for, by their weights; what a service brings. */
export interface BuiltinMixes {
  /** As clients use the service. */
  readonly usual: Scenario['mix'];
  /** What is limited by the key that it is sent with. */
  readonly keyed: Scenario['mix'];
}

function hold(name: string, perSecond: number, seconds: number): LoadStep {
  return { name, seconds, fromPerSecond: perSecond, toPerSecond: perSecond };
}

function ramp(name: string, from: number, to: number, seconds: number): LoadStep {
  return { name, seconds, fromPerSecond: from, toPerSecond: to };
}

/** Rates of the steps on the way to the breakpoint. */
const STAIRS: readonly number[] = Array.from({ length: 20 }, (_, at) => 25 * (at + 1));

const HOUR = 3_600;

/** If no more is asked than on a usual day, what has to be served is served. */
export const USUAL_DAY: readonly string[] = ['errors<1%'];

/** The same of some steps, if others ask for more than anybody promises; and what else is asked. */
function usualIn(steps: readonly string[], ...others: readonly string[]): string[] {
  return [...steps.map((step) => `errors{step:${step}}<1%`), ...others];
}

/** What a scenario differs by from a plain one. */
type Builtin = Partial<Scenario> & Pick<Scenario, 'purpose' | 'steps' | 'ceilings'>;

/**
 * The scenarios that are always there, by name. Their rates are for a service on the same machine;
 * flags move them. The names are those that load tests go by.
 */
export function builtinScenarios({
  usual,
  keyed,
}: BuiltinMixes): Readonly<Record<string, Scenario>> {
  const plain = {
    mix: usual,
    clients: { kind: 'one', count: 1 },
    onThrottle: 'go-on',
    endsWhenBroken: false,
  } as const;
  const all: Readonly<Record<string, Builtin>> = {
    smoke: {
      keeps: USUAL_DAY,
      purpose: 'Does it answer at all, rightly and in time, while next to nothing is asked?',
      steps: [hold('hold', 5, 10)],
      ceilings: { requests: 2_000, seconds: 120 },
    },
    average: {
      keeps: USUAL_DAY,
      purpose: 'Does it keep up with a usual day?',
      steps: [ramp('ramp up', 0, 50, 10), hold('hold', 50, 40), ramp('ramp down', 50, 0, 10)],
      ceilings: { requests: 1_000_000, seconds: HOUR },
    },
    stress: {
      keeps: usualIn(['usual', 'usual again'], 'recovery<2x'),
      purpose: 'How does it do beyond a usual day, and does it recover?',
      steps: [
        ramp('ramp to usual', 0, 50, 5),
        hold('usual', 50, 15),
        ramp('ramp to twice', 50, 100, 5),
        hold('twice', 100, 15),
        ramp('ramp to four times', 100, 200, 5),
        hold('four times', 200, 15),
        ramp('ramp back', 200, 50, 5),
        hold('usual again', 50, 15),
      ],
      ceilings: { requests: 2_000_000, seconds: HOUR },
    },
    spike: {
      keeps: usualIn(['before', 'after'], 'recovery<2x'),
      purpose: 'What does a sudden crowd do to it, and how long after?',
      steps: [
        hold('before', 20, 15),
        ramp('rise', 20, 300, 2),
        hold('spike', 300, 8),
        ramp('fall', 300, 20, 2),
        hold('after', 20, 20),
      ],
      ceilings: { requests: 1_000_000, seconds: HOUR },
    },
    soak: {
      keeps: [...USUAL_DAY, 'drift<2x'],
      purpose: 'Does it stay as fast and as right for hours?',
      steps: [ramp('ramp up', 0, 30, 30), hold('hold', 30, HOUR - 30)],
      ceilings: { requests: 10_000_000, seconds: 12 * HOUR },
    },
    breakpoint: {
      purpose: 'At which rate does it break a threshold first?',
      steps: STAIRS.map((rate, at) => hold(`stair ${at + 1}`, rate, 8)),
      endsWhenBroken: true,
      expectsThrottling: true,
      ceilings: { requests: 2_000_000, seconds: HOUR },
    },
    saturation: {
      purpose: 'How much does it answer at most, without a schedule (for the engine autocannon)?',
      steps: [hold('as fast as it is answered', 500, 20)],
      pacer: 'saturation',
      ceilings: { requests: 2_000_000, seconds: HOUR },
    },
    'per-address': {
      keeps: usualIn(['below', 'below again']),
      purpose: 'Is each client address limited by what it sends itself?',
      steps: [hold('below', 40, 10), hold('above', 160, 10), hold('below again', 40, 10)],
      clients: { kind: 'addresses', count: 4 },
      expectsThrottling: true,
      ceilings: { requests: 200_000, seconds: HOUR },
    },
    'per-key': {
      keeps: usualIn(['below', 'below again']),
      purpose: 'Is each key limited by what is sent with it?',
      steps: [hold('below', 15, 10), hold('above', 60, 10), hold('below again', 15, 10)],
      mix: keyed,
      clients: { kind: 'keys', count: 2 },
      expectsThrottling: true,
      ceilings: { requests: 200_000, seconds: HOUR },
    },
    herd: {
      purpose: 'Do clients get through that are asked to come back at the same time, and obey?',
      steps: [hold('crowd', 100, 2), hold('coming back', 1, 28)],
      onThrottle: 'come-back',
      expectsThrottling: true,
      ceilings: { requests: 200_000, seconds: HOUR },
    },
  };
  return Object.fromEntries(
    Object.entries(all).map(([name, one]) => [name, { ...plain, ...one, name }]),
  );
}
