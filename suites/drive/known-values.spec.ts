import { expect, test } from 'vitest';
import { knownValues, type KnownValues } from './known-values.ts';
import { LearnedWorld } from '../service/session/world.ts';
import { valuesOf } from '../service/known-values.ts';

type Noting = Pick<KnownValues, 'valuesOf'> & {
  readonly note: (at: string, json: unknown) => void;
};

/** The same for parsed answers. */
function noting(known: KnownValues): Noting {
  return {
    note: (at, json) => {
      known.note(at, json === undefined ? '' : JSON.stringify(json));
    },
    valuesOf: (name, collection) => known.valuesOf(name, collection),
  };
}

test('ids are known by the collection that was asked for', () => {
  const known = noting(knownValues(() => []));
  known.note('/v1/agents', { data: [{ id: 'a1', owner: { id: 'o1' } }, { id: 'a2' }] });
  known.note('/v1/agents/{agentId}/runs', [{ id: 7, run_name: 'first' }]);
  expect(known.valuesOf('agentId', 'agents').slice(0, 1)).toEqual(['a1']);
  expect(known.valuesOf('id', 'agents')).toContain('a2');
  expect(known.valuesOf('runId', 'runs')).toEqual([7]);
  expect(known.valuesOf('runId', 'tasks')).toEqual([]);
  // An id of a collection is nothing to other parameters.
  expect(known.valuesOf('limit', 'agents')).toEqual([]);
});

test('an id that no double holds is known by its digits', () => {
  const known = knownValues(() => []);
  known.note('/statuses', '[{"id":1541815603606036481,"text":"1541815603606036483"}, {"id": 12}]');
  expect(known.valuesOf('id', 'statuses')).toEqual(['1541815603606036481', 12]);
  expect(known.valuesOf('text', undefined)).toEqual(['1541815603606036483']);
});

test('other members are known by their names, however spelt, a few of each', () => {
  const known = noting(knownValues(() => []));
  known.note(
    '/v1/things',
    [1, 2, 3, 4, 5].map((count) => ({ run_name: `n${count}`, flag: true })),
  );
  expect(known.valuesOf('runName', undefined)).toEqual(['n1', 'n2', 'n3']);
  expect(known.valuesOf('flag', undefined)).toEqual([]);
});

test('what the listings stated is known too', () => {
  const world = new LearnedWorld();
  world.chainIds.push(1, 10);
  world.pools.push({ chainId: 1, address: '0xp', protocol: 'amm', tokens: ['0xa', '0xb'] });
  const known = knownValues((name) => valuesOf(world, name));
  expect(known.valuesOf('chain_id', 'chains')).toEqual([1, 10]);
  expect(known.valuesOf('poolAddress', undefined)).toEqual(['0xp']);
  expect(known.valuesOf('srcToken', undefined)).toEqual(['0xa']);
  expect(known.valuesOf('name', undefined)).toEqual([]);
});

test('large answers and strange ones are no trouble', () => {
  const known = noting(knownValues(() => []));
  known.note('/', undefined);
  known.note(
    '/v1/x',
    Array.from({ length: 2_000 }, (_, index) => ({ [`k${index}`]: index })),
  );
  expect(known.valuesOf('k1', undefined)).toEqual([1]);
  expect(known.valuesOf('k1900', undefined)).toEqual([]);
});

test('an answer that nests without end is no trouble, and shows nothing', () => {
  const known = knownValues(() => []);
  const deep = '[{"a":'.repeat(50_000) + '1' + '}]'.repeat(50_000);
  expect(() => {
    known.note('/v1/things', `{"deep":${deep},"name":"n"}`);
  }).not.toThrow();
  expect(known.valuesOf('name', undefined)).toEqual([]);
});

test('what stands deeper than anybody nests is not learned', () => {
  const nested = (levels: number): unknown =>
    Array.from({ length: levels }).reduce((inner) => ({ a: inner }), { depth: levels });
  const known = noting(knownValues(() => []));
  known.note('/v1/things', nested(20));
  known.note('/v1/things', nested(100));
  expect(known.valuesOf('depth', undefined)).toEqual([20]);
});
