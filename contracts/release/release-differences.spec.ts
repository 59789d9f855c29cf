import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { releaseDifferences, type ReleaseDifferences } from './release-differences.ts';
import { releaseOf } from './release-outcome.ts';
import { KNOWN, passed, runOf, same } from './release.testkit.ts';
import type { Release } from './release.ts';
import type { RunJson } from '../run/run.ts';

const ISSUED = '2026-01-03T00:00:00.000Z';

function made(run: RunJson): Release {
  return releaseOf({
    release: '1',
    issuedAt: ISSUED,
    runs: [same(run)],
    known: KNOWN,
    scope: ['zap'],
  });
}

function differences(certified: Release, run: RunJson): ReleaseDifferences {
  return releaseDifferences(certified, made(run), [same(run)], isDeepStrictEqual);
}

const BROKEN = runOf('r1', {
  outcome: 'does-not-conform',
  rules: [passed('zap.a'), passed('zap.b', { verdict: 'fail' })],
});
const LIMIT = {
  ...({
    api: 'zap',
    scope: 'address',
    verdict: 'identified',
    algorithms: ['fixed window'],
  } as const),
  ...{ limit: 100, windowSeconds: 60 },
};
const COUNTS = { sent: 1, served: 1, errors: 0, throttled: 0 };
const LOAD = {
  ...{ scenario: 'baseline', broken: [], invalid: [] },
  figures: { ...COUNTS, seconds: 1, p50Ms: 1, p95Ms: 1, p99Ms: 1, held: [] },
};
const OTHER_TOOL = { name: 'assay', version: '0.2.0', sha256: '01'.repeat(32) };

test('a certificate of the same records judged alike differs in nothing', () => {
  const none = { isSameJudge: true, verdicts: [], newlyBroken: [], notAtHand: [], claims: [] };
  expect(differences(made(runOf('r1')), runOf('r1'))).toEqual(none);
});

test('a verdict that comes out otherwise is named with its run', () => {
  const found = differences(made(runOf('r1')), BROKEN);
  expect(found.verdicts).toEqual([
    { rule: 'zap.b', run: { id: 'r1', kind: 'check' }, then: 'pass', now: 'fail' },
  ]);
  expect(found.isSameJudge).toBe(true);
});

test('by other code it is said that the code is another, and a rule that is new counts once it is broken', () => {
  const tool = OTHER_TOOL;
  const more = [...runOf('r1').rules, passed('zap.c', { verdict: 'fail' })];
  const found = differences(made(runOf('r1')), runOf('r1', { tool, rules: more }));
  expect(found).toMatchObject({ isSameJudge: false, verdicts: [] });
  expect(found.newlyBroken).toMatchObject([{ rule: 'zap.c', then: null, now: 'fail' }]);
  const fine = [...runOf('r1').rules, passed('zap.c')];
  expect(differences(made(runOf('r1')), runOf('r1', { tool, rules: fine })).newlyBroken).toEqual(
    [],
  );
});

test.each<[string, (release: Release) => Release, string[]]>([
  ['outcome', (one) => ({ ...one, outcome: 'undecided' }), ['outcome']],
  ['version', (one) => ({ ...one, tool: { ...one.tool, version: '9.9.9' } }), ['tool']],
  ['contract', (one) => ({ ...one, contract: { sha256: '1'.repeat(64) } }), ['contract']],
  ['label', (one) => ({ ...one, labels: { commit: 'x' } }), ['labels']],
  [
    'waiver',
    (one) => ({
      ...one,
      waivers: [{ rule: 'zap.b', reason: '', owner: '', expires: '2026-01-09' }],
    }),
    ['waivers'],
  ],
  [
    'seed',
    (one) => ({ ...one, runs: one.runs.map((run) => ({ ...run, seed: 2 })) }),
    ['what was run'],
  ],
  [
    'choice',
    (one) => ({ ...one, runs: one.runs.map((run) => ({ ...run, credentials: ['X'] })) }),
    ['settings and figures of runs'],
  ],
  [
    'outcome of a run',
    (one) => ({ ...one, runs: one.runs.map((run) => ({ ...run, outcome: 'undecided' as const })) }),
    ['outcomes of runs'],
  ],
  [
    'measured limit',
    (one) => ({ ...one, runs: one.runs.map((run) => ({ ...run, limits: [LIMIT] })) }),
    ['settings and figures of runs'],
  ],
  [
    'latency under load',
    (one) => ({ ...one, runs: one.runs.map((run) => ({ ...run, load: LOAD })) }),
    ['settings and figures of runs'],
  ],
  [
    'evidence',
    (one) => ({ ...one, rules: one.rules.map((rule) => ({ ...rule, evidence: 99 })) }),
    ['rules'],
  ],
  ['target', (one) => ({ ...one, target: { kind: 'remote', urls: {} } }), ['target']],
])('another %s than the records say is reported', (_what, edit, claims) => {
  expect(differences(edit(made(runOf('r1'))), runOf('r1')).claims).toEqual(claims);
});
