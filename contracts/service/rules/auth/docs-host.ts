import { member } from '../../../wire/json.ts';
import type { Collected, GroupJudgement, Rule } from '../../../judging/rule.ts';
import { runRule } from '../../../judging/rule.ts';
import type { View } from '../../../judging/view.ts';
import type { Base } from '../shared/bases.ts';
import { askedBaseOf, baseIn, isSameBase } from '../shared/bases.ts';
import { METADATA_PATH, metadataUrlOf } from '../shared/challenge.ts';
import { DOCUMENT_OPERATIONS } from '../shared/operations.ts';

type Fact =
  /** What the docs host is called: by whoever asked it, and by its own documents. */
  | { readonly kind: 'docs'; readonly asked?: Base; readonly named: readonly Base[] }
  | { readonly kind: 'challenge'; readonly url: string; readonly asked?: Base };

/** A URL of a document of section 1 or 4.3 in any text, which names the docs host. */
const NAMED =
  /https?:\/\/[^\s"'<>()`]{1,200}?(?=\/(?:openapi\.yaml|auth\.md|llms\.txt|\.well-known\/))/g;
/** More of a document, and more names in it, are not looked at. */
const MAX_CHARACTERS = 200_000;
const MAX_NAMES = 200;

function factOf(view: View): Fact | null {
  const base = askedBaseOf(view);
  const asked = base === undefined ? {} : { asked: base };
  if (view.status === 401) {
    const url = metadataUrlOf(view);
    return url === undefined ? null : { kind: 'challenge', url, ...asked };
  }
  if (!view.succeeded || !DOCUMENT_OPERATIONS.includes(view.operation?.id ?? '')) return null;
  const named = namesIn(view);
  return named.length === 0 ? null : { kind: 'docs', named, ...asked };
}

/** What a document of the docs host calls that host. */
function namesIn(view: View): Base[] {
  const found = new Map<string, Base>();
  const note = (url: unknown): void => {
    const base = baseIn(url);
    if (base !== undefined && found.size < MAX_NAMES) found.set(`${base.host}${base.path}`, base);
  };
  for (const [url] of view.text.slice(0, MAX_CHARACTERS).matchAll(NAMED)) note(url);
  note(member(view.json, 'issuer'));
  return [...found.values()];
}

// Section 5.3: the challenge names the metadata below {docs_url}. What that is for the service may be
// another name than the one under which Assay reaches it. So what its own documents call their host
// counts as well. Only the host is compared, except for a base that is the trade API's own.
function judgeChallenges(facts: readonly Collected<Fact>[]): GroupJudgement[] {
  const docs = facts.flatMap(({ fact }) => (fact.kind === 'docs' ? [fact] : []));
  const names = docs.flatMap(({ named, asked }) => [...named, ...(asked ? [asked] : [])]);
  if (names.length === 0) return [];
  return facts.flatMap(({ fact, witness }): GroupJudgement[] => {
    if (fact.kind !== 'challenge') return [];
    const { url, asked } = fact;
    const base = baseIn(url.slice(0, -METADATA_PATH.length));
    if (base === undefined) return [];
    const isNamed = names.some((name) => isSameBase(name, base));
    const isTheApis = asked !== undefined && isSameBase(asked, base) && !isNamed;
    const isDocsHost = isNamed || (!isTheApis && names.some(({ host }) => host === base.host));
    if (isDocsHost) return [{ witnesses: [witness], judgement: [] }];
    const hosts = [...new Set(names.map(({ host, path }) => host + path))].slice(0, 3).join(' or ');
    const expected = `the metadata at the docs host, ${hosts}`;
    return [{ witnesses: [witness], judgement: [{ pointer: '', expected, actual: url }] }];
  });
}

/** The rule that a challenge leads to the docs host (section 5.3). */
export const docsHostRule: Rule = runRule<Fact>({
  id: 'trade.auth.challenge-names-docs-host',
  level: 'must',
  source: '§5.3',
  protects: 'The metadata that a challenge names are those of the documentation host.',
  rulesOut:
    'A service whose challenge names its own API or a staging host: neither is what the published documents call the docs host.',
  api: 'trade',
  besides: ['docs'],
  operations: '*',
  answer: 'answered',
  leastEvidence: 1,
  collect: factOf,
  weigh: (fact) => (fact.kind === 'docs' ? 1 + fact.named.length : 2),
  conclude: judgeChallenges,
});
