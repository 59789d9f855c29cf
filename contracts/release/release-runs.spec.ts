import { describe, expect, test } from 'vitest';
import { EXAMPLE_LOAD } from '../run/load/load-run.testkit.ts';
import {
  disagreements,
  kindOf,
  namesBuild,
  otherRuns,
  unendedRuns,
  unfitness,
  untimely,
} from './release-runs.ts';
import type { Release } from './release.ts';
import { runOf } from './release.testkit.ts';
import type { RunJson } from '../run/run.ts';

function named(...runs: readonly RunJson[]): { name: string; run: RunJson }[] {
  return runs.map((run, at) => ({ name: `out/${at + 1}`, run }));
}

describe('a release cannot be made of a run', () => {
  const certified = { release: '1.2', issuedAt: '2026-01-02T03:04:17.000Z' };

  test.each<[string, Partial<RunJson>, RegExp]>([
    [
      'with the label of another',
      { labels: { release: '1.1' } },
      /out\/1 has the label release 1\.1, and the release is 1\.2/,
    ],
    [
      'that ended later',
      { endedAt: '2026-01-02T03:04:17.001Z' },
      /out\/1 ended .* after the certificate was issued/,
    ],
  ])('%s', (_what, changes, fault) => {
    expect(untimely(certified, named(runOf('r1', changes)))).toEqual([
      expect.stringMatching(fault),
    ]);
  });

  test('and else it can', () => {
    const runs = named(runOf('r1'), runOf('r2', { labels: { release: '1.2', version: '9' } }));
    expect(untimely(certified, runs)).toEqual([]);
  });
});

describe('a run is no evidence for a release when', () => {
  test.each<[string, Partial<RunJson>, RegExp]>([
    ['it was cut short', { complete: false }, /did not come to its end/],
    ['it was killed', { record: { id: 'r1' } }, /did not come to its end/],
    ['it is a replay', { replay: 'zap.a@drive:1' }, /one finding/],
    ['Assay failed in it', { failure: 'boom' }, /Assay itself failed: boom/],
    [
      'it is a part of a load run',
      { load: { ...EXAMPLE_LOAD, part: { index: 1, of: 2, plan: 'ab' } } },
      /part 1 of 2/,
    ],
    ['its id is a path', { record: { id: '../x', head: 'ab' } }, /has an id/],
  ])('%s', (_what, changes, reason) => {
    expect(unfitness(runOf('r1', changes))).toMatch(reason);
  });

  test('and else it is', () => {
    expect(unfitness(runOf('r1'))).toBeUndefined();
  });
});

describe('runs of different things are named by what differs', () => {
  const other = {
    kind: 'remote',
    urls: { zap: 'http://127.0.0.1:4002' },
    credentials: [],
  } as const;
  test.each<[string, Partial<RunJson>, string]>([
    [
      'contract',
      { contract: { sha256: '12'.repeat(32) } },
      'out/1 and out/2 were judged by different contracts (abababababab and 121212121212)',
    ],
    [
      'URL',
      { target: other },
      'out/1 and out/2 asked the zap API at http://127.0.0.1:4001 and http://127.0.0.1:4002',
    ],
    ['commit', { labels: { commit: 'b2' } }, 'out/1 and out/2 have the label commit a1 and b2'],
    [
      'kind',
      { target: { ...other, kind: 'reference' } },
      'out/2 is of the embedded reference service, and others are not',
    ],
  ])('%s', (_what, changes, sentence) => {
    const labels = { commit: 'a1' };
    const runs = named(runOf('r1', { labels }), runOf('r2', { labels, ...changes }));
    expect(disagreements(runs)).toEqual([sentence]);
  });

  test.each(['build', 'commit', 'environment', 'release', 'version'])('the label %s', (label) => {
    const [one, other] = [{ [label]: '1' }, { [label]: '2' }];
    const runs = named(runOf('r1', { labels: one }), runOf('r2', { labels: other }));
    expect(disagreements(runs)).toEqual([`out/1 and out/2 have the label ${label} 1 and 2`]);
  });

  test('a run without a label that another one has', () => {
    const runs = named(runOf('r1', { labels: { commit: 'a1' } }), runOf('r2'));
    expect(disagreements(runs)).toEqual(['out/2 lacks the label commit, which out/1 has']);
    expect(disagreements(named(runOf('r1'), runOf('r2')))).toEqual([]);
  });

  test('the same run twice', () => {
    expect(disagreements(named(runOf('r1'), runOf('r1')))).toEqual([
      'out/1 and out/2 are the same run',
    ]);
  });

  test('an API that only one of them asked, another label, and ports of the embedded service do not matter', () => {
    const both = {
      ...runOf('r1').target,
      urls: { zap: 'http://127.0.0.1:4001', docs: 'http://127.0.0.1:3' },
    };
    const embedded = (port: number): RunJson['target'] => ({
      ...{ kind: 'reference', credentials: [] },
      urls: { zap: `http://127.0.0.1:${port}` },
    });
    expect(
      disagreements(
        named(
          runOf('r1', { labels: { night: '1' } }),
          runOf('r2', { target: both, labels: { night: '2' } }),
        ),
      ),
    ).toEqual([]);
    expect(
      disagreements(
        named(runOf('r1', { target: embedded(1) }), runOf('r2', { target: embedded(2) })),
      ),
    ).toEqual([]);
  });
});

