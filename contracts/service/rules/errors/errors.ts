import { isObject } from '../../../wire/json.ts';
import type { AnswerJudgement, Level, Rule } from '../../../judging/rule.ts';
import { exchangeRule } from '../../../judging/rule.ts';
import type { View } from '../../../judging/view.ts';
import type { ApiName } from '../../../wire/exchange.ts';
import { errorQualityRules } from './error-quality.ts';
import { throttleRules } from './throttling.ts';
import { validRequestsRules } from './valid-requests.ts';
import { eachServesRule } from '../../../rules/each-serves.ts';
import { API_NAMES } from '../../wire/apis.ts';
import { AGENT_AUTH_OPERATIONS, ZAP_OPERATIONS } from '../shared/operations.ts';
import { typedBodyFaults } from '../shared/typed-error-body.ts';

/** The typed body, with a retryAfter that is a number if there is one. */
function errorBodyFaults(view: View): AnswerJudgement {
  if (view.isTooMuch) return 'too much';
  const broken = typedBodyFaults(view);
  const retryAfter = isObject(view.json) ? view.json.retryAfter : undefined;
  // A null says no more than its absence.
  if (typeof (retryAfter ?? 0) === 'number') return broken;
  const pointer = '/retryAfter';
  return [...broken, { pointer, expected: 'a number', actual: view.raw(pointer) }];
}

/**
 * Of the AI runtime nothing is shown. So what a contract of its own states of an error holds, be it that there is
 * no body. A redirect that it states is none.
 */
function isStatedElsewhere({ exchange, operation, status, text }: View): boolean {
  if (exchange.api !== 'ai' || operation === undefined) return false;
  if (text === '' && operation.mediaTypesOf(status)?.length === 0) return true;
  return operation.statesBody(status) || (status < 400 && operation.namesStatus(status));
}

function typedBody(api: ApiName, operations: readonly string[] | '*', level: Level): Rule {
  return exchangeRule({
    id: `${api}.errors.typed-body`,
    level,
    source: '§7',
    protects: 'Every error, whatever its cause, carries the documented typed JSON body.',
    rulesOut:
      'A service whose router, parser or gateway answers pages, texts or bodies of its own.',
    api,
    operations,
    answer: 'error',
    leastEvidence: 1,
    // A response to HEAD has no body to judge (RFC 9110 section 9.3.2).
    judge: (view) =>
      view.exchange.request.method === 'HEAD' || isStatedElsewhere(view)
        ? null
        : errorBodyFaults(view),
  });
}

export const errorRules: readonly Rule[] = [
  typedBody('zap', '*', 'must'),
  typedBody('trade', '*', 'must'),
  // OAuth endpoints have error bodies of their own (RFC 6749 section 5.2), which section 7 does not
  // name as an exception: a warning.
  typedBody('docs', AGENT_AUTH_OPERATIONS, 'should'),
  // Section 1 counts two HTTP APIs and a runtime of which nothing is shown: a warning as well.
  typedBody('ai', '*', 'should'),
  ...errorQualityRules,
  ...validRequestsRules('zap'),
  ...validRequestsRules('trade'),
  // What is answered is for the rules that each endpoint is served. On the trade API, if one
  // operation is all, silence is no answer of the whole API.
  eachServesRule('zap', {
    source: 'implied by §4, RFC 9110 section 15.6 (no service)',
    besides: API_NAMES.filter((api) => api !== 'zap'),
    answeredElsewhere: ZAP_OPERATIONS,
  }),
  ...throttleRules,
];
