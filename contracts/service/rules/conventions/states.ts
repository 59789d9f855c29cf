import { isObject } from '../../../wire/json.ts';
import type { Rule } from '../../../judging/rule.ts';
import { exchangeRule } from '../../../judging/rule.ts';
import type { ApiName } from '../../../wire/exchange.ts';
import { TRADE_OPERATIONS, ZAP_OPERATIONS } from '../shared/operations.ts';

// Section 3: the only status value carried in responses is `success`. Where a response must carry
// one is reported by its shape; of trade quotes, whose shape is not shown, too it has no other value.
// The agent-auth messages have fields of their own (section 5.9), so nothing is judged there.
function statusIsSuccess(api: ApiName, operations: readonly string[]): Rule {
  return exchangeRule({
    id: `${api}.values.status`,
    level: 'must',
    source: '§3',
    protects: 'A status in a successful response says success: there is no other state to handle.',
    rulesOut: 'A service that says ok, pending or the HTTP status: the response carries a status.',
    api,
    operations,
    answer: 'success',
    leastEvidence: 1,
    judge: (view) => {
      if (!isObject(view.json) || view.json.status === undefined) return null;
      if (view.json.status === 'success') return [];
      return [{ pointer: '/status', expected: '"success"', actual: view.raw('/status') }];
    },
  });
}

export const stateRules: readonly Rule[] = [
  statusIsSuccess('zap', ZAP_OPERATIONS),
  statusIsSuccess('trade', TRADE_OPERATIONS),
];
