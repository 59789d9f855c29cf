import { expect, test } from 'vitest';
import { exitCodeOf } from './exit-code.ts';
import { EXAMPLE_LOAD } from '../contracts/run/load/load-run.testkit.ts';
import type { RunJson } from '../contracts/run/run.ts';
import { EXAMPLE_RUN, ruleRow } from '../reports/example-run.testkit.ts';
import { renderMarkdown } from '../reports/forge/markdown.ts';
import { headlineOf } from '../reports/headline.ts';
import { pageOutcome } from '../reports/html/html-run.ts';
import { renderJUnit } from '../reports/junit/junit.ts';
import { problemsOf } from '../reports/problems.ts';
import { sourceOf } from '../reports/source.testkit.ts';
import { renderTerminal } from '../reports/terminal/terminal.ts';

const RUN: RunJson = { ...EXAMPLE_RUN, outcome: 'conforms', notices: [], rules: [ruleRow()] };
const held = [
  { expression: 'errors<1%', measured: 0, held: true },
  { expression: 'p99<300ms', measured: 120, held: true },
];
const GOOD = { ...EXAMPLE_LOAD, violations: [], thresholds: held };
const late = ['Requests left late.'];
const { counts } = GOOD.whole;
const errors = [{ expression: 'errors<0.5%', measured: 4, held: false }];

test.each<[string, '✓' | '✗' | '?', number, RunJson]>([
  ['of rules alone', '✓', 0, RUN],
  ['with a load that held', '✓', 0, { ...RUN, load: GOOD }],
  [
    'with errors, late or not',
    '✗',
    1,
    { ...RUN, load: { ...GOOD, thresholds: errors, invalid: late } },
  ],
  ['whose latency does not count', '?', 3, { ...RUN, load: { ...GOOD, invalid: late } }],
  [
    'that is held to answers alone, and was late',
    '✓',
    0,
    {
      ...RUN,
      load: { ...GOOD, thresholds: held.slice(0, 1), invalid: late, invalidOnly: 'timing' },
    },
  ],
  [
    'with a load that nobody served',
    '?',
    3,
    { ...RUN, load: { ...GOOD, whole: { ...GOOD.whole, counts: { ...counts, served: 0 } } } },
  ],
  ['of which too little is known', '?', 3, { ...RUN, outcome: 'undecided' }],
])('all reports of a run %s say %s, and exit code %i', (_what, symbol, exit, run) => {
  expect(exitCodeOf(run)).toBe(exit);
  expect(headlineOf(run).symbol).toBe(symbol);
  expect(pageOutcome(run).symbol).toBe(symbol);
  const terminal = renderTerminal(run, { color: false, width: 120 });
  expect(terminal[0]).toBe(symbol);
  expect(renderMarkdown([sourceOf(run)])).toContain(`## ${symbol} `);
  const junit = renderJUnit(run);
  expect(junit.includes('<failure')).toBe(symbol === '✗');
  expect(junit.includes('<error')).toBe(symbol === '?');
  expect(problemsOf(run).some(({ level }) => level === 'error')).toBe(symbol !== '✓');
});
