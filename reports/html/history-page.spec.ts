import { SyntaxValidator } from 'fast-xml-validator';
import { describe, expect, test } from 'vitest';
import type { RunJson } from '../../contracts/run/run.ts';
import {
  historyEntryOf,
  type HistoryLimit,
  historyOf,
  MAX_OF_ENTRY,
} from '../../contracts/history/run-history.ts';
import { entryAt } from '../../contracts/history/run-history.testkit.ts';
import { EXAMPLE_RUN, ruleRow } from '../example-run.testkit.ts';
import { pageHistory } from './history-page.ts';
import { runLabels } from '../history/history-plot.ts';
import { renderHtml } from './html.ts';
import { dataOf, template } from './html.testkit.ts';

const LIMIT: HistoryLimit = {
  ...{ api: 'zap', scope: 'per client address', verdict: 'identified' },
  ...{ algorithms: ['fixed-window'], limit: 600, windowSeconds: 10 },
};
const red = { verdicts: { pass: ['zap.a'], fail: ['zap.b'], 'not-reached': ['zap.c'] } };

/** A page of these nights. */
function pageOf(
  ...nights: ReturnType<typeof entryAt>[]
): NonNullable<ReturnType<typeof pageHistory>> {
  const made = pageHistory({ entries: nights, notes: ['n'] });
  if (made === undefined) throw new Error('there is no page');
  return made;
}

describe('a run as a history keeps it', () => {
  test('has verdicts, latency, limits and unspecified clauses, and no findings or secrets', () => {
    const entry = historyEntryOf(EXAMPLE_RUN, 'n1');
    const { rules, ledger, record } = EXAMPLE_RUN;
    expect(entry).toMatchObject({ run: 'n1', id: record.id, kind: 'limits' });
    expect(Object.values(entry.verdicts).flat().sort()).toEqual(rules.map(({ id }) => id).sort());
    expect(entry.ledger).toEqual(Object.fromEntries(ledger.map((row) => [row.id, row.observed])));
    expect(JSON.stringify(entry)).not.toContain('curl');
  });

  test('is bounded, and says of which unspecified clauses it does not have all', () => {
    const long = (count: number): string[] =>
      Array.from({ length: count }, (_, at) => `code ${at}`);
    const run: RunJson = {
      ...EXAMPLE_RUN,
      rules: Array.from({ length: 5_000 }, (_, at) => ({
        ...ruleRow(),
        id: `zap.${at}.${'a'.repeat(1_000)}`,
      })),
      ledger: [
        { id: 'many', clause: '', observed: long(MAX_OF_ENTRY.observations + 1) },
        { id: 'long', clause: '', observed: ['a'.repeat(1_000)] },
        { id: 'short', clause: '', observed: long(3) },
      ],
    };
    const entry = historyEntryOf(run, 'n'.repeat(1_000));
    expect(entry.ledgerCut).toEqual(['many', 'long']);
    expect(Object.keys(entry.ledger)).toEqual(['short']);
    expect(JSON.stringify(entry).length).toBeLessThan(1_000_000);
  });
});

