import type { ContractOperation } from '../../document/schema.ts';
import type { ApiName } from '../../wire/exchange.ts';
import type { Finding } from '../findings/broken-places.ts';
import type { Reply, Said } from './reply.ts';
import type { ApiReplies, Asked, OperationReplies, ServiceReplies } from './service-replies.ts';
import { isCertain, isOutage } from './since-served.ts';
import type { Rule } from '../rule.ts';
import type { RuleResult } from '../verdict.ts';

/** A host that gave nothing but errors of the server, or no answer, in a whole run. */
export interface Outage {
  readonly origin: string;
  readonly apis: readonly ApiName[];
  /** Requests answered with 5xx. */
  readonly failed: number;
  /** Requests without an answer. */
  readonly unanswered: number;
  readonly last: Said | undefined;
}

/** A base URL under which no operation was found, on a host that answers. */
export interface EmptyBase {
  readonly api: ApiName;
  readonly baseUrl: string;
  /** What most answers were. */
  readonly kind: 'plain at TLS' | 'pages' | 'moved' | 'missing';
  readonly first: Said | undefined;
  /** Segments at the end of the base URL with which paths of the contract begin, e.g. `/v1`. */
  readonly repeated: string | undefined;
  /** Other APIs that have the same base URL. */
  readonly beside: readonly ApiName[];
}

/** An API that served at first, and gave nothing but errors of the server or no answer from some exchange on. */
export interface Ended {
  readonly baseUrl: string;
  readonly api: ApiName;
  /** Id of the first exchange of the outage. */
  readonly from: string;
}

/** What a run knows of where nothing was served at all, or any more, which says nothing of the rules. */
export interface Standing {
  readonly outages: readonly Outage[];
  readonly emptyBases: readonly EmptyBase[];
  readonly ended: readonly Ended[];
}

/**
 * What of a run stood where nothing was served at all.
 *
 * @param isPromised whether an API must do anything: one of which nothing must be, such as the AI
 * runtime, need not serve. Its rules speak for themselves, unless all others are out as well
 * @param operations those of the contract
 */
export function standingOf(
  replies: ServiceReplies,
  isPromised: (api: ApiName) => boolean,
  operations: readonly ContractOperation[],
): Standing {
  const origins = new Set(replies.apis.map(({ baseUrl }) => originOf(baseUrl)));
  const outages = [...origins].flatMap((origin) => {
    const apis = replies.apis.filter(({ baseUrl }) => originOf(baseUrl) === origin);
    return outageOf(origin, apis) ?? [];
  });
  const promised = replies.apis.filter(({ api }) => isPromised(api));
  const out = new Set(outages.flatMap(({ apis }) => apis));
  const isAllOut = promised.length > 0 && promised.every(({ api }) => out.has(api));
  // What an outage gives is no sign of a wrong address, so that no API is both.
  const emptyBases = promised.flatMap((one) => {
    const others = operations.filter(({ api }) => api !== one.api);
    const places = new Set(others.map(({ method, pathTemplate }) => `${method} ${pathTemplate}`));
    return emptyBaseOf(one, replies, places) ?? [];
  });
  return {
    outages: outages.filter(({ apis }) => isAllOut || apis.some(isPromised)),
    emptyBases,
    ended: promised.flatMap((one) => endedOf(one, replies) ?? []),
  };
}

function endedOf(
  { api, baseUrl, sinceServed: { row } }: ApiReplies,
  { operations }: ServiceReplies,
): Ended | undefined {
  if (row === undefined || !isCertain(row) || !isOutage(row)) return undefined;
  return isOfOne(api, row.operation, operations) ? undefined : { api, baseUrl, from: row.from };
}

/** Whether requests are of one operation alone, beside others of its API that serve. */
export function isOfOne(
  api: ApiName,
  operation: string | undefined,
  operations: readonly OperationReplies[],
): boolean {
  if (operation === undefined) return false;
  return operations.some((one) => one.api === api && one.isServed && one.id !== operation);
}

function originOf(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).origin : baseUrl;
}

/** Throttled answers say neither that a host serves nor that it does not. */
const OF_AN_OUTAGE: readonly string[] = ['failed', 'unanswered', 'throttled'] satisfies Reply[];

function outageOf(origin: string, apis: readonly ApiReplies[]): Outage | undefined {
  const sum = (reply: Reply): number => apis.reduce((all, one) => all + (one.all[reply] ?? 0), 0);
  const [failed, unanswered] = [sum('failed'), sum('unanswered')];
  const isOut = apis.every(({ all }) =>
    Object.keys(all).every((one) => OF_AN_OUTAGE.includes(one)),
  );
  if (!isOut || failed + unanswered === 0) return undefined;
  const last = apis.findLast((one) => one.last !== undefined)?.last;
  return { origin, apis: apis.map(({ api }) => api), failed, unanswered, last };
}