describe('other runs of the build', () => {
  const target = { urls: { zap: 'http://127.0.0.1:1', trade: 'http://127.0.0.1:2' } };
  const beside = (
    id: string,
    labels: Record<string, string>,
  ): Parameters<typeof otherRuns>[1][0] => ({
    ...{
      id,
      run: `n-${id}`,
      kind: 'check',
      outcome: 'does-not-conform',
      startedAt: '2026-01-02T03:04:05Z',
    },
    ...{ target, labels },
  });
  const release = {
    labels: { commit: 'a1', night: '1' },
    scope: ['zap'],
    runs: [{ id: 'r1' }] as unknown as Release['runs'],
  };

  test('are those with its label, each with what it drove out of scope', () => {
    const found = [
      beside('r1', { commit: 'a1' }),
      beside('r2', { commit: 'a1', night: '2' }),
      beside('r3', { commit: 'b2' }),
      beside('r4', { night: '1' }),
      beside('r5', { commit: 'a1', version: '9' }),
    ];
    expect(otherRuns(release, found)).toMatchObject([
      { id: 'r2', folder: 'n-r2', outcome: 'does-not-conform', outOfScope: ['trade'] },
      { id: 'r5' },
    ]);
    expect(
      otherRuns({ ...release, labels: { ...release.labels, version: '8' } }, found),
    ).toHaveLength(1);
  });

  test('that were not judged to their end are named unless they are of another build', () => {
    const found = [
      { run: 'n1', labels: {} },
      { run: 'n2', labels: { commit: 'a1' } },
      { run: 'n3', labels: { commit: 'b2' } },
    ];
    expect(unendedRuns(release, found)).toEqual([
      'n2 (of this build, and not judged to its end: `assay judge` with it judges it)',
      'n1 (it does not name its build, and is not judged to its end: `assay judge` with it judges it)',
    ]);
  });

  test('have the failed ones first, and the newest of those', () => {
    const of = { commit: 'a1' };
    const found = [
      { ...beside('r2', of), outcome: 'conforms' as const },
      { ...beside('r3', of), outcome: 'undecided' as const },
      beside('r4', of),
      { ...beside('r5', of), startedAt: '2026-01-02T04:04:05+01:00' },
      { ...beside('r6', of), startedAt: '2026-01-03T03:04:05Z' },
    ];
    const order = otherRuns(release, found).map(({ id }) => id);
    expect(order).toEqual(['r6', 'r4', 'r5', 'r3', 'r2']);
  });

  test('are not known without a label of a build', () => {
    expect(namesBuild(release)).toBe(true);
    expect(namesBuild({ labels: { night: '1' } })).toBe(false);
  });
});

test('what a run was made with shows in what it holds', () => {
  expect(kindOf({ limits: [] })).toBe('check');
  expect(kindOf({ limits: [], load: EXAMPLE_LOAD })).toBe('load');
  expect(kindOf({ kind: 'load', limits: [] })).toBe('load');
});
