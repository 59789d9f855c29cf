import { expect, test } from 'vitest';
import { EXAMPLE_COMPARISON } from '../comparison.testkit.ts';
import { EXAMPLE_RUN } from '../example-run.testkit.ts';
import { dataOf, template } from './html.testkit.ts';
import { renderHtml } from './html.ts';
import { sourceOf } from '../source.testkit.ts';

test('the page of a run with a baseline says in words what became of it', () => {
  const run = { ...EXAMPLE_RUN, baseline: EXAMPLE_COMPARISON };
  const [page] = dataOf(renderHtml([sourceOf(run)], template(), { clauses: [] })).runs;
  expect(page?.comparison?.headline).toContain('Against the baseline main of 2026-01-01');
  const parts = page?.comparison?.parts ?? [];
  expect(parts.find(({ title }) => title === 'New findings')).toMatchObject({
    rows: [['✗', expect.stringContaining('zap.path.min-return-within-amount at /data')]],
    more: 3,
  });
  expect(page?.run).not.toHaveProperty('baseline');
  const [without] = dataOf(renderHtml([sourceOf(EXAMPLE_RUN)], template(), { clauses: [] })).runs;
  expect(without).not.toHaveProperty('comparison');
  expect(without).not.toHaveProperty('otherUnspecified');
});

test('and of which rules and unspecified clauses the baseline says something else, as far as they are shown', () => {
  const long = `300 in 10 s ${'x'.repeat(100_000)}\u202e`;
  const ledger = {
    rows: [{ ...EXAMPLE_COMPARISON.ledger.rows[0], id: 'zap.a', came: [long], went: ['600'] }],
    more: 0,
  };
  const run = {
    ...EXAMPLE_RUN,
    ledger: [{ id: 'zap.a', clause: '§8', observed: ['always', long] }],
    baseline: { ...EXAMPLE_COMPARISON, ledger } as never,
  };
  const [page] = dataOf(renderHtml([sourceOf(run)], template(), { clauses: [] })).runs;
  const { came = [], went } = page?.otherUnspecified?.['zap.a'] ?? {};
  expect(went).toEqual(['600']);
  // The page looks for it there.
  expect(came).toHaveLength(1);
  expect(page?.run.ledger[0]?.observed[1]).toBe(came[0]);
  const broken = EXAMPLE_RUN.rules.filter(({ findings }) => findings.length > 0);
  expect(Object.keys(page?.since ?? {})).toEqual(broken.map(({ id }) => id));
});
