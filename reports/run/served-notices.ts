/** Sentences on what served nothing: a host, a base URL, an operation. */

import type { Judge, RuleResult } from '../../contracts/judging/judge.ts';
import type { Said } from '../../contracts/judging/replies/reply.ts';
import type { EmptyBase, Outage, Standing } from '../../contracts/judging/replies/standing.ts';
import {
  type Stopped,
  total,
  type Unserved,
  type UnservedOperations,
  type WereOut,
  type WhyUnserved,
} from '../../contracts/judging/replies/unserved.ts';
import type { OperationReplies } from '../../contracts/judging/replies/service-replies.ts';
import { printable } from '../../contracts/run/printable.ts';
import type { AtTimesRow } from '../../contracts/run/run.ts';
import type { ApiName } from '../../contracts/wire/exchange.ts';

/** More are counted. */
const MAX_NAMED = 5;

/** The sentences on hosts and base URLs that served nothing, one each. */
export function standingNotices({ outages, emptyBases }: Standing): string[] {
  return [...outages.map(outageNotice), ...emptyBases.map(emptyBaseNotice)];
}

function outageNotice({ origin, apis, failed, unanswered, last }: Outage): string {
  const who = `${origin} (${apisOf(apis)})`;
  const said = last === undefined ? '' : ` The last: ${saidOf(last)}.`;
  if (failed === 0) {
    return `${who} did not answer any of ${unanswered} requests.${said} ${adviceOnSilence(origin, last)}`;
  }
  const silent = unanswered === 0 ? '' : `, and ${unanswered} not at all`;
  return `${who} served nothing in the whole run: ${failed} requests were answered with errors of the server${silent}.${said} ${adviceOnFailing(last)}`;
}

function adviceOnSilence(origin: string, last: Said | undefined): string {
  const mayBeTls = origin.startsWith('http:') && last?.words.includes('connection ended') === true;
  const tls = mayBeTls ? ' If it speaks TLS, its URL begins with https://.' : '';
  return `Check its base URL and whether it is up.${tls}`;
}

const GATEWAY: readonly number[] = [502, 503, 504];

function adviceOnFailing(last: Said | undefined): string {
  const isPage = last?.words.trimStart().startsWith('<') === true;
  return isPage && GATEWAY.includes(last.status)
    ? 'That is the error page of a proxy or gateway: the service behind it was not reached, so no rule counts as broken.'
    : 'That is an outage, by which no rule counts as broken. Run it again once it serves.';
}

function emptyBaseNotice(base: EmptyBase): string {
  const { api, baseUrl, first } = base;
  const where = `Nothing is served under ${baseUrl}, the base URL of the ${api} API`;
  const shown = first === undefined ? '' : `: ${first.asked} gave ${saidOf(first)}`;
  return `${where}${shown}. ${adviceOnBase(base)}`;
}

/** Where a redirect leads to, without the path that was asked for below the base URL. */
function newBaseOf({ asked, location }: Said, baseUrl: string): string | undefined {
  const url = asked.slice(asked.indexOf(' ') + 1);
  const path = url.startsWith(baseUrl) ? url.slice(baseUrl.length) : '';
  const isSame = path !== '' && location?.endsWith(path) === true;
  return isSame ? location.slice(0, -path.length) : location;
}

function adviceOnBase({ kind, baseUrl, first, repeated, beside }: EmptyBase): string {
  if (kind === 'plain at TLS') {
    return 'The server speaks TLS there, so the base URL begins with https://.';
  }
  if (repeated !== undefined) {
    return `Paths of its contract begin with ${repeated}: leave that out at the end of the base URL.`;
  }
  if (kind === 'moved') {
    const location = first === undefined ? undefined : newBaseOf(first, baseUrl);
    return `Redirects are not followed: give the URL that they lead to${location === undefined ? '' : `, here ${location}`}.`;
  }
  if (kind === 'pages') {
    return 'The answers are web pages in place of JSON, as a web site, a login or a proxy gives them. Give the URL of the API itself.';
  }
  const also = beside.length === 0 ? '' : ` It is that of ${apisOf(beside)} as well.`;
  return `Nothing of its contract is there.${also} Is it the right base URL?`;
}

/**
 * What was never served, and what was not any more, a sentence for each reason; then what nobody could be
 * asked of, and what was out for a while.
 */
export function unservedNotices(
  { asked, ofUnknownThings, stopped, wereOut }: UnservedOperations,
  credentials: Readonly<Partial<Record<ApiName, string>>>,
): string[] {
  const whys = [...new Set(asked.map(({ why }) => why))];
  const notices = whys.map((why) => {
    const those = asked.filter((one) => one.why === why);
    return `Never served${WORDS[why]}: ${namesOf(those.map(({ operation }) => operation))}. ${lastOf(those)}${adviceOn(why, those, credentials)}`;
  });
  const unknown =
    ofUnknownThings.length === 0
      ? []
      : [
          `Whether these serve is not known, for the target named nothing that they could be asked for: ${namesOf(ofUnknownThings)}.`,
        ];
  return [...notices, ...stopped.map(stoppedNotice), ...unknown, ...wereOut.map(outNotice)];
}

