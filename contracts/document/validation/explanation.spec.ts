import { describe, expect, test } from 'vitest';
import { loadContract } from '../../service/load-contract.ts';
import { faultsOf, places } from './both-compilers.testkit.ts';

describe('a body that is looked at in parts', () => {
  const item = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } };
  const list = (count: number, wrong: (at: number) => boolean): object[] =>
    Array.from({ length: count }, (_, at) => ({ id: wrong(at) ? 'x' : at }));

  test('has each fault counted, at the place of the first', () => {
    const schema = { properties: { list: { items: item } } };
    const { listed, isComplete } = faultsOf(schema, {
      list: list(20_000, (at) => at % 7_000 === 6_999),
    });
    expect(listed).toEqual([
      { pointer: '/list/6999/id', expected: 'an integer', facet: undefined, times: 2 },
    ]);
    expect(isComplete).toBe(true);
  });

  test('is not broken by what only its parts break', () => {
    const schema = {
      required: ['total'],
      properties: {
        total: { type: 'integer' },
        list: { items: item, minItems: 20_000, contains: { properties: { id: { const: 3 } } } },
        map: { minProperties: 9_000, required: ['k8999'], additionalProperties: item },
      },
      if: { properties: { list: { maxItems: 10_000 } } },
      then: { properties: { list: { items: { required: ['never'] } } } },
      oneOf: [{ properties: { list: { minItems: 15_000 } } }, { required: ['never'] }],
    };
    const map = Object.fromEntries(list(9_000, () => false).map((value, at) => [`k${at}`, value]));
    const body = { total: 'many', list: list(20_000, () => false), map };
    expect(places(schema, { ...body, total: 1 })).toEqual([]);
    expect(places(schema, body)).toEqual(['/total: an integer']);
  });

  test('is not broken by what only a part of it leaves unevaluated', () => {
    const schema = {
      properties: { total: { type: 'integer' } },
      anyOf: [{ properties: { list: { minItems: 15_000 }, note: true } }, { required: ['never'] }],
      unevaluatedProperties: { type: 'integer' },
    };
    const body = { total: 'many', note: 'a text', list: list(20_000, () => false) };
    expect(places(schema, { ...body, total: 1 })).toEqual([]);
    expect(places(schema, body)).toEqual(['/total: an integer']);
  });

  test('keeps the fault that decided, if no part shows it', () => {
    const schema = { properties: { list: { items: item, maxItems: 10_000 } } };
    expect(faultsOf(schema, { list: list(20_000, () => false) })).toEqual({
      listed: [{ pointer: '/list', expected: 'at most 10000 items', facet: undefined, times: 1 }],
      isComplete: true,
    });
  });

  test('is not looked at by position behind its first part', () => {
    const schema = {
      properties: { list: { prefixItems: [{ required: ['first'] }], items: item } },
    };
    const body = { list: [{ first: 1 }, ...list(20_000, (at) => at === 15_000)] };
    expect(faultsOf(schema, body)).toEqual({
      listed: [{ pointer: '/list/15001/id', expected: 'an integer', facet: undefined, times: 1 }],
      isComplete: false,
    });
  });

  test('with a fault in each item is listed in part', async () => {
    const contract = await loadContract();
    const pools = Array.from({ length: 40_000 }, () => ({}));
    const faults = contract
      .operation('zap.pools')
      ?.faultsOf(200, { status: 'success', data: { pools } });
    expect(faults?.isComplete).toBe(false);
    expect(faults?.listed.map(({ pointer }) => pointer)).toContain('/data/pools/0/address');
  });
});
