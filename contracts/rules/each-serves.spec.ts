import { expect, test } from 'vitest';
import { contractOf } from '../document/contract-of.testkit.ts';
import { exchangeOf, type ExchangeSketch } from '../judging/exchange.testkit.ts';
import { CONTRACT_PROBE } from '../judging/contract-probe.ts';
import { judge } from '../judging/judge.ts';
import type { RuleResult } from '../judging/verdict.ts';
import { verdictOf } from '../judging/verdicts.testkit.ts';
import { RuleRegistry } from './registry.ts';

const json = { responses: { 200: { description: 'ok' } } };
const contract = await contractOf({
  '/things': { get: { operationId: 'list', ...json }, post: { operationId: 'add', ...json } },
});
const RULES = new RuleRegistry({ sections: [], measured: () => [] }).ofContract(contract);

const asked = { kind: 'probe', about: `${CONTRACT_PROBE}: body` } as const;

function add(sent: unknown, more: Partial<ExchangeSketch> = {}): ExchangeSketch {
  return { api: 'ai', method: 'POST', path: '/things', purpose: asked, sent, status: 500, ...more };
}

const LIST: ExchangeSketch = { api: 'ai', path: '/things', purpose: asked };
const FIVE = [1, 2, 3, 4, 5].map((sent) => add(sent));

function resultOf(...sketches: readonly ExchangeSketch[]): RuleResult | undefined {
  const exchanges = sketches.map((one, at) => exchangeOf({ id: `x${at + 1}`, ...one }));
  return judge(RULES, contract, exchanges).find(
    ({ rule }) => rule.id === 'ai.operations.each-serves',
  );
}

test('an operation that fails in five different requests beside others that are served is broken', () => {
  const { verdict, findings = [] } = resultOf(...FIVE, LIST) ?? {};
  expect(verdict).toBe('fail');
  expect(findings[0]?.actual).toMatch(
    /^ai\.add failed in all of 5 different valid requests .*: 500/,
  );
  expect(findings[0]?.exchanges).toContain('x1');
});

test.each<[string, readonly ExchangeSketch[]]>([
  ['four requests', [...FIVE.slice(1), LIST]],
  ['an outage of all from the first of them on', [LIST, ...FIVE]],
  ['the same request five times', [LIST, ...FIVE.map(() => add(1))]],
  ['a success among them', [LIST, ...FIVE, add(6, { status: 200 })]],
  [
    'wrong requests',
    [
      LIST,
      ...FIVE.map((one): ExchangeSketch => ({ ...one, purpose: { kind: 'invalid', defect: 'x' } })),
    ],
  ],
  ['refusals', [LIST, ...FIVE.map((one) => ({ ...one, status: 422 }))]],
  [
    'nobody who listens',
    [LIST, ...FIVE.map((one): ExchangeSketch => ({ ...one, failure: 'connect' }))],
  ],
])('%s break nothing', (_, sketches) => {
  expect(resultOf(...sketches)?.verdict).toBe('pass');
});

test('where the host serves nothing else, nothing is known', () => {
  expect(resultOf(...FIVE)?.verdict).toBe('not-reached');
});

test('no answer is a failure like an error of the server', () => {
  const silent = FIVE.map((one): ExchangeSketch => ({ ...one, failure: 'timeout' }));
  expect(resultOf(...silent, LIST)?.verdict).toBe('fail');
});

test('of the documented operations of the zap API, what is answered is for rules of their own', () => {
  const id = 'zap.operations.each-serves';
  const build = (amount: number, more: object): ExchangeSketch => ({
    ...{ method: 'POST', path: '/v1/buildTx', sent: { amount }, status: 500 },
    ...more,
  });
  const five = (more: object): ExchangeSketch[] => [1, 2, 3, 4, 5].map((one) => build(one, more));
  expect(verdictOf(id, ...five({}), {})).toBe('pass');
  expect(verdictOf(id, ...five({ failure: 'closed' }), {})).toBe('fail /');
});
