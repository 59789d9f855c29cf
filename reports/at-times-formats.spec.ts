import { expect, test } from 'vitest';
import { historyEntryOf, historyOf } from '../contracts/history/run-history.ts';
import type { AtTimesRow, RunJson } from '../contracts/run/run.ts';
import { wholeCase } from './allure/allure-run-cases.ts';
import { EXAMPLE_RUN } from './example-run.testkit.ts';
import { NOWHERE } from './forge/placing.ts';
import { renderMarkdown } from './forge/markdown.ts';
import { renderSarif } from './forge/sarif.ts';
import { renderSummary } from './forge/summary.ts';
import { pageHistory } from './html/history-page.ts';
import { pageRun } from './html/html-run.ts';
import { renderJUnit } from './junit/junit.ts';
import { atTimesNotices } from './run/error-notices.ts';
import { marksOf } from './run-kinds.ts';
import { sourceOf } from './source.testkit.ts';
import { renderTerminal } from './terminal/terminal.ts';

const row = (kind: AtTimesRow['kind'], count: number, of: number): AtTimesRow => ({
  ...{ api: 'zap', operation: 'zap.quote', kind, count, of },
});
const [FAILED, REFUSED] = [row('failed', 7, 990), row('refused', 2, 4)];
const RUN: RunJson = {
  ...EXAMPLE_RUN,
  atTimes: [FAILED, REFUSED],
  notices: atTimesNotices({ rows: [FAILED], answers: 990 }, [REFUSED]),
};
const WHOLE = { exchanges: 10, findings: 100, characters: 1_000, rows: 100 };
const ENTRIES = [EXAMPLE_RUN, { ...RUN, record: { id: 'other' } }].map((run, at) =>
  historyEntryOf({ ...run, startedAt: `2026-01-0${at + 1}T00:00:00Z` }, `n${at}`),
);

test.each<[string, () => string]>([
  ['terminal', () => renderTerminal(RUN, { color: false, width: 120 })],
  ['Markdown', () => renderMarkdown([sourceOf(RUN)])],
  ['JUnit', () => renderJUnit(RUN)],
  ['SARIF', () => renderSarif([sourceOf(RUN)], { placing: NOWHERE })],
  ['Allure', () => JSON.stringify(wholeCase({ run: RUN, exchanges: new Map(), kind: 'check' }))],
  ['the page', () => JSON.stringify(pageRun(sourceOf(RUN), WHOLE))],
  ['the summary', () => renderSummary([sourceOf(RUN)])],
  ['the list of a history', () => marksOf(ENTRIES[1] ?? {}).join()],
])('%s says what did not serve at times, with rate, interval and operation', (_, render) => {
  const text = render().replaceAll(/\s+/g, ' ');
  for (const { count, of } of [FAILED, REFUSED]) expect(text).toContain(`${count} of ${of}`);
  expect(text).toContain('zap.quote');
  expect(text).toMatch(/0\.71 % \(0\.2. % to 1\.5 %\).*50 % \(6\.8 % to 93 %\)/);
});

test('the page of a history says so of the run', () => {
  const newest = ENTRIES[1];
  if (newest === undefined) throw new Error('there is no run');
  const rows = pageHistory(historyOf(newest, ENTRIES))?.page.runs;
  expect(rows?.map(({ labels }) => labels.includes('zap.quote failed 7 of 990'))).toEqual([
    true,
    false,
  ]);
});

test('of many operations that did not serve at times the marks of a run name three', () => {
  const marks = marksOf({ atTimes: Array<AtTimesRow>(5).fill(FAILED) });
  expect(marks).toHaveLength(4);
  expect(marks.at(-1)).toBe('2 more at times');
});