/** What a person must know of an API that served nothing. */
export function idleNotice(
  api: ApiName,
  { replies }: Pick<Judge, 'replies'>,
  results: readonly RuleResult[],
  credentials: Readonly<Partial<Record<ApiName, string>>>,
): string {
  const own = replies.apis.find((one) => one.api === api);
  const [count, denied] = [total(own?.all ?? {}), own?.all.denied ?? 0];
  const what = `The ${api} API answered no request with success, so little could be judged`;
  if (own === undefined || 2 * denied <= count)
    return `${what}. Is its base URL the right one, and no redirect?`;
  const rules = results.map(({ rule }) => rule).filter((rule) => rule.api === api);
  const ids = rules.flatMap(({ operations }) => (operations === '*' ? [] : operations));
  const named = [...new Set(ids)].slice(0, MAX_NAMED).join(', ');
  return `${what}: ${denied} of ${count} answers were 401 or 403, so nothing is known of ${named}.${credentialAdvice([api], credentials)}`;
}

/** Of what is refused at random, so many times in a row are no chance: of one in three, 1 of 700. */
const TIMES_BESIDE_CHANCE = 6;

/**
 * Of each operation that serves, what it refused each time: nobody knows whether it must serve that.
 *
 * @param atTimes operations that refuse at times what they serve: what was sent a few times may have met that
 */
export function refusalNotices(
  operations: readonly OperationReplies[],
  atTimes: readonly AtTimesRow[],
): string[] {
  return operations.flatMap((operation) => {
    if (!operation.isServed) return [];
    const isAtTimes = atTimes.some((row) => row.operation === operation.id);
    const refusals = operation.refused.refusals(isAtTimes ? TIMES_BESIDE_CHANCE : 1);
    if (refusals === undefined) return [];
    const { count, said, saidCount, again, values } = refusals;
    const what = values
      .map(
        (of) =>
          ` Every request with ${of.value} was refused (${of.count}, most with ${of.said}); others were served.`,
      )
      .join('');
    const times = again === 0 ? 'each sent once' : `${again === count ? 'all' : again} sent again`;
    return [
      printable(
        `Refused by ${nameOf(operation)}, which serves others: ${count} different valid requests (${times}), ${saidCount} of them with ${said}.${what} Whether it must serve them is not known.`,
      ),
    ];
  });
}

function stoppedNotice({ api, operation, why, row }: Stopped): string {
  const { from, until, count, again, last } = row;
  const what = operation === undefined ? `the ${api} API` : nameOf(operation);
  return `Served at first, then not any more, from exchange ${from} to ${until}, when it was asked last${WORDS[why]}: ${what}. These are ${count} valid requests in a row; ${again} of them had been served before. The last: ${saidOf(last)}.`;
}

function outNotice({ api, operation, row: { from, until, count, last } }: WereOut): string {
  const what = operation === undefined ? `The ${api} API` : nameOf(operation);
  return `${what} met ${count} valid requests in a row with errors, from exchange ${from} to ${until}, and served again afterwards: what was asked meanwhile is not known. The last: ${saidOf(last)}.`;
}

const WORDS: Readonly<Record<WhyUnserved, string>> = {
  denied: ', only answered 401 or 403',
  missing: ', only answered 404, 405, 410 or 501',
  refused: ', every valid request was refused',
  failed: ', only answered with errors of the server',
  unanswered: ', no request was answered',
  unreadable: ', no answer could be read',
  throttled: ', every request met a rate limit',
  moved: ', only answered with redirects',
  pages: ', only answered with web pages in place of JSON',
  mixed: '',
};

function lastOf(those: readonly Unserved[]): string {
  const last = those.at(-1)?.operation.last;
  return last === undefined ? '' : `The last: ${saidOf(last)}.`;
}

function adviceOn(
  why: WhyUnserved,
  those: readonly Unserved[],
  credentials: Readonly<Partial<Record<ApiName, string>>>,
): string {
  if (why === 'refused') {
    return ' What the contract states of its requests is not enough for one that is served: state examples in it, or give a generator.';
  }
  if (why !== 'denied') return '';
  return credentialAdvice(
    those.map(({ operation }) => operation.api),
    credentials,
  );
}

function credentialAdvice(
  apis: readonly ApiName[],
  credentials: Readonly<Partial<Record<ApiName, string>>>,
): string {
  const options = [...new Set(apis)].map((api) => credentials[api] ?? OF_ANY);
  return ` A credential is missing, or not permitted: give one with ${[...new Set(options)].join(' or ')}.`;
}

const OF_ANY =
  "--header 'Authorization: $ASSAY_SECRET_NAME', or of the field that the contract names, if that variable holds the whole value";

function namesOf(
  operations: readonly {
    readonly id: string;
    readonly method: string;
    readonly pathTemplate: string;
  }[],
): string {
  const named = operations.slice(0, MAX_NAMED).map(nameOf);
  const more = operations.length - named.length;
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function nameOf(operation: {
  readonly id: string;
  readonly method: string;
  readonly pathTemplate: string;
}): string {
  return `${operation.id} (${operation.method} ${operation.pathTemplate})`;
}

/** What an exchange gave, without a full stop. */
export function saidOf({ status, words }: Said): string {
  return printable(status === 0 ? words : `${status}${words === '' ? '' : ` ${words}`}`);
}

function apisOf(apis: readonly ApiName[]): string {
  const [last = '', ...others] = apis.toReversed();
  return others.length === 0
    ? `the ${last} API`
    : `the ${others.toReversed().join(', ')} and ${last} APIs`;
}
