import { excerpt } from '../excerpt.ts';
import { isObject } from '../json.ts';
import type { Broken, Level, Rule } from '../rule.ts';
import { exchangeRule } from '../rule.ts';
import type { View } from '../view.ts';
import type { ApiName } from '../wire/exchange.ts';
import { AGENT_AUTH_OPERATIONS } from './operations.ts';

// §7: every non-2xx response has a JSON body with status, code, message and requestId, whatever its
// cause; the type of status is open, retryAfter is a number where there is one.
function errorBodyFaults(view: View): Broken[] {
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
  const { status, code, message, requestId, retryAfter } = json;
  demand('status', typeof status === 'number' || typeof status === 'string', 'a number or string');
  demand('code', typeof code === 'string', 'a string');
  demand('message', typeof message === 'string', 'a string');
  demand('requestId', typeof requestId === 'string', 'a string');
  demand('retryAfter', retryAfter === undefined || typeof retryAfter === 'number', 'a number');
  return broken;
}

function typedBody(api: ApiName, operations: readonly string[] | '*', level: Level): Rule {
  return exchangeRule({
    id: `${api}.errors.typed-body`,
    level,
    source: '§7',
    protects: 'Every error, whatever its cause, carries the documented typed JSON body.',
    api,
    operations,
    answer: 'error',
    leastEvidence: 1,
    // A response to HEAD has no body to judge (RFC 9110 section 9.3.2).
    judge: (view) => (view.exchange.request.method === 'HEAD' ? null : errorBodyFaults(view)),
  });
}

export const errorRules: readonly Rule[] = [
  typedBody('zap', '*', 'must'),
  typedBody('trade', '*', 'must'),
  // OAuth endpoints have error bodies of their own (RFC 6749 section 5.2), which section 7 does not
  // name as an exception: a warning.
  typedBody('docs', AGENT_AUTH_OPERATIONS, 'should'),
];
