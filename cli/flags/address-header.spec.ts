import { expect, test } from 'vitest';
import { UsageError } from '../exit-code.ts';
import { addressHeaderOf } from './address-header.ts';

test('any field may hold the address of a client, but for those that hold something else', () => {
  expect(addressHeaderOf('X-Forwarded-For')).toBe('x-forwarded-for');
  for (const name of ['', 'a b', 'x:y', 'x\r\ny', '1x', 'Host', 'Authorization', 'Content-Type'])
    expect(() => addressHeaderOf(name), name).toThrow(UsageError);
});
