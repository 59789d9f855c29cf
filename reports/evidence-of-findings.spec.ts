import { expect, test } from 'vitest';
import type { RunFinding, RunJson } from '../contracts/run/run.ts';
import { ruleCases } from './allure/allure-cases.ts';
import { EXAMPLE_RUN, ruleRow } from './example-run.testkit.ts';
import { findingNotes, rateWords, seenWords } from './finding-words.ts';
import { renderAnnotations } from './forge/annotations.ts';
import { renderCodeQuality } from './forge/code-quality.ts';
import { renderMarkdown } from './forge/markdown.ts';
import { NOWHERE } from './forge/placing.ts';
import { renderSarif } from './forge/sarif.ts';
import { renderJUnit } from './junit/junit.ts';
import { sourceOf } from './source.testkit.ts';
import { renderTerminal } from './terminal/terminal.ts';

const FINDING: RunFinding = {
  ...{ operation: 'zap.quote', pointer: '/a', expected: 'x', actual: 'y' },
  ...{ exchanges: ['x1'], curl: 'c', count: 1 },
};
const runWith = (changes: Partial<RunFinding>): RunJson => ({
  ...EXAMPLE_RUN,
  rules: [ruleRow({ id: 'zap.a', verdict: 'fail', findings: [{ ...FINDING, ...changes }] })],
});
const FORMATS: Readonly<Record<string, (run: RunJson) => string>> = {
  terminal: (run) => renderTerminal(run, { color: false, width: 200 }),
  JUnit: renderJUnit,
  Markdown: (run) => renderMarkdown([sourceOf(run)]),
  SARIF: (run) => renderSarif([sourceOf(run)], { placing: NOWHERE }),
  'code quality': (run) => renderCodeQuality([sourceOf(run)], NOWHERE),
  annotations: (run) => renderAnnotations([sourceOf(run)], NOWHERE),
};

test('a rate has its interval of 95 %', () => {
  expect(rateWords({ broken: 1, judged: 200 }, 'it was judged')).toBe(
    '1 of 200 times that it was judged, 0.5 % (0.013 % to 2.8 %)',
  );
  expect(findingNotes({ ...FINDING, rate: { broken: 9, judged: 9 } })).toEqual([]);
});

test('an interval is of comparable requests, not of those that were chosen for having broken the rule', () => {
  const rate = { broken: 2, judged: 4 };
  const same = 'requests that broke it did so 2 of 4 times';
  expect(findingNotes({ ...FINDING, rate })).toEqual([['rate', `intermittent: ${same}`]]);
  expect(findingNotes({ ...FINDING, rate, share: { broken: 2, judged: 400 } })).toEqual([
    [
      'rate',
      `intermittent: 2 of 400 times that comparable requests were judged, 0.5 % (0.061 % to 1.8 %); ${same}`,
    ],
  ]);
});

test('places are no times: a finding says at how many it was seen, and in how much of what was judged', () => {
  const rule = { evidence: 60 };
  const rate = { broken: 3, judged: 50 };
  expect(seenWords({ count: 3, share: rate }, rule)).toBe('in 3 of 60 exchanges or groups judged');
  expect(seenWords({ count: 90, share: rate }, rule)).toBe(
    'at 90 places in 3 of 60 exchanges or groups judged',
  );
  expect(seenWords({ count: 1 }, { evidence: 1 })).toBe('at 1 place; 1 exchange or group judged');
  for (const name of ['terminal', 'JUnit', 'Markdown'])
    expect(FORMATS[name]?.(runWith({ count: 90, share: rate }))).toContain('at 90 places in 3 of');
});

test.each(Object.entries(FORMATS))('what is intermittent is said so: %s', (_, render) => {
  const words = 'intermittent: 1 of 200 times';
  const rate = { broken: 1, judged: 200 };
  expect(render(runWith({ rate, share: rate }))).toContain(words);
  expect(render(runWith({ rate: { broken: 3, judged: 3 } }))).not.toContain('intermittent');
});

test('Allure has what is intermittent as flaky, and nothing else', () => {
  const isFlaky = (rate: RunFinding['rate']): boolean => {
    const run = runWith(rate === undefined ? {} : { rate });
    const [one] = ruleCases({ run, exchanges: new Map(), kind: 'check' });
    return Object.hasOwn(one?.reported.statusDetails ?? {}, 'flaky');
  };
  expect([isFlaky({ broken: 1, judged: 2 }), isFlaky({ broken: 2, judged: 2 })]).toEqual([
    true,
    false,
  ]);
});

test.each(Object.entries(FORMATS))('what only an outage broke is folded: %s', (name, render) => {
  const text = render(runWith({ isOfOutage: true }));
  expect(text).not.toMatch(/^[ -]*expected/m);
  if (['SARIF', 'code quality', 'annotations'].includes(name))
    expect(text).toContain('1 rule is broken by the answers of an outage alone: zap.a');
});
