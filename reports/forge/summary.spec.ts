import { describe, expect, test } from 'vitest';
import { knownFileOf, knownIn } from '../../contracts/compare/known-findings.ts';
import { historyEntryOf, historyOf } from '../../contracts/history/run-history.ts';
import type { RunLoad } from '../../contracts/run/load/load-run.ts';
import { EXAMPLE_LOAD } from '../../contracts/run/load/load-run.testkit.ts';
import { passed, runOf } from '../../contracts/release/release.testkit.ts';
import type { RunJson } from '../../contracts/run/run.ts';
import { sourceOf } from '../source.testkit.ts';
import type { ReportSource } from '../source.ts';
import { renderSummary } from './summary.ts';

const finding = {
  ...{ operation: 'zap.quote', pointer: '/data', expected: 'a', actual: 'b', exchanges: ['x1'] },
  ...{ curl: 'curl', count: 5 },
};
const night = (day: number, verdict: 'pass' | 'fail', ...ids: readonly string[]): RunJson =>
  runOf(`r${day}`, {
    startedAt: `2026-01-0${day}T02:00:00.000Z`,
    outcome: verdict === 'fail' ? 'does-not-conform' : 'conforms',
    labels: { commit: `c${day}` },
    rules: ids.map((id) => passed(id, { verdict, findings: verdict === 'fail' ? [finding] : [] })),
  });

function among(nights: readonly RunJson[]): ReportSource {
  const entries = nights.map((run, at) => historyEntryOf(run, `n${at + 1}`));
  const [run, entry] = [nights.at(-1), entries.at(-1)];
  if (run === undefined || entry === undefined) throw new Error('a history needs a run');
  return { ...sourceOf(run), history: historyOf(entry, entries) };
}

