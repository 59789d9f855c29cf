import { excerpt } from '../../../judging/excerpt.ts';
import type { Rule } from '../../../judging/rule.ts';
import { exchangeRule } from '../../../judging/rule.ts';
import type { View } from '../../../judging/view.ts';
import type { ApiName } from '../../../wire/exchange.ts';
import { duplicateKeys } from '../../../wire/raw-json.ts';
import { aiRuntimeRules } from './ai-runtime.ts';
import { idempotencyRules } from './idempotency.ts';
import { oneCallerRule } from './one-caller.ts';
import { publishedContractRules } from '../docs/published-contract.ts';
import {
  AGENT_AUTH_OPERATIONS,
  METADATA_OPERATIONS,
  TRADE_OPERATIONS,
  ZAP_OPERATIONS,
} from '../shared/operations.ts';

/** What answers JSON on the docs host. */
const DOCS_JSON: readonly string[] = [
  ...METADATA_OPERATIONS,
  'docs.api-catalog',
  ...AGENT_AUTH_OPERATIONS,
];

// Section 1, convention 1: request and response bodies are JSON. Non-2xx bodies are the business of
// section 7, so that a body broken there is reported once.
function bodyIsJson(api: ApiName, operations: readonly string[]): Rule {
  return exchangeRule({
    id: `${api}.body-is-json`,
    level: 'must',
    source: '§1',
    protects: 'A successful response can be parsed as JSON.',
    rulesOut: 'A service that answers a page, a text or nothing if it succeeded.',
    api,
    operations,
    answer: 'success',
    leastEvidence: 1,
    judge: ({ isTooMuch, jsonError, text }) => {
      if (isTooMuch) return 'too much';
      if (jsonError === undefined) return [];
      const actual = `${excerpt(text, 80)} (${jsonError})`;
      return [{ pointer: '', expected: 'a JSON body', actual }];
    },
  });
}

/** Media types of JSON: the registered one, the older one, and those with the suffix. */
const JSON_TYPE = /^(?:application|text)\/(?:[^;\s]+\+)?json\s*(?:;|$)|^[^;\s]+\+json\s*(?:;|$)/i;

/** Whether the answer holds a JSON object or array, which text by chance hardly is. */
function holdsJson({ json }: View): boolean {
  return typeof json === 'object' && json !== null;
}

// RFC 9110 section 8.3: a sender of content says of what media type it is. Of JSON it is a JSON type
// (RFC 8259 section 11, RFC 6839 section 3.1).
function contentTypeIsJson(api: ApiName, operations: readonly string[] | '*'): Rule {
  return exchangeRule({
    id: `${api}.content-type-is-json`,
    level: 'should',
    source: 'RFC 9110 section 8.3',
    protects: 'A client that goes by the Content-Type sees that a JSON body is JSON.',
    rulesOut: 'A service that sends JSON as text/plain or text/html, or without a type.',
    api,
    operations,
    answer: 'answered',
    leastEvidence: 1,
    judge: (view) => {
      if (!holdsJson(view)) return null;
      const type = view.header('content-type');
      if (type === 'application/json' || (type !== undefined && JSON_TYPE.test(type))) return [];
      const expected = 'a Content-Type of JSON: application/json, or one that ends in +json';
      return [{ pointer: '', expected, actual: type ?? 'no Content-Type' }];
    },
  });
}

// RFC 8259 section 4: names within an object should be unique, since clients differ in what they
// make of two. The walk over the raw text is slow, so it follows only if counting finds cause. Of
// long bodies a sample is counted, since those of one operation are written by the same code.
function keysAreUnique(api: ApiName, operations: readonly string[] | '*'): Rule {
  return exchangeRule({
    id: `${api}.json-keys-are-unique`,
    level: 'should',
    source: 'RFC 8259 section 4',
    protects: 'Every client reads the same value under a key of a JSON object.',
    rulesOut: 'A service that writes a member twice, as one that joins texts of JSON does.',
    api,
    operations,
    answer: 'answered',
    leastEvidence: 1,
    judge: (view) => {
      if (!holdsJson(view) || !isCounted(view)) return null;
      if (writtenKeys(view.text) === keptKeys(view.json)) return [];
      return duplicateKeys(view.text).map((pointer) => ({
        pointer,
        expected: 'a key that occurs once in its object',
        actual: 'the key twice or more',
      }));
    },
  });
}

/** Longer bodies are long. */
const LONG_CHARACTERS = 1_000;
const SAMPLED = 8;

/** Every short body, and of the long ones those whose id, which counts the exchanges, says so. */
function isCounted({ text, exchange: { id, api } }: View): boolean {
  if (api === 'docs' || text.length <= LONG_CHARACTERS) return true;
  return id.charCodeAt(id.length - 1) % SAMPLED === 0;
}

/** How often a quote and a colon stand together: the number of keys, except for rare spellings. */
function writtenKeys(text: string): number {
  let count = 0;
  // Looking for one character is much faster than for two.
  for (let at = text.indexOf(':'); at >= 0; at = text.indexOf(':', at + 1)) {
    if (text.charCodeAt(at - 1) === QUOTE) count += 1;
  }
  return count;
}

const QUOTE = 0x22;

/** The number of keys that parsing kept. */
function keptKeys(json: unknown): number {
  if (typeof json !== 'object' || json === null) return 0;
  let count = 0;
  if (Array.isArray(json)) {
    for (const item of json) count += keptKeys(item);
    return count;
  }
  const members = json as Readonly<Record<string, unknown>>;
  for (const key in members) count += 1 + keptKeys(members[key]);
  return count;
}

export const conventionRules: readonly Rule[] = [
  bodyIsJson('zap', ZAP_OPERATIONS),
  bodyIsJson('trade', TRADE_OPERATIONS),
  bodyIsJson('docs', METADATA_OPERATIONS),
  contentTypeIsJson('zap', '*'),
  contentTypeIsJson('trade', '*'),
  contentTypeIsJson('docs', DOCS_JSON),
  keysAreUnique('zap', '*'),
  keysAreUnique('trade', '*'),
  keysAreUnique('docs', DOCS_JSON),
  ...idempotencyRules('zap'),
  ...idempotencyRules('trade'),
  oneCallerRule,
  ...publishedContractRules,
  ...aiRuntimeRules,
];
