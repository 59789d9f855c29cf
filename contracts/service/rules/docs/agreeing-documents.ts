import { listOf, member } from '../../../wire/json.ts';
import type { Broken, Collected, GroupJudgement, Rule } from '../../../judging/rule.ts';
import { exchangeRule, runRule } from '../../../judging/rule.ts';
import type { View } from '../../../judging/view.ts';
import { metadataUrlOf } from '../shared/challenge.ts';

/** What a document, or a challenge, says of places; the same document says it again and again. */
interface Fact {
  readonly source: string;
  /** The protected resource, or the metadata that a challenge names. */
  readonly subject?: { readonly pointer: string; readonly url: string };
  /** Further URLs that it names. */
  readonly named: readonly string[];
  readonly issuer?: string;
  readonly servers?: readonly string[];
}

const MAX_URLS = 200;
const MAX_CHARACTERS = 2_000;
/** A server of a published contract; the rest of it is examples and prose. */
const SERVER = /^[ \t]*-?[ \t]*["']?url["']?[ \t]*:[ \t]*["']?(https?:\/\/[^\s"',}\]]{1,500})/gm;
const MAX_TEXT = 500_000;

const CONTRACTS: readonly string[] = ['docs.openapi', 'docs.openapi-mirror'];

function webUrl(value: unknown): URL | undefined {
  if (typeof value !== 'string' || value.length > MAX_CHARACTERS || !URL.canParse(value)) {
    return undefined;
  }
  const url = new URL(value);
  return /^https?:$/.test(url.protocol) ? url : undefined;
}

function urlsIn(json: unknown, names: readonly string[]): { name: string; url: URL }[] {
  return names.flatMap((name) => {
    const url = webUrl(member(json, name));
    return url === undefined ? [] : [{ name, url }];
  });
}

function isWebUrl(value: unknown): value is string {
  return webUrl(value) !== undefined;
}

function catalogLinks(json: unknown): string[] {
  return listOf(member(json, 'linkset')).flatMap((context) => {
    const targets = Object.values(typeof context === 'object' && context !== null ? context : {});
    return targets.flatMap((target) =>
      typeof target === 'string'
        ? [target]
        : listOf(target).map((to) => String(member(to, 'href'))),
    );
  });
}

function factOf(view: View): Fact | null {
  if (view.status === 401) {
    const url = metadataUrlOf(view);
    if (url === undefined) return null;
    return { source: `challenge ${url}`, subject: { pointer: '', url }, named: [] };
  }
  if (!view.succeeded || view.operation === undefined) return null;
  const { json, operation } = view;
  const source = operation.id;
  switch (source) {
    case 'docs.protected-resource': {
      const url = member(json, 'resource');
      const servers = listOf(member(json, 'authorization_servers')).slice(0, MAX_URLS);
      const named = [member(json, 'resource_documentation'), ...servers].filter(isWebUrl);
      const subject = isWebUrl(url) ? { subject: { pointer: '/resource', url } } : {};
      return { source, named, ...subject, servers: servers.filter(isWebUrl) };
    }
    case 'docs.authorization-server': {
      const issuer = member(json, 'issuer');
      const agentAuth = member(json, 'agent_auth');
      const uris = ['skill', 'register_uri', 'claim_uri', 'revocation_uri'];
      const named = [issuer, ...uris.map((name) => member(agentAuth, name))].filter(isWebUrl);
      return { source, named, ...(isWebUrl(issuer) ? { issuer } : {}) };
    }
    case 'docs.api-catalog':
      return { source, named: catalogLinks(json).filter(isWebUrl).slice(0, MAX_URLS) };
    default: {
      if (!CONTRACTS.includes(source)) return null;
      const servers = [...view.text.slice(0, MAX_TEXT).matchAll(SERVER)].map(([, url]) => url);
      return { source, named: servers.filter(isWebUrl).slice(0, MAX_URLS) };
    }
  }
}

function withoutSlash(url: string): string {
  return url.replace(/\/$/, '');
}

// RFC 8414 section 3.3: the issuer is identical to the identifier by which the metadata was found, which
// is what the protected resource lists (RFC 9728 section 2). A slash at its end is left aside.
function judgeIssuer(facts: readonly Collected<Fact>[]): GroupJudgement[] {
  const resource = facts.findLast(({ fact }) => (fact.servers?.length ?? 0) > 0);
  const server = facts.findLast(({ fact }) => fact.issuer !== undefined);
  const { issuer = '' } = server?.fact ?? {};
  if (resource === undefined || server === undefined) return [];
  const listed = resource.fact.servers ?? [];
  const witnesses = [server.witness, resource.witness];
  if (listed.some((one) => withoutSlash(one) === withoutSlash(issuer))) {
    return [{ witnesses, judgement: [] }];
  }
  const expected = `an authorization server of the protected resource: ${listed.slice(0, 3).join(', ')}`;
  return [{ witnesses, judgement: [{ pointer: '/issuer', expected, actual: issuer }] }];
}

// RFC 9728 sections 3.3 and 5.1: clients compare these as texts. Which name and scheme are right is what
// the other documents use for the same host; nothing is compared with what Assay was configured with.
function judgePlaces(facts: readonly Collected<Fact>[]): GroupJudgement[] {
  return facts.flatMap(({ fact, witness }): GroupJudgement[] => {
    const { subject, source } = fact;
    const url = webUrl(subject?.url);
    if (subject === undefined || url === undefined) return [];
    const others = facts
      .filter((other) => other.fact.source !== source)
      .flatMap((other) => other.fact.named.flatMap((named) => webUrl(named) ?? []))
      // At another port is another server.
      .filter(({ host }) => host === url.host);
    if (others.length === 0) return [];
    const broken: Broken[] = [];
    if (!others.some(({ origin }) => origin === url.origin)) {
      const origins = [...new Set(others.map(({ origin }) => origin))].slice(0, 3).join(' or ');
      const expected = `${origins}, by which other documents name the host`;
      broken.push({ pointer: subject.pointer, expected, actual: subject.url });
    }
    return [{ witnesses: [witness], judgement: broken }];
  });
}

const base = {
  api: 'docs',
  answer: 'answered',
  leastEvidence: 1,
  collect: factOf,
  weigh: ({ named, servers = [] }: Fact) => 2 + named.length + servers.length,
  latestOf: ({ source }: Fact) => source,
} as const;

/** Rules on documents that name one another (sections 4.3 and 5). */
export const agreeingDocumentRules: readonly Rule[] = [
  runRule<Fact>({
    ...base,
    id: 'docs.authorization-server.issuer-as-listed',
    once: true,
    level: 'must',
    source: 'implied by §4.3, RFC 8414 section 3.3 (no service)',
    protects:
      'Who follows the protected resource to its authorization server may trust what it says.',
    rulesOut:
      'A service that calls the server by another name, or scheme, than the resource does: clients refuse such metadata.',
    operations: ['docs.protected-resource', 'docs.authorization-server'],
    conclude: judgeIssuer,
  }),
  runRule<Fact>({
    ...base,
    id: 'docs.discovery.named-as-elsewhere',
    level: 'should',
    source: 'implied by §4.3, §5.3, RFC 9728 sections 3.3 and 5.1',
    protects: 'The protected resource and the challenge name places as the other documents do.',
    rulesOut:
      'A service that writes http behind a proxy in one place, and https in the others: another document names the same host.',
    besides: ['trade'],
    operations: '*',
    conclude: judgePlaces,
  }),
  exchangeRule({
    id: 'docs.agent-auth.one-origin',
    level: 'should',
    source: 'implied by §4.3, §5.4',
    protects: 'The endpoints for registering, claiming and revoking are of one origin.',
    rulesOut:
      'A service that moved one of them and not the others, or writes http in one alone: two of them are named.',
    api: 'docs',
    operations: ['docs.authorization-server', 'docs.protected-resource', 'docs.api-catalog'],
    answer: 'success',
    leastEvidence: 1,
    judge: (view) => {
      const agentAuth = member(view.json, 'agent_auth');
      const uris = urlsIn(agentAuth, ['register_uri', 'claim_uri', 'revocation_uri']);
      const [first] = uris;
      if (first === undefined) return null;
      // What the same document says of the same host beside them has their scheme.
      const beside = [
        ...urlsIn(view.json, ['issuer', 'registration_endpoint', 'token_endpoint']),
        ...urlsIn(agentAuth, ['skill']),
      ].filter(({ url }) => url.host === first.url.host);
      if (uris.length + beside.length < 2) return null;
      const differs = ({ url }: { readonly url: URL }): boolean => url.origin !== first.url.origin;
      const [moved, other] = [uris.find(differs), beside.find(differs)];
      const [wrong, right] = moved === undefined ? [first, other] : [moved, first];
      if (right === undefined) return [];
      const expected = `${right.url.origin}, as of ${right.name}`;
      return [{ pointer: `/agent_auth/${wrong.name}`, expected, actual: wrong.url.origin }];
    },
  }),
];