describe('a summary says', () => {
  const nights = [night(1, 'pass', 'zap.a'), night(2, 'fail', 'zap.a'), night(3, 'fail', 'zap.a')];

  test('since which build a rule is broken, and when it was first red', () => {
    expect(renderSummary([among(nights)])).toBe(
      [
        '- ✗ **zap.a broken: data was b** (check of commit `c3`)',
        '- `zap.a` at `zap.quote`: broken since commit `c2`, first red 2026-01-02 in `n2`',
        '',
      ].join('\n'),
    );
  });

  test('that nobody knows since when without a history, or with one that does not go back', () => {
    const [run] = [night(3, 'fail', 'zap.a')];
    expect(renderSummary([sourceOf(run)])).toContain(
      'since when is not known, as no history has it',
    );
    expect(renderSummary([among(nights.slice(1))])).toContain('in `n1`, the oldest of the history');
  });

  test('what is known', () => {
    const run = night(3, 'fail', 'zap.a');
    const known = knownIn(run, knownFileOf(nights[1] ?? run).known, 'known.json');
    const text = renderSummary([sourceOf({ ...run, known })]);
    expect(text).toContain('✗ **1 known, 0 new: zap.a broken');
    expect(text).toMatch(/`zap\.a` at .*; known since 2026-01-02\n$/);
  });

  test('which operations of a broken rule a waiver accepts', () => {
    const findings = [
      finding,
      { ...finding, operation: 'zap.build-tx', waived: 'known (team, until 2026-12-05)' },
    ];
    const run = runOf('r1', { rules: [passed('zap.a', { verdict: 'fail', findings })] });
    const [, quote, build] = renderSummary([sourceOf(run)]).split('\n');
    expect(quote).not.toContain('waived');
    expect(build).toMatch(/at `zap\.build-tx`: .*; waived: known \(team, until 2026-12-05\)$/);
  });

  test('what of the known is gone, warnings apart, as they count for no failure', () => {
    const [one] = knownFileOf(nights[1] ?? night(2, 'fail', 'zap.a')).known;
    if (one === undefined) throw new Error('nothing is known');
    const linesOf = (...levels: readonly ('must' | 'should')[]): string => {
      const gone = levels.map((level) => ({ ...one, level }));
      const known = { file: 'known.json', known: {}, fresh: {}, gone };
      return renderSummary([sourceOf({ ...night(3, 'pass', 'zap.a'), known })]);
    };
    expect(linesOf('must', 'should', 'must')).toContain(
      '- 2 known findings and 1 known warning gone: --prune known\n',
    );
    expect(linesOf('should')).toContain('- 1 known warning gone: ');
    expect(linesOf()).not.toContain('gone');
  });

  test('how often what shows at times does', () => {
    const rates = { rate: { broken: 5, judged: 8 }, share: { broken: 5, judged: 77 } };
    const run = runOf('r1', {
      rules: [passed('zap.a', { verdict: 'fail', findings: [{ ...finding, ...rates }] })],
    });
    expect(renderSummary([sourceOf(run)])).toMatch(/history has it; intermittent: 5 of .*77/);
  });

  test('by what else than a rule it is broken, and an outage in one line', () => {
    const out = { ...finding, isOfOutage: true as const };
    const rows = ['zap.b', 'zap.c'].map((id) => passed(id, { verdict: 'fail', findings: [out] }));
    const run: RunJson = {
      ...night(3, 'fail', 'zap.a'),
      ...{ brokenBy: ['rule', 'slower'], outages: ['zap'] },
    };
    const text = renderSummary([sourceOf({ ...run, rules: [...run.rules, ...rows] })]);
    expect(text).toContain('(check of commit `c3`; broken: slower; zap was out)');
    expect(text).toMatch(/- 2 rules broken by an outage alone\n$/);
    expect(text.split('\n')).toHaveLength(4);
    const alone = renderSummary([sourceOf({ ...run, rules: rows })]);
    expect(alone).toContain('**2 rules broken by an outage alone**');
  });

  test('what the most frequent errors of a load were, in one line', () => {
    const [first, second] = EXAMPLE_LOAD.errors ?? [];
    const more = [502, 504].map((status) => ({ ...first, status, count: 1, lastSecond: 10.1 }));
    const errors = [first, second, ...more] as NonNullable<RunLoad['errors']>;
    const run: RunJson = { ...night(3, 'fail'), load: { ...EXAMPLE_LOAD, errors } };
    expect(renderSummary([sourceOf(run)])).toMatch(
      /\n- errors: zap\.quote answered 503: 8 of 130 \(6\.2 %\), 10\.1 s to 17\.9 s; zap\.quote timed out: 2 of .*; zap\.quote answered 502: 1 of .*, at 10\.1 s; 1 more\n$/,
    );
  });

  test('which runs since the one before were not judged to their end, with the build of the last', () => {
    const source = among(nights);
    const { profile, target } = nights[1] ?? night(2, 'pass');
    const killed = ['k1', 'k2'].map((run) => ({
      ...{ run, startedAt: '2026-01-02T09:00:00Z', profile, target, labels: { commit: run } },
    }));
    const history = { entries: [], notes: [], ...source.history, unended: killed };
    expect(renderSummary([{ ...source, history }])).toMatch(
      /\n- not judged to its end: `k2` of commit `k2`, began 2026-01-02 and 1 before it; `assay judge` shows what is broken so far\n$/,
    );
  });

  test('that a run conforms, after the runs that do not', () => {
    const text = renderSummary([
      sourceOf(night(1, 'pass', 'zap.a')),
      sourceOf(night(3, 'fail', 'zap.a')),
    ]);
    expect(text).toMatch(/^- ✗ .*\(check 2 of commit `c3`\)\n- ✓ .*\(check of commit `c1`\)\n/);
  });
});

test('it has ten lines at most', () => {
  const ids = Array.from({ length: 30 }, (_, at) => `zap.r${at}`);
  const lines = renderSummary([sourceOf(night(3, 'fail', ...ids))])
    .trimEnd()
    .split('\n');
  expect(lines).toHaveLength(10);
  expect(lines.at(-1)).toBe('- and 22 lines more in the reports');
});
