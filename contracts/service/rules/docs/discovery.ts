import { isObject, listOf, member, pointerStep } from '../../../wire/json.ts';
import type { Broken, Rule } from '../../../judging/rule.ts';
import { exchangeRule } from '../../../judging/rule.ts';
import type { View } from '../../../judging/view.ts';
import { headersOf } from '../../../wire/exchange.ts';
import { BrokenList } from '../../../rules/broken-list.ts';

/** A rule on what the RFC of a discovery document asks for. */
function ofRfc(
  id: string,
  source: string,
  protects: string,
  rulesOut: string,
  judge: (view: View) => readonly Broken[] | null,
): Rule {
  return exchangeRule({
    id: `docs.${id}.metadata`,
    level: 'should',
    source,
    protects,
    rulesOut,
    api: 'docs',
    operations: [`docs.${id}`],
    answer: 'success',
    leastEvidence: 1,
    judge: (view) => (isObject(view.json) ? judge(view) : null),
  });
}

/** Whether the value is an absolute http or https URL without the parts that are ruled out. */
function isIdentifier(value: unknown, without: 'fragment' | 'query and fragment'): boolean {
  if (typeof value !== 'string' || !URL.canParse(value)) return false;
  const { protocol, search, hash } = new URL(value);
  if (!/^https?:$/.test(protocol) || hash !== '') return false;
  return without === 'fragment' || search === '';
}

// RFC 9728 section 2: `resource` is required, a URL without fragment; authorization_servers, where
// there, is an array of issuer identifiers.
function protectedResourceFaults(view: View): readonly Broken[] {
  const broken: Broken[] = [];
  const { resource, authorization_servers: servers } = view.json as Record<string, unknown>;
  if (!isIdentifier(resource, 'fragment')) {
    const pointer = '/resource';
    broken.push({ pointer, expected: 'a URL without fragment', actual: view.raw(pointer) });
  }
  if (servers === undefined) return broken;
  const expected = 'an array of issuer URLs';
  const pointer = '/authorization_servers';
  const isList = Array.isArray(servers);
  if (isList && servers.every((server) => isIdentifier(server, 'query and fragment')))
    return broken;
  return [...broken, { pointer, expected, actual: view.raw(pointer) }];
}

// RFC 8414 section 2: `issuer` and `response_types_supported` are required.
function authorizationServerFaults(view: View): readonly Broken[] {
  const broken: Broken[] = [];
  const demand = (field: string, holds: boolean, expected: string): void => {
    if (!holds) broken.push({ pointer: `/${field}`, expected, actual: view.raw(`/${field}`) });
  };
  const { issuer, response_types_supported: types } = view.json as Record<string, unknown>;
  const isIssuer = isIdentifier(issuer, 'query and fragment');
  demand('issuer', isIssuer, 'a URL without query and fragment');
  const areTypes = Array.isArray(types) && types.every((type) => typeof type === 'string');
  demand('response_types_supported', areTypes, 'an array of strings');
  return broken;
}

const LINKSET_TYPE = /^application\/linkset\+json\s*(?:;|$)/i;

// RFC 9727 section 4.1: the catalog is a link set in JSON with links to the APIs; RFC 9264 section
// 4.2: an array of objects whose members, except for anchor, are arrays of targets with an href.
function catalogFaults(view: View): readonly Broken[] {
  const broken: Broken[] = [];
  const type = view.header('content-type');
  if (type === undefined || !LINKSET_TYPE.test(type)) {
    const actual = type ?? 'no Content-Type';
    broken.push({ pointer: '', expected: 'Content-Type: application/linkset+json', actual });
  }
  const linkset = member(view.json, 'linkset');
  if (!Array.isArray(linkset) || linkset.length === 0) {
    const expected = 'an array of links to the APIs';
    return [...broken, { pointer: '/linkset', expected, actual: view.raw('/linkset') }];
  }
  const inside = new BrokenList();
  for (const [at, context] of linkset.entries()) judgeContext(view, context, at, inside);
  return [...broken, ...inside.all()];
}

function judgeContext(view: View, context: unknown, at: number, broken: BrokenList): void {
  const place = `/linkset/${at}`;
  if (!isObject(context)) {
    broken.add(() => {
      return { pointer: place, expected: 'a link context', actual: view.raw(place) };
    });
    return;
  }
  for (const [relation, targets] of Object.entries(context)) {
    if (relation === 'anchor' && typeof targets === 'string') continue;
    const isList = Array.isArray(targets) && targets.length > 0;
    if (isList && listOf(targets).every((to) => typeof member(to, 'href') === 'string')) continue;
    broken.add(() => {
      const pointer = place + pointerStep(relation);
      const expected = relation === 'anchor' ? 'a URI' : 'an array of targets, each with an href';
      return { pointer, expected, actual: view.raw(pointer) };
    });
  }
}

const CATALOG_PATH = '/.well-known/api-catalog';
const CATALOG_LINK = /;\s*rel\s*=\s*(?:"[^"]*\bapi-catalog\b[^"]*"|api-catalog\b)/i;

/** Rules on the discovery documents that the RFCs of their well-known names bring. */
export const discoveryRules: readonly Rule[] = [
  ofRfc(
    'protected-resource',
    'RFC 9728 section 2',
    'OAuth clients can read the protected resource metadata.',
    'Metadata that do not say of which resource they are, or list the authorization servers as one string.',
    protectedResourceFaults,
  ),
  ofRfc(
    'authorization-server',
    'RFC 8414 section 2',
    'OAuth clients can read the authorization server metadata.',
    'Metadata without issuer or response types, or with lists as strings.',
    authorizationServerFaults,
  ),
  ofRfc(
    'api-catalog',
    'RFC 9727 section 4.1',
    'Clients of API catalogs can read the catalog as a link set.',
    'A catalog in a form of its own, with targets that have no href, or announced as plain JSON.',
    catalogFaults,
  ),
  exchangeRule({
    id: 'docs.api-catalog.head-link',
    level: 'should',
    source: 'RFC 9727 section 2',
    protects: 'A client finds the API catalog by a HEAD request.',
    rulesOut: 'A service that answers HEAD with 405, or without the Link that GET has.',
    api: 'docs',
    operations: '*',
    answer: 'answered',
    leastEvidence: 1,
    judge: (view) => {
      const { method, path } = view.exchange.request;
      if (method !== 'HEAD' || path !== CATALOG_PATH || view.status >= 500) return null;
      const links = headersOf(view.responseHeaders, 'link').join(', ');
      if (view.succeeded && CATALOG_LINK.test(links)) return [];
      const actual = `${view.status}, ${links === '' ? 'no Link' : links}`;
      return [{ pointer: '', expected: 'a success with a Link of rel="api-catalog"', actual }];
    },
  }),
];
