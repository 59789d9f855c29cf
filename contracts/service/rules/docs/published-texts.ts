import { excerpt } from '../../../judging/excerpt.ts';
import type { Broken, Rule } from '../../../judging/rule.ts';
import { exchangeRule } from '../../../judging/rule.ts';
import type { View } from '../../../judging/view.ts';
import { isWebPage } from '../../../wire/web-page.ts';

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
const MAX_TEXT = 500_000;

// Section 5.4: the auth description document. What it says is open, that it is about that is not.
function authTextFaults(view: View): Broken[] {
  const text = view.text.slice(0, MAX_TEXT);
  if (OF_AUTH.test(text)) return [];
  const actual = text.trim() === '' ? 'nothing' : excerpt(text, 80);
  const expected = 'a description of authentication: no key, credential or registration is named';
  return [{ pointer: '', expected, actual }];
}

const ofDocuments = { api: 'docs', answer: 'success', leastEvidence: 1 } as const;

/** Rules on the texts of the docs host (section 1, convention 7, and section 5.4). */
export const publishedTextRules: readonly Rule[] = [
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
    protects: 'The documentation index has a link.',
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
