import { excerpt } from '../excerpt.ts';
import type { Rule } from '../rule.ts';
import { exchangeRule } from '../rule.ts';
import type { ApiName } from '../wire/exchange.ts';
import { METADATA_OPERATIONS, TRADE_OPERATIONS, ZAP_OPERATIONS } from './operations.ts';

// Section 1, convention 1: request and response bodies are JSON. Non-2xx bodies are the business of
// section 7, so that a body broken there is reported once.
function bodyIsJson(api: ApiName, operations: readonly string[]): Rule {
  return exchangeRule({
    id: `${api}.body-is-json`,
    level: 'must',
    source: '§1',
    protects: 'A successful response can be parsed as JSON.',
    api,
    operations,
    answer: 'success',
    leastEvidence: 1,
    judge: ({ jsonError, text }) =>
      jsonError === undefined
        ? []
        : [{ pointer: '', expected: 'a JSON body', actual: `${excerpt(text, 80)} (${jsonError})` }],
  });
}

export const conventionRules: readonly Rule[] = [
  bodyIsJson('zap', ZAP_OPERATIONS),
  bodyIsJson('trade', TRADE_OPERATIONS),
  bodyIsJson('docs', METADATA_OPERATIONS),
];