describe('the page of a history', () => {
  test('says which rule turned red in which run', () => {
    const { page } = pageOf(entryAt(0), entryAt(1), entryAt(2, red), entryAt(3, red));
    expect(page.rules.rows).toEqual([
      [
        '✗',
        'zap.b: broken since 2026-02-03 (2026-02-03 02:00); broken in 2 of 4 runs that judged it.',
      ],
    ]);
    expect(page.runs.map(({ name, broken }) => `${name} ${broken}`)).toEqual([
      '2026-02-04 1',
      '2026-02-03 1',
      '2026-02-02 0',
      '2026-02-01 0',
    ]);
  });

  test('says where other code judged the run before, and what holds again', () => {
    const { page } = pageOf(entryAt(0, { ...red, tool: 'c'.repeat(64) }), entryAt(1));
    expect(page.rules.rows).toEqual([
      [
        '✓',
        'zap.b: holds since 2026-02-02 (2026-02-02 02:00); broken in 1 of 2 runs that judged it. Other code of Assay or another contract judged the run before it.',
      ],
    ]);
  });

  test('states of a limit when it was first found and when it became another', () => {
    const limits = [LIMIT];
    const { page, plots } = pageOf(
      entryAt(0, { limits }),
      entryAt(1, { limits }),
      entryAt(2, { limits: [{ ...LIMIT, limit: 300 }] }),
    );
    expect(page.limits).toEqual([
      {
        title: 'zap, per client address',
        rows: [
          ['!', '2026-02-03 (2026-02-03 02:00): identified, fixed-window: 300 requests, in 10 s'],
          ['·', '2026-02-01 (2026-02-01 02:00): identified, fixed-window: 600 requests, in 10 s'],
        ],
        more: 0,
      },
    ]);
    expect(plots.map(({ of: kind }) => kind)).toContain('history-limits');
  });

  test('has what is seen where the document is silent, since when', () => {
    const seen = (...codes: string[]): object => ({ ledger: { 'zap.errors.codes': codes } });
    const { page } = pageOf(entryAt(0, seen('A', 'B')), entryAt(1, seen('A', 'C')));
    expect(page.ledger.rows).toEqual([
      [
        '−',
        'zap.errors.codes: B is no longer seen since 2026-02-02 (2026-02-02 02:00), after 1 run with it',
      ],
      [
        '+',
        'zap.errors.codes: C is seen since 2026-02-02 (2026-02-02 02:00), in none of 1 run before',
      ],
    ]);
  });

  test('has latency beside what it was, the slowest operation first', () => {
    const row = { operation: 'zap.slow', count: 9, p50Ms: 80, p95Ms: 90 };
    const { page } = pageOf(
      ...[0, 1, 2].map((at) => entryAt(at)),
      entryAt(3, { latencies: [...entryAt(3).latencies, row] }),
    );
    expect(page.latencies).toEqual([
      { ...{ operation: 'zap.slow', answers: 9, p50Ms: 80, p95Ms: 90, runs: 0 } },
      {
        ...{ operation: 'zap.quote', answers: 40, p50Ms: 10, p95Ms: 23, runs: 3 },
        before: { least: 20, middle: 21, greatest: 22 },
      },
    ]);
  });

  test('draws well-formed plots in which each run has its mark, and says what they show', () => {
    const operation = 'zap.<b>"&\u001b[2J';
    const latencies = [{ operation, count: 9, p50Ms: 1, p95Ms: 2 }];
    const nights = [0, 1, 2].map((at) => entryAt(at, { latencies, limits: [LIMIT] }));
    const { plots } = pageOf(...nights);
    expect(plots).toHaveLength(3);
    for (const { svg, alt } of plots) {
      expect(SyntaxValidator.validate(svg)).toBe(true);
      expect(svg.match(/class="run"/g)).toHaveLength(6);
      expect(svg).not.toMatch(/NaN|Infinity|<b>/);
      expect(svg).not.toContain('\u001b');
      expect(svg).toContain('<title>');
      expect(alt).toContain('3 runs');
    }
  });

  test('of one run has no plot, and is nothing if no other was left out', () => {
    expect(pageHistory({ entries: [entryAt(0, red)], notes: [] })).toBe(undefined);
    const { page, plots } = pageOf(entryAt(0, red));
    expect(plots).toEqual([]);
    expect(page.rules.rows).toEqual([
      ['✗', 'zap.b: broken as far back as this goes; broken in 1 of 1 run that judged it.'],
    ]);
  });
});

test('runs of one day are distinguished by their time', () => {
  const began = ['2026-02-03T04:05:06Z', '2026-02-03T07:08:09Z'].map((startedAt) => ({
    startedAt,
  }));
  expect(runLabels(began)).toEqual(['04:05', '07:08']);
  expect(runLabels([...began, { startedAt: '2026-02-04T00:00:00Z' }])[0]).toBe('02-03');
});

test('stands on the page, its foreign text printable, and within its bytes', () => {
  const labels = { commit: 'a\u202eb', more: '</script><script>alert(1)</script>' };
  const nights = Array.from({ length: 300 }, (_, at) => entryAt(at, { ...red, labels }));
  const history = historyOf(entryAt(301, red), nights);
  const source = { run: EXAMPLE_RUN, exchanges: new Map(), leftOut: 0, name: 'n', history };
  const html = renderHtml([source], template(), { clauses: [], mostBytes: 200_000 });
  expect(html.length).toBeLessThan(200_000);
  const [run] = dataOf(html).runs;
  expect(run?.history?.runs).toHaveLength(120);
  expect(JSON.stringify(run?.history)).toContain('a\\\\u{202e}b');
  expect(run?.plots.map(({ of: kind }) => kind)).toContain('history-rules');
  const little = renderHtml([source], template(), { clauses: [], mostBytes: 9_000 });
  const [small] = dataOf(little).runs;
  expect(small?.history).toBeUndefined();
  expect(small?.leftOut).toContain('Earlier runs are not on this page, which is kept small.');
});
