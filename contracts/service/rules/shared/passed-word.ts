/** Amounts that pass an EVM word because nothing less was asked for. */

import { isObject, listOf, member } from '../../../wire/json.ts';
import { isBaseUnits, isGreater, isWithinWord } from '../../../wire/amounts.ts';
import type { View } from '../../../judging/view.ts';

/** More base units than pools count in, so that no token has as many: 2^128. */
const MORE_THAN_ANY = String(1n << 128n);

/**
 * Whether an amount is past an EVM word only by what the request asked for. The price of more than a token
 * has may be any number, which the document does not bound: it is still written as one.
 */
export function isWordPassed(view: View, pointer: string): boolean {
  const amount = /^"(\d+)"$/.exec(view.raw(pointer))?.[1];
  return isBaseUnits(amount) && !isWithinWord(amount) && asksForMoreThanAny(view.requestJson);
}

function asksForMoreThanAny(body: unknown): boolean {
  if (!isObject(body)) return false;
  const asked = [body.amount, ...listOf(body.data).map((entry) => member(entry, 'amount'))];
  return asked.some((amount) => isBaseUnits(amount) && isGreater(amount, MORE_THAN_ANY));
}
