import { expect, test } from 'vitest';
import { EXAMPLE_RUN, ruleRow } from '../example-run.testkit.ts';
import { needsOf } from '../run/needs.ts';
import { renderTerminal } from './terminal.ts';

const OPTIONS = { color: false, width: 100 };

test('what going on has reached is reported beside what it was before, and when it ended', () => {
  const run = {
    ...EXAMPLE_RUN,
    search: {
      requests: 9_300,
      reached: [
        { what: 'pairs of them' as const, before: 160, now: 12_800, newestRequestsAgo: 0 },
        { what: 'chains' as const, before: 9, now: 9, newestRequestsAgo: 9_400 },
        { what: 'kinds of answers' as const, before: 100, now: 140, newestRequestsAgo: 4_711 },
      ],
    },
  };
  const text = renderTerminal(run, OPTIONS).replaceAll(/\s+/g, ' ');
  expect(text).toContain(
    '9300 requests beyond those of a gate: pairs of them 160 → 12800, chains 9',
  );
  expect(text).toContain('The last answer of a new kind came 4711 requests before the end.');
  expect(renderTerminal(EXAMPLE_RUN, OPTIONS)).not.toContain('going on');
});

test('what a rule needs that was not reached is reported with the reason', () => {
  const needs = needsOf({ api: 'zap', answer: 'throttled' }, EXAMPLE_RUN.target);
  const row = ruleRow({ verdict: 'not-reached', reason: 'no exchange of the run shows it' });
  const rules = [needs === undefined ? row : { ...row, needs }];
  const run = { ...EXAMPLE_RUN, rules };
  const text = renderTerminal(run, { ...OPTIONS, detail: 'verbose' }).replaceAll(/\s+/g, ' ');
  expect(text).toContain(
    'no exchange of the run shows it; it needs a rate limit that the requests',
  );
  expect(renderTerminal(run, OPTIONS)).toContain('needs a rate limit that the requests');
});

test('a probe of limits is not sent to look for limits', () => {
  const rule = { api: 'zap', answer: 'throttled' } as const;
  const { target } = EXAMPLE_RUN;
  expect(needsOf(rule, target)).toContain('`assay limits`');
  expect(needsOf(rule, target, 'whole')).toBe(
    'a rate limit that the requests of the run exceed, and the part of the probe that tries it, or answers that state it',
  );
  expect(needsOf(rule, target, 'cut short')).toBeUndefined();
});

test('who has named a node is not sent to name one', () => {
  const needs = { apis: [], also: 'a node' } as const;
  const rule = { api: 'zap', answer: 'success', besides: ['rpc'], needs } as const;
  expect(needsOf(rule, EXAMPLE_RUN.target)).toBe('a node');
  expect(needsOf(rule, EXAMPLE_RUN.target, undefined, true)).toMatch(/a notice says which/);
  expect(needsOf({ ...rule, besides: [] }, EXAMPLE_RUN.target, undefined, true)).toBe('a node');
});

const KEYS = { apis: ['docs', 'trade'], also: 'some key' } as const;

test.each([
  [{ api: 'docs', answer: 'success' }, '--docs-url'],
  [{ api: 'trade', answer: 'answered', needs: KEYS }, '--docs-url'],
  [{ api: 'trade', answer: 'answered', needs: { ...KEYS, apis: ['trade'] } }, 'some key'],
  [{ api: 'trade', answer: 'answered' }, undefined],
] as const)('%o needs %s', (rule, expected) => {
  expect(needsOf(rule, EXAMPLE_RUN.target)).toBe(expected);
});
