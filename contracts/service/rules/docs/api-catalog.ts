import { excerpt } from '../../../judging/excerpt.ts';
import { isObject, listOf, member } from '../../../wire/json.ts';
import type { Collected, GroupJudgement, Rule } from '../../../judging/rule.ts';
import { exchangeRule, runRule } from '../../../judging/rule.ts';
import type { View } from '../../../judging/view.ts';
import type { Base } from '../shared/bases.ts';
import { askedBaseOf, baseIn, isBelow, isSameBase } from '../shared/bases.ts';
import { isWebPage } from '../../../wire/web-page.ts';

const CATALOG = 'docs.api-catalog';
const CATALOG_PATH = '/.well-known/api-catalog';

type Fact =
  | { readonly kind: 'api'; readonly api: string; readonly base: Base }
  /** With the hosts of documents: that of the catalog itself, and those of its anchors of it. */
  | { readonly kind: 'catalog'; readonly links: readonly Base[]; readonly own: readonly string[] };

/** More links are not compared, since no catalog of two APIs has them. */
const MAX_LINKS = 2_000;

function factOf(view: View): Fact | null {
  const { api } = view.exchange;
  if (api === 'docs') {
    if (view.operation?.id !== CATALOG || !view.succeeded) return null;
    const links = linksIn(view.json);
    if (links === undefined) return null;
    const catalogs = links.filter(({ path }) => path.endsWith(CATALOG_PATH));
    const own = [askedBaseOf(view), ...catalogs].flatMap((base) =>
      base === undefined ? [] : [base.host],
    );
    return { kind: 'catalog', links, own };
  }
  const base = askedBaseOf(view);
  return base === undefined ? null : { kind: 'api', api, base };
}

/** What a catalog leads to; undefined if it leads to another one, or to more than is compared. */
function linksIn(catalog: unknown): Base[] | undefined {
  const links: Base[] = [];
  const note = (url: unknown): void => {
    const base = baseIn(url);
    if (base !== undefined) links.push(base);
  };
  for (const context of listOf(member(catalog, 'linkset'))) {
    if (!isObject(context)) continue;
    note(context.anchor);
    for (const [relation, targets] of Object.entries(context)) {
      if (relation === 'api-catalog') return undefined;
      for (const target of listOf(targets)) note(member(target, 'href'));
      if (links.length > MAX_LINKS) return undefined;
    }
  }
  return links;
}

// RFC 9727 section 4.1: the catalog has hyperlinks to API endpoints, which section 1 of the document
// says there are two of. Under which names they are reached from elsewhere is not known. Only if
// one of them is there under the name that Assay knows it by is the other one missed.
function judgeCatalog(facts: readonly Collected<Fact>[]): GroupJudgement[] {
  const baseOf = (wanted: string): Base | undefined =>
    facts.flatMap(({ fact }) => (fact.kind === 'api' && fact.api === wanted ? [fact.base] : []))[0];
  const [zap, trade] = [baseOf('zap'), baseOf('trade')];
  if (zap === undefined || trade === undefined || isSameBase(zap, trade)) return [];
  return facts.flatMap(({ fact, witness }): GroupJudgement[] => {
    if (fact.kind !== 'catalog') return [];
    const names = (base: Base): boolean => fact.links.some((link) => isBelow(link, base));
    const missing = [{ api: 'zap', base: zap } as const, { api: 'trade', base: trade } as const]
      .filter(({ base }) => !names(base))
      .map(({ api, base }) => `the ${api} API, ${base.host}${base.path}`);
    if (missing.length === 2) return [];
    // What is at a host, or port, that Assay knows nothing by may be the other one, by the name that the service
    // has for it.
    const known = [zap.host, trade.host, ...fact.own];
    if (missing.length === 1 && fact.links.some(({ host }) => !known.includes(host))) return [];
    const judgement = missing.map((which) => ({
      pointer: '/linkset',
      expected: `a link to ${which}`,
      actual: 'links to the other API alone',
    }));
    return [{ witnesses: [witness], judgement }];
  });
}

/** Rules on the API catalog beyond its form (sections 1 and 4.3). */
export const apiCatalogRules: readonly Rule[] = [
  exchangeRule({
    id: 'docs.api-catalog.is-no-page',
    level: 'must',
    source: 'implied by §4.3, RFC 9727 section 4.1 (no service)',
    protects: 'At the URL of the API catalog a client gets a catalog, and no web page.',
    rulesOut: 'A host of documentation that answers any path with a page, the catalog’s too.',
    api: 'docs',
    operations: [CATALOG],
    answer: 'success',
    leastEvidence: 1,
    judge: ({ text }) => {
      if (text.trim() !== '' && !isWebPage(text)) return [];
      const actual = text.trim() === '' ? 'nothing' : `a web page: ${excerpt(text, 80)}`;
      return [{ pointer: '', expected: 'the API catalog as a link set in JSON', actual }];
    },
  }),
  runRule<Fact>({
    id: 'docs.api-catalog.names-the-apis',
    once: true,
    level: 'should',
    source: 'implied by §1, §4.3, RFC 9727 section 4.1',
    protects: 'The API catalog leaves out neither of the two APIs.',
    rulesOut:
      'A catalog that was not brought up to date when the other API came: it names one of the two, under the very URL that this run asks.',
    api: 'docs',
    besides: ['zap', 'trade'],
    operations: '*',
    answer: 'answered',
    leastEvidence: 1,
    collect: factOf,
    latestOf: (fact) => (fact.kind === 'api' ? fact.api : fact.kind),
    conclude: judgeCatalog,
  }),
];
