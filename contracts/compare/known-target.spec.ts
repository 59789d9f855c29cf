import { describe, expect, test } from 'vitest';
import { passed, runOf } from '../release/release.testkit.ts';
import type { RunFinding, RunJson } from '../run/run.ts';
import { knownFileOf, knownIn } from './known-findings.ts';

const finding: RunFinding = {
  ...{ operation: 'zap.quote', pointer: '/data/7/min', expected: 'a', actual: 'b' },
  ...{ exchanges: ['x1'], curl: 'curl', count: 10, share: { broken: 10, judged: 10 } },
};

describe('a file of known findings', () => {
  const red = runOf('r1', {
    outcome: 'does-not-conform',
    rules: [passed('zap.a', { verdict: 'fail', findings: [finding] })],
  });
  const green = runOf('r2', {
    rules: [passed('zap.a', { judgedAt: [{ operation: 'zap.quote', times: 99 }] })],
  });
  const knownAt = (then: Partial<RunJson>, now: Partial<RunJson>): ReturnType<typeof knownIn> => {
    const file = knownFileOf({ ...red, ...then });
    return knownIn({ ...green, ...now }, file.known, 'k', file);
  };
  const at = (urls: Readonly<Record<string, string>>): Partial<RunJson> => ({
    target: { ...green.target, urls },
  });
  const labelled = (environment: string): Partial<RunJson> => ({ labels: { environment } });
  const [here, there] = [at({ zap: 'http://127.0.0.1:1' }), at({ zap: 'http://127.0.0.1:2' })];

  test.each<[string, Partial<RunJson>, Partial<RunJson>, number]>([
    ['of the same URLs', here, here, 1],
    ['of an API more', here, at({ zap: 'http://127.0.0.1:1', docs: 'http://127.0.0.1:3' }), 1],
    ['of the same environment at other URLs', labelled('pr'), { ...there, ...labelled('pr') }, 1],
    ['of other URLs', here, there, 0],
    ['of another environment', labelled('staging'), labelled('production'), 0],
    ['of an environment that the run does not name', labelled('staging'), here, 0],
    ['of other APIs alone', here, at({ docs: 'http://127.0.0.1:1' }), 0],
  ])('%s says what is gone only if it is of the target of the run', (_, then, now, gone) => {
    const known = knownAt(then, now);
    expect(known.gone).toHaveLength(gone);
    expect(known.otherTarget === undefined).toBe(gone === 1);
  });

  test('without a target, as earlier versions wrote it, is of that of any run', () => {
    const { known } = knownFileOf(red);
    expect(knownIn({ ...green, ...there }, known, 'k').gone).toHaveLength(1);
  });
});
