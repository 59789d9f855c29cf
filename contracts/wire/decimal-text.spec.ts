import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isDecimal, isNumberText } from './decimal-text.ts';

const DECIMAL = /^-?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)$/;
const NUMBER_TEXT = /^-?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/;

test.each(['0', '-1', '1.', '.5', '-.5', '007', '1.066932', '9'.repeat(500)])('%s', (text) => {
  expect([isDecimal(text), isNumberText(text)]).toEqual([true, true]);
});

test.each(['', '-', '.', '-.', '+1', '1..', '1.2.3', ' 1', '1 ', '1\n', '0x1', '１'])(
  'not %j',
  (text) => {
    expect([isDecimal(text), isNumberText(text)]).toEqual([false, false]);
  },
);

test('texts are numbers exactly if the expressions for them say so', () => {
  const characters = [...Array.from('0159-+.eE \n'), 'Ĺ', '\u0165'];
  const seen = { decimal: 0, number: 0, neither: 0 };
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(fc.constantFrom(...characters), { maxLength: 9 }).map((all) => all.join('')),
        fc.double().map(String),
        fc.string(),
      ),
      (text) => {
        const [decimal, number] = [DECIMAL.test(text), NUMBER_TEXT.test(text)];
        seen[decimal ? 'decimal' : number ? 'number' : 'neither'] += 1;
        expect([text, isDecimal(text), isNumberText(text)]).toEqual([text, decimal, number]);
      },
    ),
    { numRuns: 3_000 },
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(50);
});
