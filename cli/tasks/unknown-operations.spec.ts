import { expect, test } from 'vitest';
import { UsageError } from '../exit-code.ts';
import { refuseUnknownOperations } from './unknown-operations.ts';

test('an operation that no contract has is wrong use, named with the one that was meant', () => {
  const known = ['zap.quote', 'zap.pools'];
  const refuse = (): void => {
    refuseUnknownOperations(known, ['zap.quote', 'zap.quotes']);
  };
  expect(refuse).toThrow(UsageError);
  expect(refuse).toThrow(/"zap.quotes".* Did you mean zap.quote\?/);
  refuseUnknownOperations(known, known);
});
