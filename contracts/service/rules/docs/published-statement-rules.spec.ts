import { describe, expect, test } from 'vitest';
import { judge } from '../../../judging/judge.ts';
import { loadContract } from '../../load-contract.ts';
import { publishedStatementRules } from './published-statement-rules.ts';
import { wireExchange } from '../../../judging/verdicts.testkit.ts';

const contract = await loadContract();

interface Parts {
  /** Properties of a zap request. */
  readonly zap?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
  readonly limit?: unknown;
  readonly answer?: unknown;
}

/** A published contract of a few parts, as JSON, which is YAML. */
function published({ zap = {}, required, limit = {}, answer = {} }: Parts): object {
  const schema = { type: 'object', properties: zap, ...(required && { required }) };
  return {
    openapi: '3.1.0',
    info: { title: 'a', version: '1' },
    paths: {
      '/api/v1/quote': {
        post: {
          requestBody: { content: { 'application/json': { schema } } },
          responses: { 200: { content: { 'application/json': { schema: answer } } } },
        },
      },
      '/v1/pools': { get: { parameters: [{ name: 'limit', in: 'query', schema: limit }] } },
    },
  };
}

/** The verdict on a kind of statement, and where it was broken. */
function verdictOn(kind: 'types' | 'numbers' | 'required', document: object): string {
  const rules = publishedStatementRules.filter(({ id }) => id.includes(`.${kind}-`));
  const text = JSON.stringify(document);
  const [result] = judge(rules, contract, [
    wireExchange({ api: 'docs', path: '/openapi.yaml', text }),
  ]);
  const places = (result?.findings ?? []).map(({ pointer }) =>
    pointer.split('/').slice(-2).join('/'),
  );
  return [result?.verdict, ...places].join(' ');
}

const string = { type: 'string' };

describe('types of a request', () => {
  test.each<[Readonly<Record<string, unknown>>, string]>([
    [{ amount: string, srcChainId: { type: 'integer' } }, 'pass'],
    [{ amount: { type: ['string', 'null'] }, srcChainId: { type: 'number' } }, 'pass'],
    [{ amount: { anyOf: [string, { type: 'integer' }] } }, 'pass'],
    [{ amount: { pattern: '^[0-9]+$' }, srcChainId: { enum: [1, 10] } }, 'pass'],
    [{ allowedDexes: { type: 'array', items: string }, integrator: { type: 'object' } }, 'pass'],
    [{ more: { type: 'number' } }, 'pass'],
    [{ amount: { type: 'number' } }, 'fail requestBody/amount'],
    [{ amount: { oneOf: [{ type: 'integer' }, { type: 'number' }] } }, 'fail requestBody/amount'],
    [{ amount: { allOf: [string, { type: ['number'] }] } }, 'fail requestBody/amount'],
    [{ srcChainId: string }, 'fail requestBody/srcChainId'],
    [{ slippage: { type: 'integer' } }, 'fail requestBody/slippage'],
    [
      { allowedDexes: { type: 'array', items: { type: 'integer' } } },
      'fail requestBody/allowedDexes',
    ],
  ])('%j', (zap, verdict) => {
    expect(verdictOn('types', published({ zap }))).toBe(verdict);
  });

  test('of a contract in another version, and of one that says none', () => {
    const body = {
      in: 'body',
      schema: { type: 'object', properties: { amount: { type: 'number' } } },
    };
    const older = {
      swagger: '2.0',
      info: { title: 'a', version: '1' },
      paths: { '/v1/quote': { post: { parameters: [body], responses: {} } } },
    };
    expect(verdictOn('types', older)).toBe('fail requestBody/amount');
    const silent = { ...older, paths: { '/v1/quote': { post: { responses: {} } } } };
    expect(verdictOn('types', silent)).toBe('not-reached');
  });
});

describe('types of a response', () => {
  const answered = (path: unknown): object => ({
    properties: { data: { properties: { path: { type: 'array', items: { properties: path } } } } },
  });

  test.each<[Readonly<Record<string, unknown>>, string]>([
    // A service may know that its durations are whole.
    [{ estimatedDuration: { type: 'integer' } }, 'pass'],
    [{ estimatedDuration: string }, 'fail path/estimatedDuration'],
    [{ fee: { items: { properties: { amount: { type: 'number' } } } } }, 'fail fee/amount'],
  ])('%j', (path, verdict) => {
    expect(verdictOn('types', published({ answer: answered(path) }))).toBe(verdict);
  });
});

test.each<[unknown, string]>([
  [{ maximum: 200, default: 50 }, 'pass'],
  [{ exclusiveMaximum: 201 }, 'pass'],
  [{ maximum: 201, exclusiveMaximum: true }, 'pass'],
  [{ type: 'integer' }, 'not-reached'],
  [{ maximum: 500, default: 50 }, 'fail limit/maximum'],
  [{ maximum: 100, default: 20 }, 'fail limit/maximum limit/default'],
])('the limit of pools: %j', (limit, verdict) => {
  expect(verdictOn('numbers', published({ limit }))).toBe(verdict);
});

test('estimateGas is false by default', () => {
  const build = (value: boolean): object => {
    const document = published({ zap: { estimateGas: { type: 'boolean', default: value } } });
    return JSON.parse(JSON.stringify(document).replace('/api/v1/quote', '/v1/buildTx')) as object;
  };
  expect(verdictOn('numbers', build(false))).toBe('pass');
  expect(verdictOn('numbers', build(true))).toBe('fail estimateGas/default');
});

describe('required fields', () => {
  const zap = { srcToken: string, recipient: string, amount: string };

  test.each<[readonly string[] | undefined, string]>([
    [['srcToken', 'recipient'], 'pass'],
    [['recipient'], 'warn requestBody/srcToken'],
    [['srcToken', 'recipient', 'amount'], 'warn requestBody/amount'],
    [undefined, 'not-reached'],
  ])('%j', (required, verdict) => {
    const parts = required === undefined ? { zap } : { zap, required };
    expect(verdictOn('required', published(parts))).toBe(verdict);
  });
});

test('a contract that is too much to look at is not judged, and costs little', () => {
  const schemas: Record<string, unknown> = { s0: string };
  for (let at = 1; at < 12; at += 1) {
    const reference = { $ref: `#/components/schemas/s${at - 1}` };
    schemas[`s${at}`] = { anyOf: Array.from({ length: 50 }, () => reference) };
  }
  const zap = { amount: { $ref: '#/components/schemas/s11' } };
  expect(verdictOn('types', { ...published({ zap }), components: { schemas } })).toBe(
    'not-reached',
  );
});
