import { expect, test } from 'vitest';
import { EXAMPLE_LOAD } from '../run/load/load-run.testkit.ts';
import { releaseChanges } from './release-changes.ts';
import { releaseOf } from './release-outcome.ts';
import { KNOWN, passed, runOf, same } from './release.testkit.ts';
import type { Release } from './release.ts';
import type { RunJson } from '../run/run.ts';

function made(run: Partial<RunJson>, scope = ['zap']): Release {
  const runs = [same(runOf('r1', run))] as const;
  return releaseOf({ release: '1', issuedAt: '2026-01-03T00:00:00Z', runs, known: KNOWN, scope });
}

test('nothing changed between two releases of the same records', () => {
  const changes = releaseChanges(made({}), made({}));
  const none = { scope: [], rules: [], waived: [], noLongerWaived: [], load: [], limits: [] };
  expect(changes).toMatchObject({ ...none, isOtherContract: false, then: { release: '1' } });
});

test('rules, waivers, scope, contract, latency and limits are given with what they were', () => {
  const limit = (count: number): RunJson['limits'] =>
    [
      { api: 'zap', scope: 'per key', verdict: 'identified', algorithms: ['w'], limit: count },
    ] as unknown as RunJson['limits'];
  const slower = { ...EXAMPLE_LOAD.whole, latency: { ...EXAMPLE_LOAD.whole.latency, p95Ms: 90 } };
  const waiver = { rule: 'zap.b', reason: 'x', owner: 'me', expires: '2026-02-01' };
  const then = made({ load: EXAMPLE_LOAD, limits: limit(20) });
  const now = made(
    {
      ...{ load: { ...EXAMPLE_LOAD, whole: slower }, limits: limit(30) },
      ...{ contract: { sha256: '12'.repeat(32) }, waivers: [waiver] },
      rules: [passed('zap.a', { verdict: 'fail' }), passed('zap.b', { verdict: 'waived' })],
    },
    ['zap', 'trade'],
  );
  expect(releaseChanges(then, now)).toMatchObject({
    ...{ scope: ['trade'], isOtherContract: true, waived: ['zap.b'], noLongerWaived: [] },
    rules: [
      { rule: 'zap.a', then: 'pass', now: 'fail' },
      { rule: 'zap.b', then: 'pass', now: 'waived' },
    ],
    load: [{ of: 'stress', then: 50, now: 90 }],
    limits: [{ of: 'zap per key', then: { limit: 20 }, now: { limit: 30 } }],
  });
  expect(releaseChanges(now, then)).toMatchObject({ waived: [], noLongerWaived: ['zap.b'] });
});

test('that an API left the scope is said once, and not of each of its rules', () => {
  const then = made({}, ['zap', 'trade']);
  const rule = { ...then.rules[0], id: 'trade.a', verdict: 'pass' } as Release['rules'][number];
  const before = { ...then, rules: [...then.rules, rule] };
  const after = made({});
  expect(releaseChanges(before, after)).toMatchObject({ scope: ['trade'], rules: [] });
  expect(releaseChanges(after, before)).toMatchObject({ scope: ['trade'], rules: [] });
  // In one scope still, it is one that was judged then, and is not now.
  const gone = [{ rule: 'trade.a', then: 'pass', now: null }];
  expect(releaseChanges(before, made({}, ['zap', 'trade'])).rules).toEqual(gone);
});
