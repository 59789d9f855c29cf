import type { Broken, Rule } from '../judging/rule.ts';
import { exchangeRule } from '../judging/rule.ts';
import type { View } from '../judging/view.ts';
import { apiOf } from '../wire/exchange.ts';

/** No number of a machine has more hex digits, so that such a text is bytes. */
const MAX_OF_A_NUMBER = 16;
const LONG_HEX = new RegExp(`^0x[0-9a-fA-F]{${MAX_OF_A_NUMBER + 1},300}$`);

/**
 * The rule that long identifiers in hex are whole bytes, two digits each, which what decodes hex asks
 * for. A short one may be a number, and without `0x` its digits may be all there is to it.
 *
 * @param idsOf the identifiers in an answer by their pointers
 */
export function wholeBytes(
  operation: string,
  source: string,
  idsOf: (view: View) => readonly (readonly [pointer: string, id: unknown])[],
): Rule {
  const api = apiOf(operation);
  return exchangeRule({
    id: `${api}.ids.whole-bytes`,
    level: 'should',
    source,
    protects: 'An identifier in hex can be decoded: it has two digits for each byte.',
    rulesOut:
      'A service that drops a leading 0 or cuts an identifier off: it holds more digits than a number has.',
    api,
    operations: [operation],
    answer: 'success',
    leastEvidence: 1,
    judge: (view) => {
      const long = idsOf(view).filter(([, id]) => typeof id === 'string' && LONG_HEX.test(id));
      if (long.length === 0) return null;
      return long
        .filter(([, id]) => String(id).length % 2 !== 0)
        .map(([pointer, id]): Broken => {
          const expected = 'an even number of hex digits, two for each byte';
          return { pointer, expected, actual: `${String(id)}, ${String(id).length - 2} digits` };
        });
    },
  });
}
