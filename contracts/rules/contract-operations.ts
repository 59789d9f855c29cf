import { excerpt } from '../judging/excerpt.ts';
import type { Collected, GroupJudgement, Judgement, Rule } from '../judging/rule.ts';
import { exchangeRule, runRule } from '../judging/rule.ts';
import type { ContractOperation } from '../document/schema.ts';
import type { View } from '../judging/view.ts';
import { apiOf } from '../wire/exchange.ts';
import { brokenBySchema } from './schema-broken.ts';

/** How the purpose of a probe begins whose request keeps to the contract of its operation. */
export const CONTRACT_PROBE = 'operation of the contract';

const JSON_TYPE =
  /^(?:application|text)\/(?:[^;\s]+\+)?json\s*(?:;|$)|^[^;\s/]+\/[^;\s]+\+json\s*(?:;|$)/i;
/** Answers that a gateway gives in place of a service (RFC 9110 section 15.6). */
const GATEWAY: readonly number[] = [502, 503, 504];
/** Statuses whose responses have no content (RFC 9110 sections 15.3.5, 15.3.6, 15.4.5). */
const WITHOUT_CONTENT: readonly number[] = [204, 205, 304];
const SHOWN_CHARACTERS = 120;

/**
 * The rules on an operation that a contract states and the document does not show, beside the one on
 * the shape of its successes: that it is there, that bodies are JSON where it states nothing else,
 * that errors have the shape it states, that a success has a status it states, and that a request
 * within the contract is no error of the server.
 */
export function contractOperationRules({ id }: ContractOperation): Rule[] {
  const base = { api: apiOf(id), operations: [id], leastEvidence: 1 } as const;
  return [
    runRule<Presence>({
      ...base,
      id: `${id}.is-there`,
      level: 'should',
      source: 'contract',
      protects: 'An operation that the contract states is there.',
      rulesOut:
        'A service without the operation: it would answer 404 or 405 to every request of it.',
      answer: 'answered',
      collect: presenceOf,
      conclude: judgePresence,
    }),
    exchangeRule({
      ...base,
      id: `${id}.body-is-json`,
      level: 'must',
      source: 'contract',
      protects: 'A response is JSON where the contract states no other media type.',
      rulesOut: 'A service that answers with a page or a text, or with JSON that is cut off.',
      answer: 'answered',
      judge: judgeIsJson,
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
        'A service that answers 200 where the contract states 201 or 204, or the other way round.',
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
  ];
}

/** What an answer to a request within the contract says of whether the operation is there. */
interface Presence {
  /** `unclear`: what asks for a credential, and a 404 that may be about what was asked for. */
  readonly kind: 'there' | 'absent' | 'unclear';
  readonly said: string;
}

/** Statuses that a service answers for what it does not have (RFC 9110 sections 15.5.5, 15.5.6, 15.6.2). */
const ABSENT: readonly number[] = [404, 405, 501];
const NOT_ALLOWED: readonly number[] = [401, 403];
/** An operation may be missing for a moment, while a service is put in place. */
const MIN_CERTAIN_ANSWERS = 2;

function presenceOf(view: View): Presence | null {
  const { exchange, status, text } = view;
  if (!isWithinContract(view) || GATEWAY.includes(status)) return null;
  const said = `${exchange.request.method} ${status} ${excerpt(text, SHOWN_CHARACTERS)}`;
  if (!ABSENT.includes(status)) {
    return { kind: NOT_ALLOWED.includes(status) ? 'unclear' : 'there', said };
  }
  return { kind: status === 404 && isAboutAThing(view) ? 'unclear' : 'absent', said };
}

/** Whether 404 may say that there is no such thing as the one that was asked for. */
function isAboutAThing({ operation, exchange }: View): boolean {
  if (operation === undefined || operation.pathTemplate.includes('{')) return true;
  const isAsked = exchange.request.body !== null || exchange.request.path.includes('?');
  return isAsked && operation.namesStatus(404);
}

// The contract states the operation, so it is there, whatever it answers to a single request.
function judgePresence(answers: readonly Collected<Presence>[]): GroupJudgement[] {
  const there = answers.find(({ fact }) => fact.kind === 'there');
  if (there !== undefined) return [{ witnesses: [there.witness], judgement: [] }];
  const absent = answers.filter(({ fact }) => fact.kind === 'absent');
  const [first] = absent;
  if (
    first === undefined ||
    absent.length < MIN_CERTAIN_ANSWERS ||
    absent.length < answers.length
  ) {
    return [];
  }
  const broken = {
    pointer: '',
    expected: 'an answer of the operation that the contract states',
    actual: `${first.fact.said}, and the like to every request`,
  };
  return [{ witnesses: absent.map(({ witness }) => witness), judgement: [broken] }];
}

/** Whether the driver made the request to keep to the contract of its operation. */
function isWithinContract({ exchange: { purpose } }: View): boolean {
  return purpose.kind === 'probe' && purpose.about.startsWith(CONTRACT_PROBE);
}

/** Whether what the contract states for the status can be expected of this answer. */
function isOwnAnswer(view: View): boolean {
  const { status, operation, exchange } = view;
  if (exchange.request.method === 'HEAD' || WITHOUT_CONTENT.includes(status)) return false;
  // Redirects and a gateway's answers fall under `default` by its letter alone.
  const isOthers = (status >= 300 && status < 400) || GATEWAY.includes(status);
  return !isOthers || operation?.namesStatus(status) === true;
}

// The contract states for the status media types of JSON and nothing else.
function judgeIsJson(view: View): Judgement {
  const types = view.operation?.mediaTypesOf(view.status) ?? [];
  if (types.length === 0 || !types.every((type) => JSON_TYPE.test(type))) return null;
  if (!isOwnAnswer(view)) return null;
  const { jsonError, text } = view;
  if (jsonError === undefined) return [];
  const actual = `${excerpt(text, SHOWN_CHARACTERS)} (${jsonError})`;
  return [{ pointer: '', expected: 'a JSON body', actual }];
}

// The contract states a schema for the status, by itself, by its class or by `default`. Values of a
// facet belong to rules of their own in the built-in contract; here nothing else judges them.
function judgeErrorShape(view: View): Judgement {
  const { jsonError, operation, status } = view;
  if (jsonError !== undefined || operation?.statesBody(status) !== true) return null;
  if (!isOwnAnswer(view)) return null;
  return brokenBySchema(view, () => true);
}

// A document need not list every status, but is expected to cover a successful response. Which one
// that is cannot be determined where it states none.
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
