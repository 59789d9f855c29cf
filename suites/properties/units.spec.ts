import { expect, test } from 'vitest';
import { FIELD_GROUPS } from '../service/field-groups.ts';
import { isOfWhole, unitsOf as unitsIn } from './units.ts';

const unitsOf = (fields: readonly string[]): string[][] => unitsIn(fields, FIELD_GROUPS);

const body = (...names: readonly string[]): string[] => names.map((name) => `body/${name}`);

test('all fields come first, then all but the route, the route, and each alone, none twice', () => {
  const [slippage = '', srcToken = '', srcChainId = '', amount = ''] = body(
    ...['slippage', 'srcToken', 'srcChainId', 'amount'],
  );
  expect(unitsOf([slippage, srcToken, srcChainId, amount])).toEqual([
    [slippage, srcToken, srcChainId, amount],
    [slippage],
    [srcToken, srcChainId, amount],
    [srcToken],
    [srcChainId],
    [amount],
  ]);
});

test('an end of a route is put back with its chain, and the first one with its amount', () => {
  const fields = body('srcToken', 'srcChainId', 'amount', 'destToken', 'destChainId');
  const units = unitsOf(fields).map((unit) => unit.join());
  expect(units).toContain(body('srcToken', 'srcChainId', 'amount').join());
  expect(units).toContain(body('destToken', 'destChainId').join());
  expect(units).not.toContain(body('srcToken', 'srcChainId').join());
  const entry = body('data/0/destToken', 'data/0/toChain', 'data/0/amount');
  expect(unitsOf(entry)).toContainEqual(body('data/0/destToken', 'data/0/toChain'));
});

test('no field, no unit', () => {
  expect(unitsOf([])).toEqual([]);
});

test.each([
  ['body/srcToken', true, false],
  ['body/data/3/protocol', true, false],
  ['body/allowedDexes', false, true],
  ['body/slippage', false, false],
  ['body/data/0/slippage', false, false],
  ['query/chainId', false, false],
])('%s is of a route: %s; makes sense with some routes only: %s', (field, isOf, depends) => {
  expect([isOfWhole(field, FIELD_GROUPS), FIELD_GROUPS.dependent.test(field)]).toEqual([
    isOf,
    depends,
  ]);
});
