import { expect, test } from 'vitest';
import { EXAMPLE_RUN, ruleRow } from './example-run.testkit.ts';
import { renderMarkdown } from './forge/markdown.ts';
import { pageRun } from './html/html-run.ts';
import { askedRules, rulesPass } from './rules-pass.ts';
import { sourceOf } from './source.testkit.ts';
import { renderTerminal } from './terminal/terminal.ts';

test.each([
  [3, 8, 0, '3 of 8 rules pass'],
  [1, 1, 0, '1 of 1 rule passes'],
  [0, 10, 0, '0 of 10 rules pass'],
  [8, 10, 1, '8 of 10 rules pass'],
  [0, 10, 1, '1 limit measured, and no rule speaks of what was found'],
  [0, 10, 2, '2 limits measured, and no rule speaks of what was found'],
])('%i of %i with %i limits: %s', (passed, asked, count, words) => {
  const limits = EXAMPLE_RUN.limits.flatMap((one) => Array.from({ length: count }, () => one));
  const unknown = EXAMPLE_RUN.limits.flatMap((one) =>
    (['inconclusive', 'composite', 'ambiguous', 'unlimited-within-budget'] as const).map(
      (verdict) => ({ ...one, verdict }),
    ),
  );
  expect(rulesPass(passed, asked, [...limits, ...unknown])).toBe(words);
});

test('all reports count the same rules as not reached: those of an API that nobody named are none', () => {
  const unreached = { verdict: 'not-reached', evidence: 0, reason: 'nothing shows it' } as const;
  const rules = [
    ruleRow(),
    ...['zap.a', 'zap.b'].map((id) => ruleRow({ id, ...unreached })),
    ...['docs.a', 'docs.b', 'docs.c'].map((id) => ruleRow({ id, api: 'docs', ...unreached })),
  ];
  const run = { ...EXAMPLE_RUN, rules };
  expect(run.target.urls.docs).toBeUndefined();
  expect(askedRules(run).map(({ id }) => id)).toEqual(['zap.quote.shape', 'zap.a', 'zap.b']);
  for (const detail of ['short', 'verbose'] as const) {
    const text = renderTerminal(run, { color: false, width: 120, detail });
    expect(text).toMatch(/2 \(nothing shows it\)|not reached +2|2 not reached/);
    expect(text).not.toMatch(/docs\.a/);
  }
  expect(renderMarkdown([sourceOf(run)])).toContain('2 rules not reached');
  const bounds = { exchanges: 10, findings: 100, characters: 1000, rows: 100 };
  const { page } = pageRun(sourceOf(run), bounds);
  expect(page.run.rules).toHaveLength(3);
});
