import { expect, test } from 'vitest';
import type { FieldRow, Sense } from './excluded-values.ts';
import { senseOf } from './excluded-values.ts';

const address = '0x00112233445566778899aAbBcCdDeEfF00112233';
const large = '100000000000000000000';

test.each<[kind: FieldRow['kind'], value: unknown, plain: unknown, sense: Sense]>([
  ['address', undefined, address, 'guess'],
  ['address', null, address, 'guess'],
  ['address', 'nobody', address, 'guess'],
  ['address', address.slice(0, -1), address, 'guess'],
  ['address', '', address, 'guess'],
  ['address', 7, address, 'guess'],
  ['address', ` ${address} `, address, 'open'],
  ['address', address.slice(2), address, 'open'],
  ['address', address.toLowerCase(), address, 'open'],
  ['amount', 1000, '1000', 'exact'],
  ['amount', 1e20, large, 'exact'],
  ['amount', '0x3e8', '1000', 'exact'],
  ['amount', '1e3', '1000', 'exact'],
  ['amount', '1000.0', '1000', 'exact'],
  ['amount', '0x10', '1000', 'open'],
  ['amount', '1e400', '1000', 'guess'],
  ['amount', '1000.5', '1000', 'guess'],
  ['amount', `${large}.5`, large, 'guess'],
  ['amount', '-1000', '1000', 'guess'],
  ['amount', -1000, '1000', 'guess'],
  ['amount', true, '1000', 'guess'],
  ['amount', '1,000', '1000', 'guess'],
  ['amount', '0001000', '1000', 'open'],
  ['amount', ' 1000', '1000', 'open'],
  ['amount', '+1000', '1000', 'open'],
  ['amount', '１０００', '1000', 'open'],
  ['amount', '9'.repeat(60_000), '1000', 'open'],
  ['amount', ['1000'], '1000', 'open'],
  ['chain', '10', 10, 'exact'],
  ['chain', '1', 10, 'open'],
  ['chain', '10', undefined, 'open'],
  ['chain', 'ten', 10, 'guess'],
  ['chain', 0, 10, 'guess'],
  ['chain', 1.5, 10, 'guess'],
  ['chain', {}, 10, 'guess'],
  ['percent', '0.37', 0.37, 'exact'],
  ['percent', '1', 0.37, 'open'],
  ['percent', -1, 0.37, 'guess'],
  ['percent', 101, 0.37, 'guess'],
  ['percent', 100, 0.37, 'open'],
  ['percent', 'NaN', 0.37, 'guess'],
  ['boolean', 'false', false, 'exact'],
  ['boolean', 'true', false, 'open'],
  ['boolean', 0, false, 'open'],
  ['boolean', {}, false, 'guess'],
  ['list', {}, undefined, 'guess'],
  ['list', [], undefined, 'open'],
  ['texts', {}, undefined, 'guess'],
  ['texts', 'one', undefined, 'open'],
  ['text', 7, undefined, 'guess'],
])('%s %j in place of %j is %s', (kind, value, plain, sense) => {
  expect(senseOf({ kind, money: true, required: true }, value, plain)).toBe(sense);
});

test('an optional field that is null or empty is as good as absent', () => {
  const row = { kind: 'amount', money: true, required: false } as const;
  for (const value of [undefined, null, '', ' ']) expect(senseOf(row, value, '1')).toBe('open');
  expect(senseOf(row, '-1', '1')).toBe('guess');
});
