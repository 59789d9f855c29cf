import type { LoadStep, Scenario } from './scenario.ts';

/** A step of one rate. */
export function hold(perSecond: number, seconds: number, name = `hold ${perSecond}/s`): LoadStep {
  return { name, seconds, fromPerSecond: perSecond, toPerSecond: perSecond };
}

/** A scenario of one step, for specs. */
export function scenario(changes: Partial<Scenario> = {}): Scenario {
  return {
    name: 'test',
    purpose: 'Is it tested?',
    steps: [hold(10, 2)],
    mix: { 'shop.list': 1 },
    clients: { kind: 'one', count: 1 },
    onThrottle: 'go-on',
    endsWhenBroken: false,
    ceilings: { requests: 100_000, seconds: 3_600 },
    ...changes,
  };
}
