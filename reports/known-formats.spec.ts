import type { Log } from 'sarif';
import { expect, test } from 'vitest';
import { knownFileOf, knownIn } from '../contracts/compare/known-findings.ts';
import type { RunFinding, RunJson } from '../contracts/run/run.ts';
import { EXAMPLE_RUN, ruleRow } from './example-run.testkit.ts';
import { ruleCases } from './allure/allure-cases.ts';
import { renderAnnotations } from './forge/annotations.ts';
import { renderCodeQuality } from './forge/code-quality.ts';
import { renderMarkdown } from './forge/markdown.ts';
import { NOWHERE } from './forge/placing.ts';
import { renderSarif } from './forge/sarif.ts';
import { headlineOf } from './headline.ts';
import { pageRun } from './html/html-run.ts';
import { renderJUnit } from './junit/junit.ts';
import { problemsOf } from './problems.ts';
import { sourceOf } from './source.testkit.ts';
import { renderTerminal } from './terminal/terminal.ts';

const finding = (pointer: string): RunFinding => ({
  ...{ operation: 'zap.quote', pointer, expected: 'x', actual: 'y' },
  ...{ exchanges: ['x1'], curl: 'c', count: 1 },
});
const broken = (id: string, ...places: readonly string[]): RunJson['rules'][number] =>
  ruleRow({ id, verdict: 'fail', evidence: 9, findings: places.map(finding) });
const run = (...rules: RunJson['rules']): RunJson => ({
  ...{ ...EXAMPLE_RUN, limits: [], rules, outcome: 'does-not-conform', complete: true },
});
const THEN = {
  ...run(broken('zap.a', '/a'), broken('zap.gone', '/g')),
  startedAt: '2025-11-01T00:00:00Z',
};
const LISTED = knownFileOf(THEN).known.map((one) => ({ ...one, rate: { broken: 9, judged: 9 } }));
const NOW = run(broken('zap.a', '/a'), broken('zap.b', '/b'), {
  ...ruleRow({ id: 'zap.gone', verdict: 'pass', evidence: 9, findings: [] }),
  judgedAt: [{ operation: 'zap.quote', times: 9 }],
});
const RUN: RunJson = { ...NOW, known: knownIn(NOW, LISTED, 'known.json') };
const KNOWN = /known since 2025-11-01/i;
const NEW = /new, not among what is known/i;

const WHOLE = { exchanges: 10, findings: 100, characters: 1_000, rows: 100 };

test('the first words are how many are known and new', () => {
  expect(headlineOf(RUN).words).toMatch(/^1 known, 1 new: zap\.a and 1 more rule broken/);
  const all = renderTerminal(RUN, { color: false, width: 120 });
  expect(all).toMatch(/^✗ does not conform: 1 known, 1 new: /);
  expect(headlineOf(NOW).words).not.toContain('known');
  const [first = broken('zap.a'), ...others] = RUN.rules;
  const findings = first.findings.map((one) => ({ ...one, further: 57 }));
  const { words } = headlineOf({ ...RUN, rules: [{ ...first, findings }, ...others] });
  expect(words).toMatch(/^1 known, 1 new, 57 at places that are not listed: /);
});

test.each<[string, (run: RunJson) => string]>([
  ['terminal', (one) => renderTerminal(one, { color: false, width: 120 })],
  ['Markdown', (one) => renderMarkdown([sourceOf(one)])],
  ['JUnit', renderJUnit],
  ['Allure', (one) => JSON.stringify(ruleCases({ run: one, exchanges: new Map(), kind: 'check' }))],
  ['SARIF', (one) => JSON.stringify(problemsOf(one))],
  ['the page', (one) => JSON.stringify(pageRun(sourceOf(one), WHOLE).page.run.rules)],
])('what is new stands before what is known, whichever was found first: %s', (_, render) => {
  const both = run(broken('zap.a', '/a', '/fresh'));
  const text = render({ ...both, known: knownIn(both, LISTED, 'known.json') });
  expect(text).toContain('/fresh');
  expect(text.search(/\/fresh|fresh was/)).toBeLessThan(text.search(/\/a\b|\ba was y/));
});

test.each<[string, () => string]>([
  ['terminal', () => renderTerminal(RUN, { color: false, width: 120 })],
  ['Markdown', () => renderMarkdown([sourceOf(RUN)])],
  ['JUnit', () => renderJUnit(RUN)],
  ['code quality', () => renderCodeQuality([sourceOf(RUN)], NOWHERE)],
  ['annotations', () => renderAnnotations([sourceOf(RUN)], NOWHERE)],
  ['SARIF', () => renderSarif([sourceOf(RUN)], { placing: NOWHERE })],
  ['the page', () => JSON.stringify(pageRun(sourceOf(RUN), WHOLE))],
])('%s says of each finding whether it is known', (_format, render) => {
  const text = render();
  expect(text).toMatch(KNOWN);
  expect(text).toMatch(NEW);
});

test.each<[string, () => string]>([
  ['terminal', () => renderTerminal(RUN, { color: false, width: 120 })],
  ['Markdown', () => renderMarkdown([sourceOf(RUN)])],
])('%s lists what is known and gone', (_format, render) => {
  expect(render()).toMatch(/zap\.gone.*since 2025-11-01/);
});

test.each<[string, (one: RunJson) => string]>([
  ['terminal', (one) => renderTerminal(one, { color: false, width: 120 })],
  ['Markdown', (one) => renderMarkdown([sourceOf(one)])],
])('%s says that a file of another target does not show what is gone', (_format, render) => {
  const known = knownIn(NOW, LISTED, 'known.json', { target: { environment: 'staging' } });
  const text = render({ ...NOW, known }).replaceAll(/\s+/g, ' ');
  expect(text).toContain(
    'Nothing is said of what is gone from known.json, as it is of another target (environment staging); ',
  );
  expect(text).not.toContain('zap.gone');
});

test('SARIF has what is known as unchanged', () => {
  const [log] = (JSON.parse(renderSarif([sourceOf(RUN)], { placing: NOWHERE })) as Log).runs;
  const states = log?.results?.map(({ ruleId, baselineState }) => [ruleId, baselineState]);
  expect(states).toEqual([
    ['zap.a', 'unchanged'],
    ['zap.b', 'new'],
  ]);
});
