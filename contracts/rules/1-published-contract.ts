import { excerpt } from '../excerpt.ts';
import { isObject } from '../json.ts';
import type { Broken, Collected, GroupJudgement, Rule } from '../rule.ts';
import { exchangeRule, runRule } from '../rule.ts';
import type { View } from '../view.ts';
import { disagreements } from './published-agreement.ts';
import type { Published } from './published-openapi.ts';
import { readPublished } from './published-openapi.ts';
import { lacking } from './published-operations.ts';
import { isWebPage } from './web-page.ts';

const CONTRACT = 'docs.openapi';
const MIRROR = 'docs.openapi-mirror';

// Sections 1 and 9: the contract is published as OpenAPI YAML. It covers both APIs, which section 4
// lists.
function uncovered(view: View): readonly Broken[] | null {
  const { document, faults } = readPublished(view.text);
  if (!isObject(document) || faults.length > 0) return null;
  return (['zap', 'trade'] as const).flatMap((api) =>
    lacking(document, api).map(({ method, path }) => ({
      pointer: '/paths',
      expected: `${method.toUpperCase()} ${path} of the ${api} API`,
      actual: 'no such operation',
    })),
  );
}

interface Copy {
  readonly operation: string;
  readonly published: Published;
}

// Section 1: the mirror is scoped to an API, which it covers; what it states, it states as the
// contract does. The latest copies are compared, since a contract may change in a long run.
function judgeMirror(copies: readonly Collected<Copy>[]): GroupJudgement[] {
  const latest = (operation: string): Collected<Copy> | undefined =>
    copies.findLast(({ fact }) => fact.operation === operation);
  const [contract, mirror] = [latest(CONTRACT), latest(MIRROR)];
  if (contract === undefined || mirror === undefined) return [];
  const [ours, theirs] = [contract.fact.published, mirror.fact.published];
  if (!isObject(ours.document) || !isObject(theirs.document)) return [];
  if (ours.faults.length > 0 || theirs.faults.length > 0) return [];
  const witnesses = [mirror.witness, contract.witness];
  const [zap, trade] = [lacking(theirs.document, 'zap'), lacking(theirs.document, 'trade')];
  if (zap.length > 0 && trade.length > 0) {
    const missing = [...zap, ...trade].map(({ method, path }) => `${method} ${path}`).join(', ');
    const expected = 'all operations of the zap API, or all of the trade API';
    return [{ witnesses, judgement: [{ pointer: '/paths', expected, actual: `no ${missing}` }] }];
  }
  // The same text is read once, so is the same document.
  const same = ours.document === theirs.document;
  const judgement = same ? [] : disagreements(ours.document, theirs.document);
  // Too much to compare: no evidence, good or bad.
  return judgement === undefined ? [] : [{ witnesses, judgement }];
}

const URL_START = /https?:\/\/[^\s]/i;
/** From behind the `](` of a link up to its end, which no white space comes before. */
const TARGET = /[^\s)]*/y;

/** Whether a text holds a link of Markdown, or a URL; each character is looked at once. */
function holdsLink(text: string): boolean {
  if (URL_START.test(text)) return true;
  for (let at = text.indexOf(']('); at >= 0; at = text.indexOf('](', TARGET.lastIndex)) {
    TARGET.lastIndex = at + 2;
    const target = TARGET.exec(text)?.[0] ?? '';
    TARGET.lastIndex = at + 2 + target.length;
    if (target !== '' && text[TARGET.lastIndex] === ')') return true;
  }
  return false;
}

/** What a text for agents is not: a web page, as hosts of pages answer for any path, or nothing. */
function textFaults({ text }: View): Broken[] {
  if (!isWebPage(text) && text.trim() !== '') return [];
  const actual = text.trim() === '' ? 'nothing' : `a web page: ${excerpt(text, 80)}`;
  return [{ pointer: '', expected: 'a text that is no web page', actual }];
}

