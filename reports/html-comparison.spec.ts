import { expect, test } from 'vitest';
import { EXAMPLE_COMPARISON } from './comparison.testkit.ts';
import { EXAMPLE_RUN } from './example-run.testkit.ts';
import { dataOf, template } from './html.testkit.ts';
import { renderHtml } from './html.ts';
import { sourceOf } from './source.testkit.ts';

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
});
