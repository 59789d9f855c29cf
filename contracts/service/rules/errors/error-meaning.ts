import { excerpt } from '../../../judging/excerpt.ts';
import { isObject, listOf } from '../../../wire/json.ts';
import type { Broken, Rule } from '../../../judging/rule.ts';
import { exchangeRule } from '../../../judging/rule.ts';
import type { View } from '../../../judging/view.ts';
import type { ApiName } from '../../../wire/exchange.ts';
import { errorCodeOf } from '../../wire/error-body.ts';

const SUCCESS = /^\s*(?:success|successful|succeeded|ok|20[0-8])\s*$/i;

// Section 7: status is the status of the error; section 2.2: `success` is that of a success. A client
// that goes by the body takes such an error for what it asked for.
function saysSuccess({ json }: View): readonly Broken[] | null {
  if (!isObject(json)) return null;
  const { status } = json;
  if (typeof status !== 'string' && typeof status !== 'number') return null;
  if (!SUCCESS.test(String(status))) return [];
  const expected = 'the status of an error, since the response is one';
  return [{ pointer: '/status', expected, actual: JSON.stringify(status) }];
}

/** Words of which each begins with a capital, as the reason phrases of HTTP do. */
const TITLE = /^[A-Z][\w'-]*(?: [A-Z][\w'-]*)*$/;
const WHITE_SPACE = /\s/;
const THREE_WORDS = /\S\s+\S+\s+\S/;
const FULL_STOP = /[.!?]\s*$/;

/** An address or an amount; what else a request holds, such as a provider, may name a kind of error. */
const OF_ONE_REQUEST = /^(?:0x[0-9a-fA-F]{12,200}|[0-9]{12,80})$/;

function isSentence(code: string, message: unknown): boolean {
  if (!WHITE_SPACE.test(code.trim()) || TITLE.test(code.trim())) return false;
  return THREE_WORDS.test(code) || FULL_STOP.test(code) || code === message;
}

/** An address or amount of the request that a code holds. */
function quotedIn(code: string, request: unknown): string | undefined {
  const [entry] = isObject(request) ? listOf(request.data) : [];
  for (const part of [request, entry]) {
    if (!isObject(part)) continue;
    for (const value of Object.values(part)) {
      if (typeof value !== 'string' || !OF_ONE_REQUEST.test(value)) continue;
      if (code.includes(value)) return value;
    }
  }
  return undefined;
}

// Section 7: a stable code beside a message for people. Of what signs it is made is open. A sentence is
// the message, and what holds a value of the request is another code for each request.
function noCode(view: View): readonly Broken[] | null {
  const code = errorCodeOf(view.json);
  if (code === undefined || code.trim() === '' || !isObject(view.json)) return null;
  const broken = (expected: string): Broken[] => [
    { pointer: '/code', expected, actual: excerpt(code, 120) },
  ];
  if (isSentence(code, view.json.message)) {
    return broken('a code to compare, not a sentence, which the message is for');
  }
  const quoted = quotedIn(code, view.requestJson);
  if (quoted === undefined) return [];
  return broken(`a code that holds nothing of the request, here ${excerpt(quoted, 60)}`);
}

/** Rules on what the status and the code of an error say. */
export function errorMeaningRules(api: ApiName): readonly Rule[] {
  const base = { api, operations: '*', answer: 'error', leastEvidence: 1 } as const;
  return [
    exchangeRule({
      ...base,
      id: `${api}.errors.no-success`,
      level: 'must',
      source: '§3, §7',
      protects: 'The body of an error does not say that the request succeeded.',
      rulesOut:
        'A service that has one envelope for all answers, status success: the error carries a status.',
      judge: saysSuccess,
    }),
    exchangeRule({
      ...base,
      id: `${api}.errors.code-is-no-sentence`,
      level: 'should',
      source: 'implied by §7',
      protects: 'A client can distinguish errors by their code, whatever was asked.',
      rulesOut:
        'A service that writes its message, or what the client sent, in place of a code: the error carries a code.',
      judge: noCode,
    }),
  ];
}
