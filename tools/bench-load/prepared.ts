import type { PreparedRequest } from '../../load/engines/engine.ts';
import type { Scenario } from '../../load/scenarios/scenario.ts';
import type { Sent } from './material.ts';

/** The posts as a load run sends them. */
export function preparedQuotes(posts: readonly Sent[]): PreparedRequest[] {
  return posts.map(({ path, body }) => ({
    operation: 'zap.quote',
    request: {
      api: 'zap',
      method: 'POST',
      path,
      rawBody: body,
      headers: [['Content-Type', 'application/json']],
      purpose: { kind: 'valid' },
    },
  }));
}

/** One step of one rate, in seconds. */
export function scenarioAt(perSecond: number, seconds: number): Scenario {
  return {
    name: 'bench',
    purpose: 'What does a request cost, and how long does it take?',
    steps: [{ name: 'all', seconds, fromPerSecond: perSecond, toPerSecond: perSecond }],
    mix: { 'zap.quote': 1 },
    clients: { kind: 'one', count: 1 },
    onThrottle: 'go-on',
    endsWhenBroken: false,
    ceilings: { requests: perSecond * seconds, seconds: seconds + 1 },
  };
}
