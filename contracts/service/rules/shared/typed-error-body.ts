import { excerpt } from '../../../judging/excerpt.ts';
import { isObject } from '../../../wire/json.ts';
import type { Broken } from '../../../judging/rule.ts';
import type { View } from '../../../judging/view.ts';

/**
 * How an answer departs from the typed error body. Section 7: every non-2xx response has a JSON body
 * with status, code, message and requestId, whatever its cause; the type of status is open. Of a body that
 * is more than is parsed nothing is known: ask `isTooMuch` before.
 */
export function typedBodyFaults(view: View): Broken[] {
  if (view.jsonError !== undefined) {
    const shown = view.text === '' ? '' : `: ${excerpt(view.text, 80)}`;
    return [{ pointer: '', expected: 'a JSON error body', actual: `${view.jsonError}${shown}` }];
  }
  const { json } = view;
  if (!isObject(json)) {
    return [{ pointer: '', expected: 'a JSON object', actual: view.raw('') }];
  }
  const broken: Broken[] = [];
  const demand = (field: string, holds: boolean, expected: string): void => {
    if (holds) return;
    broken.push({ pointer: `/${field}`, expected, actual: view.raw(`/${field}`) });
  };
  const { status, code, message, requestId } = json;
  demand('status', typeof status === 'number' || typeof status === 'string', 'a number or string');
  demand('code', typeof code === 'string', 'a string');
  demand('message', typeof message === 'string', 'a string');
  demand('requestId', typeof requestId === 'string', 'a string');
  return broken;
}
