import { excerpt } from '../judging/excerpt.ts';
import type { AnswerJudgement, Judgement, Rule } from '../judging/rule.ts';
import { exchangeRule } from '../judging/rule.ts';
import type { ContractOperation } from '../document/schema.ts';
import type { View } from '../judging/view.ts';
import { apiOf } from '../wire/exchange.ts';
import { judgeIsJson, judgeMediaType, judgeNamesMediaType } from './contract-media-types.ts';
import { presenceRule } from './contract-presence.ts';
import { isWithinContract } from '../judging/contract-probe.ts';
import { GATEWAY, isOwnAnswer } from './own-answer.ts';
import { brokenBySchema } from './schema-broken.ts';

const SHOWN_CHARACTERS = 120;

/**
 * The rules on an operation that a contract states and the document does not show, beside the one on
 * the shape of its successes:
 *
 * - it is there;
 * - bodies are JSON if it states nothing else, and have a media type that it states;
 * - errors have the shape that it states, and a success has a status that it states;
 * - a request within the contract is no error of the server;
 * - answers have the header fields that it requires, if it requires any.
 */
export function contractOperationRules(operation: ContractOperation): Rule[] {
  const { id, requiresHeaders } = operation;
  const base = { api: apiOf(id), operations: [id], leastEvidence: 1 } as const;
  return [
    presenceRule(id),
    exchangeRule({
      ...base,
      id: `${id}.body-is-json`,
      level: 'must',
      source: 'contract',
      protects: 'A response is JSON if the contract states no other media type.',
      rulesOut: 'A service that answers with a page or a text, or with JSON that is cut off.',
      answer: 'answered',
      judge: judgeIsJson,
    }),
    exchangeRule({
      ...base,
      id: `${id}.media-type`,
      level: 'must',
      source: 'contract',
      protects: 'A response has a media type that the contract states for its status.',
      rulesOut: 'A service that answers in another form than the one that clients are made for.',
      answer: 'answered',
      judge: judgeMediaType,
    }),
    exchangeRule({
      ...base,
      id: `${id}.names-media-type`,
      level: 'should',
      source: 'RFC 9110 section 8.3',
      protects: 'A response with content names its media type.',
      rulesOut: 'A service that sends no Content-Type, so that clients have to guess.',
      answer: 'answered',
      judge: judgeNamesMediaType,
    }),
    exchangeRule({
      ...base,
      id: `${id}.error-shape`,
      level: 'must',
      source: 'contract',
      protects: 'An error has the shape that the contract states for its status.',
      rulesOut:
        'A service whose errors are of its framework: a field that the contract requires would be missing.',
      answer: 'error',
      judge: judgeErrorShape,
    }),
    exchangeRule({
      ...base,
      id: `${id}.stated-status`,
      level: 'should',
      source: 'OpenAPI 3.1 section 4.8.16',
      protects: 'A success has a status that the contract states.',
      rulesOut:
        'A service that answers 200 if the contract states 201 or 204, or the other way round.',
      answer: 'success',
      judge: judgeStatus,
    }),
    exchangeRule({
      ...base,
      id: `${id}.no-server-error`,
      level: 'should',
      source: 'RFC 9110 section 15.6.1',
      protects: 'A request that the contract allows is no error of the server.',
      rulesOut:
        'A service that fails at what the contract allows: it would answer 500 to a request that is served here.',
      answer: 'answered',
      judge: judgeServerError,
    }),
    ...(!requiresHeaders
      ? []
      : [
          exchangeRule({
            ...base,
            id: `${id}.required-headers`,
            level: 'must',
            source: 'contract',
            protects: 'A response has the header fields that the contract requires for its status.',
            rulesOut: 'A service that leaves out a field which clients go by, such as Location.',
            answer: 'answered',
            judge: judgeHeaders,
          }),
        ]),
  ];
}

// An answer to HEAD may lack what is known only once there is content (RFC 9110 section 9.3.2).
function judgeHeaders(view: View): Judgement {
  const required = view.operation?.requiredHeadersOf(view.status) ?? [];
  if (required.length === 0 || view.exchange.request.method === 'HEAD' || !isOwnAnswer(view))
    return null;
  return required
    .filter((name) => view.header(name) === undefined)
    .map((name) => ({
      ...{ pointer: '', expected: `the header field ${excerpt(name, SHOWN_CHARACTERS)}` },
      actual: `${view.status} without it`,
    }));
}

// The contract states a schema for the status, by itself, by its class or by `default`. Values of a
// facet belong to rules of their own in the built-in contract; here nothing else judges them.
function judgeErrorShape(view: View): AnswerJudgement {
  if (!view.isJson || !view.isBodyStated || !isOwnAnswer(view)) return null;
  return brokenBySchema(view, () => true);
}

// A document need not list every status, but is expected to cover a successful response. Which one
// that is cannot be determined if it states none.
function judgeStatus({ operation, status }: View): Judgement {
  if (operation === undefined || !statesSuccess(operation)) return null;
  if (operation.mediaTypesOf(status) !== undefined) return [];
  return [{ pointer: '', expected: 'a status that the contract states', actual: String(status) }];
}

/** Statuses of success that are in use (RFC 9110 section 15.3, RFC 4918 section 11.1). */
const SUCCESSES: readonly number[] = [200, 201, 202, 203, 204, 205, 206, 207];

function statesSuccess(operation: ContractOperation): boolean {
  return SUCCESSES.some((status) => operation.namesStatus(status));
}

// 500: the server met a condition that it did not expect. A contract that states it by itself may
// mean something by it.
function judgeServerError(view: View): Judgement {
  const { operation, status, text } = view;
  if (!isWithinContract(view)) return null;
  if (GATEWAY.includes(status)) return null;
  // What is refused may be so before anything can fail.
  if (status !== 500 || operation?.namesStatus(status) === true) return view.succeeded ? [] : null;
  const actual = `${status} ${excerpt(text, SHOWN_CHARACTERS)}`;
  return [{ pointer: '', expected: 'no 500 for a request that the contract allows', actual }];
}