/** @param places of operations of other APIs */
function emptyBaseOf(
  one: ApiReplies,
  replies: ServiceReplies,
  places: ReadonlySet<string>,
): EmptyBase | undefined {
  const { api, baseUrl, strays, plainAtTls } = one;
  const asked = [...one.asked.values()];
  const [moved, missing] = [sum(asked, 'moved'), sum(asked, 'missing')];
  // At a place that another API has as well, an error says nothing of which of them is there.
  const own = asked.filter((of) => !places.has(of.place));
  const answered = sum(own, 'denied', 'refused', 'failed', 'unreadable');
  // Whatever else is answered comes from an API, or from a gateway before one.
  const isThere = sum(asked, 'served') + answered > strays;
  if (isThere || moved + missing + strays === 0) return undefined;
  const kind =
    plainAtTls > 0 ? 'plain at TLS' : strays > 0 ? 'pages' : moved > missing ? 'moved' : 'missing';
  const templates = replies.operations.filter((operation) => operation.api === api);
  const repeated = repeatedOf(
    baseUrl,
    templates.map(({ pathTemplate }) => pathTemplate),
  );
  const first = [...own, ...asked].find((of) => of.first !== undefined)?.first;
  const beside = replies.apis
    .filter((other) => other.api !== api && other.baseUrl === baseUrl)
    .map((other) => other.api);
  return { api, baseUrl, kind, first, repeated, beside };
}

function sum(asked: readonly Asked[], ...kinds: readonly Reply[]): number {
  return asked.reduce(
    (all, { counts }) => kinds.reduce((before, kind) => before + (counts[kind] ?? 0), all),
    0,
  );
}

/** What paths begin with that the base URL ends with already; the longest of these. */
function repeatedOf(baseUrl: string, templates: readonly string[]): string | undefined {
  if (!URL.canParse(baseUrl)) return undefined;
  const path = new URL(baseUrl).pathname;
  const starts = templates.flatMap((template) => {
    const segments = template.split('/').slice(1);
    return segments.map((_, at) => `/${segments.slice(0, at + 1).join('/')}`);
  });
  return starts
    .filter((start) => path.endsWith(start))
    .toSorted((one, other) => other.length - one.length)[0];
}

/** The APIs that served nothing by no fault that a rule speaks of, each with the reason. */
export function apisAside({
  outages,
  emptyBases,
}: Omit<Standing, 'ended'>): ReadonlyMap<ApiName, string> {
  const reasons = new Map<ApiName, string>();
  for (const { apis, origin } of outages) {
    for (const api of apis) reasons.set(api, `${origin} served nothing in the whole run`);
  }
  for (const { api, baseUrl } of emptyBases) {
    reasons.set(api, `nothing is served under ${baseUrl}, the base URL of the ${api} API`);
  }
  return reasons;
}

/**
 * Results without what was found where nothing was served: an outage or a wrong address breaks no rule.
 * Rules on throttled answers judge what those say of themselves.
 */
export function setAside(
  results: readonly RuleResult[],
  { outages, emptyBases, ended }: Standing,
): RuleResult[] {
  const reasons = apisAside({ outages, emptyBases });
  if (reasons.size === 0) return withoutEnded(results, ended);
  const nowhere = [...outages.map(({ origin }) => origin), ...emptyBases.map((one) => one.baseUrl)];
  const isOfNothing = ({ request: { url } }: Finding): boolean =>
    nowhere.some((start) => url === start || url.startsWith(`${start}/`));
  return withoutEnded(results, ended).map((result) => {
    const { rule } = result;
    const reason = reasons.get(rule.api);
    if (reason !== undefined && rule.answer !== 'throttled') {
      return asideFor(rule, reason);
    }
    // Of a rule that compares APIs, the other one may be there.
    if (rule.besides === undefined || !result.findings.some(isOfNothing)) return result;
    return asideFor(rule, 'what it found was at a place that serves nothing');
  });
}

/** Results without what was found since an API has ended, which serves nothing that a rule could speak of. */
function withoutEnded(results: readonly RuleResult[], ended: readonly Ended[]): RuleResult[] {
  if (ended.length === 0) return [...results];
  const endedBefore = ({ request: { url }, exchanges }: Finding): Ended | undefined =>
    ended.find(
      ({ baseUrl, from }) =>
        (url === baseUrl || url.startsWith(`${baseUrl}/`)) &&
        exchanges.every((id) => isFrom(id, from)),
    );
  return results.map((result) => {
    const findings = result.findings.filter((one) => endedBefore(one) === undefined);
    const [first] = result.findings;
    if (first === undefined || findings.length === result.findings.length) return result;
    const { rule } = result;
    const isAccepted = findings.every(({ waived }) => waived !== undefined);
    if (findings.length > 0) {
      return { ...result, findings, ...(isAccepted ? { verdict: 'waived' as const } : {}) };
    }
    const one = endedBefore(first);
    const reason = `${one?.baseUrl ?? ''} served nothing any more from exchange ${one?.from ?? ''} on`;
    return asideFor(rule, reason);
  });
}

/** Nothing is known of a rule that was judged only where nothing was served. */
function asideFor(rule: Rule, reason: string): RuleResult {
  const nothing = { evidence: 0, inconclusive: 0, findings: [] };
  return { rule, verdict: 'not-reached', ...nothing, isSetAside: true, reason };
}

/** Whether an exchange is another one or comes after it. */
export function isFrom(id: string, from: string): boolean {
  return id.length > from.length || (id.length === from.length && id >= from);
}
