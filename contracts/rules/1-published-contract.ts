import { excerpt } from '../excerpt.ts';
import { isObject } from '../json.ts';
import type { Broken, Collected, GroupJudgement, Rule } from '../rule.ts';
import { exchangeRule, runRule } from '../rule.ts';
import type { View } from '../view.ts';
import { disagreements } from './published-agreement.ts';
import type { Published } from './published-openapi.ts';
import { readPublished } from './published-openapi.ts';
import { lacking } from './published-operations.ts';

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

const HTML = /^\s*(?:<!--[^]{0,2000}?-->\s*)?<(?:!doctype\s+html|html)[\s>]/i;
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
  if (!HTML.test(text) && text.trim() !== '') return [];
  const actual = text === '' ? 'nothing' : excerpt(text, 80);
  return [{ pointer: '', expected: 'a text that is no web page', actual }];
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
    id: 'docs.llms.has-links',
    level: 'should',
    source: 'implied by §1',
    protects: 'The documentation index leads somewhere.',
    operations: ['docs.llms'],
    judge: (view) => {
      const faults = textFaults(view);
      if (faults.length > 0 || holdsLink(view.text)) return faults;
      const actual = excerpt(view.text, 80);
      return [{ pointer: '', expected: 'an index with a link or URL', actual }];
    },
  }),
  exchangeRule({
    ...ofDocuments,
    id: 'docs.auth-md.is-text',
    level: 'should',
    source: 'implied by §5.4',
    protects: 'An agent can read the auth description document.',
    operations: ['docs.auth-md'],
    judge: textFaults,
  }),
];
