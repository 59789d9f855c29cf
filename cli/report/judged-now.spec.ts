import { expect, test } from 'vitest';
import { releaseOf } from '../../contracts/release/release-outcome.ts';
import { KNOWN, passed, runOf, same } from '../../contracts/release/release.testkit.ts';
import { EVERY_RULE } from '../../contracts/judging/rule-choice.ts';
import { judgedNow } from './judged-now.ts';

const leftOut = { must: 0, should: 0, observe: 0 };

test('what verify says last is target, labels, waivers with their last day, levels, and whose service it was', () => {
  const waiver = { rule: 'zap.b', reason: 'known', owner: 'the team', expires: '2026-05-01' };
  const run = runOf('r1', {
    labels: { commit: 'a1' },
    waivers: [waiver],
    rules: [passed('zap.a'), passed('zap.b', { verdict: 'waived' })],
    choice: {
      ...EVERY_RULE,
      levels: [{ rules: 'zap.b', level: 'should' }],
      skip: ['docs'],
      leftOut,
    },
  });
  const now = releaseOf({
    ...{ release: '1', issuedAt: '2026-02-01T00:00:00.000Z', runs: [same(run)], known: KNOWN },
    scope: ['zap'],
  });
  expect(judgedNow(now, '2026-05-01')).toEqual([
    'Judged now: 8 exchanges, 2 rules: 1 waived, 1 pass.',
    'Must rules without a verdict: none.',
    'Target: zap http://127.0.0.1:4001.',
    'Scope: zap; out of scope: trade, docs, ai.',
    'Labels: commit=a1.',
    'Waivers: zap.b until 2026-05-01 (not expired today, the team).',
    'Changed levels: zap.b is should. Rules chosen or left out: without docs.',
    'The service at these URLs was judged, not the embedded reference service of Assay.',
  ]);
  expect(judgedNow(now, '2026-05-02')[5]).toContain('(expired today, the team)');
});

test('a release of the embedded service says so', () => {
  const target = { ...runOf('r1').target, kind: 'reference' as const };
  const issuedAt = '2026-02-01T00:00:00.000Z';
  const runs = [same(runOf('r1', { target }))] as const;
  const lines = judgedNow(
    releaseOf({ release: '1', issuedAt, runs: [runs[0]], known: KNOWN }),
    '2026-05-01',
  );
  expect(lines.at(-1)).toContain('The embedded reference service of Assay was judged');
});