/** Words of which a description of authentication has one, in whatever language the rest is. */
const OF_AUTH = /agent-auth|regist|api.?key|\bkeys?\b|credential|bearer|authori[sz]|authenticat/i;
/** More of a text is not searched. */
const MOST_TEXT = 500_000;

// Section 5.4: the auth description document. What it says is open, that it is about that is not.
function authTextFaults(view: View): Broken[] {
  const text = view.text.slice(0, MOST_TEXT);
  if (OF_AUTH.test(text)) return [];
  const actual = text.trim() === '' ? 'nothing' : excerpt(text, 80);
  const expected = 'a description of authentication: no key, credential or registration is named';
  return [{ pointer: '', expected, actual }];
}

const ofDocuments = { api: 'docs', answer: 'success', leastEvidence: 1 } as const;

/** Rules on the published contract and the other texts of the docs host (section 1, convention 7). */
export const publishedContractRules: readonly Rule[] = [
  exchangeRule({
    ...ofDocuments,
    id: 'docs.openapi.valid',
    level: 'must',
    source: '§1, §9',
    protects: 'The published contract and its mirror are OpenAPI that tools can read.',
    operations: [CONTRACT, MIRROR],
    judge: ({ text }) => {
      const { faults, isTooMuch } = readPublished(text);
      // Good YAML may be too large to be looked at: no evidence, good or bad.
      return isTooMuch === true ? null : faults;
    },
  }),
  exchangeRule({
    ...ofDocuments,
    id: 'docs.openapi.covers-endpoints',
    level: 'must',
    source: '§1, §4',
    protects: 'The published contract has every endpoint of the two APIs.',
    operations: [CONTRACT],
    judge: uncovered,
  }),
  runRule<Copy>({
    ...ofDocuments,
    id: 'docs.openapi-mirror.agrees',
    level: 'must',
    source: '§1',
    protects: 'The mirror covers an API and says what the published contract says.',
    operations: [CONTRACT, MIRROR],
    collect: (view) => ({
      operation: view.operation?.id ?? '',
      published: readPublished(view.text),
    }),
    // Each may be large, and only the latest are compared.
    latestOf: ({ operation }) => operation,
    conclude: judgeMirror,
  }),
  exchangeRule({
    ...ofDocuments,
    id: 'docs.llms.is-text',
    level: 'must',
    source: '§1',
    protects: 'The documentation index at llms.txt is a text, not a page for browsers.',
    rulesOut: 'A host of documentation that answers any path with a page, or with nothing.',
    operations: ['docs.llms'],
    judge: textFaults,
  }),
  exchangeRule({
    ...ofDocuments,
    id: 'docs.llms.has-links',
    level: 'should',
    source: 'implied by §1',
    protects: 'The documentation index leads somewhere.',
    rulesOut: 'An index of titles alone, whose links were lost when it was made.',
    operations: ['docs.llms'],
    judge: (view) => {
      if (textFaults(view).length > 0) return null;
      if (holdsLink(view.text)) return [];
      const actual = excerpt(view.text, 80);
      return [{ pointer: '', expected: 'an index with a link or URL', actual }];
    },
  }),
  exchangeRule({
    ...ofDocuments,
    id: 'docs.auth-md.describes-auth',
    level: 'must',
    source: 'implied by §5.4 (no service)',
    protects: 'The auth description document is about authentication.',
    rulesOut:
      'A host that answers its start page or another document for auth.md: no word of keys, credentials or registration is in it.',
    operations: ['docs.auth-md'],
    judge: authTextFaults,
  }),
  exchangeRule({
    ...ofDocuments,
    id: 'docs.auth-md.is-text',
    level: 'should',
    source: 'implied by §5.4',
    protects: 'An agent can read the auth description document.',
    rulesOut: 'A site that renders auth.md as a page for browsers.',
    operations: ['docs.auth-md'],
    judge: textFaults,
  }),
];
