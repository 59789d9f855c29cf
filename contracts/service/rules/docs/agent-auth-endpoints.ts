import { isObject } from '../../../wire/json.ts';
import type { Collected, GroupJudgement, Rule } from '../../../judging/rule.ts';
import { runRule } from '../../../judging/rule.ts';
import type { View } from '../../../judging/view.ts';
import { isWebPage } from '../../../wire/web-page.ts';

/** Where the endpoints of section 4.3 are, below {docs_url}. */
const BELOW = '/.well-known/agent-auth/';
const ENDPOINTS: readonly string[] = ['register', 'claim', 'revoke'];

/** A path beside the endpoints at which nothing is, for comparison. */
export const NO_ENDPOINT = '/.well-known/agent-auth/assay-no-such-endpoint';

/** The methods that are not stated (section 4.3) are one of these. */
const METHODS: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** What a path answered to a method. */
interface Asked {
  readonly path: string;
  readonly method: string;
  readonly status: number;
  /** What the answer says, without the path that it may repeat and the id of the request. */
  readonly says: string;
  /** Whether it is a web page, as hosts of pages answer for any path. */
  readonly isPage: boolean;
  /** Whether the request had no JSON that an endpoint could look anything up by. */
  readonly isMalformed: boolean;
}

function askedOf(view: View): Asked | null {
  const { method, path: asked } = view.exchange.request;
  const [path = ''] = asked.split('?');
  if (!path.startsWith(BELOW) || view.status === 0 || view.status >= 500) return null;
  const { code, message } = isObject(view.json) ? view.json : {};
  const reported = isObject(view.json) ? JSON.stringify([code, message]) : view.text;
  const says = reported
    .replaceAll(/\/agent-auth\/[\w-]+/g, '*')
    .replaceAll(path.slice(BELOW.length), '*');
  const isMalformed = method === 'POST' && view.requestJson === undefined;
  const isPage = view.succeeded && isWebPage(view.text);
  return { path, method, status: view.status, says, isPage, isMalformed };
}

// Section 4.3 says where the endpoints are, not by which method they are asked. A claim of nothing may
// be answered with 404, and so may the wrong method be. So an endpoint is missed only if no method
// finds it, if a body that is no JSON gets 404 too, and if POST is answered as beside it. Hosts of
// pages answer GET with a page and refuse all else by its method, beside the endpoint just the same.
function judgeEndpoints(facts: readonly Collected<Asked>[]): GroupJudgement[] {
  const beside = facts.filter(({ fact }) => fact.path === NO_ENDPOINT);
  return ENDPOINTS.flatMap((name): GroupJudgement[] => {
    const path = BELOW + name;
    const here = facts.filter(({ fact }) => fact.path === path);
    const witnesses = here.map(({ witness }) => witness);
    if (here.some(({ fact }) => isThere(fact, beside))) return [{ witnesses, judgement: [] }];
    const tried = new Set(here.map(({ fact }) => fact.method));
    const isTried = METHODS.every((method) => tried.has(method));
    if (!isTried || beside.length === 0 || !here.some(({ fact }) => fact.isMalformed)) return [];
    const expected = `an endpoint at ${path}`;
    const statuses = [...new Set(here.map(({ fact }) => fact.status))].join(' or ');
    const actual = `${statuses} to ${[...tried].join(', ')}, as at a path that serves nothing`;
    return [{ witnesses, judgement: [{ pointer: '', expected, actual }] }];
  });
}

/** Whether an answer is another than the one beside the endpoints, if nothing is. */
function isThere(asked: Asked, beside: readonly Collected<Asked>[]): boolean {
  const { method, status, says, isPage } = asked;
  // Some services answer OPTIONS for every path there might be.
  const same = beside.find(({ fact }) => fact.method === method)?.fact;
  if (method === 'OPTIONS' && same !== undefined) return same.status !== status;
  if (status === 404) return same !== undefined && same.says !== says;
  if (isPage) return same?.isPage !== true;
  const isRefusedMethod = status === 405 || status === 501;
  return !isRefusedMethod || same?.status !== status || same.says !== says;
}

export const agentAuthEndpointRule: Rule = runRule<Asked>({
  id: 'docs.agent-auth.endpoints-are-there',
  level: 'should',
  source: 'implied by §4.3',
  protects: 'Something answers where register, claim and revoke are.',
  rulesOut:
    'A service that has no such endpoint, or has it elsewhere: each method and a body that is no JSON would get the 404 of a path beside it, at which nothing is.',
  api: 'docs',
  operations: '*',
  answer: 'answered',
  leastEvidence: 1,
  collect: askedOf,
  conclude: judgeEndpoints,
});
