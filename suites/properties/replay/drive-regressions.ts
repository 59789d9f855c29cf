import { timesToHold } from '../../../contracts/judging/chance/times-to-hold.ts';
import type { Judge, RuleResult } from '../../../contracts/judging/judge.ts';
import type { RegressionRow } from '../../../contracts/run/run.ts';
import type { Exchange, Purpose } from '../../../contracts/wire/exchange.ts';
import { isOnFailingRequests } from '../../../contracts/rules/valid-requests/valid-request-rules.ts';
import { stillMeant } from '../../../fixtures/arbitraries/still-meant.ts';
import { UnsendableRequest } from '../../../target/transport/transport.ts';
import type { Session } from '../../driven-service.ts';
import { triedOf } from '../../drive/as-generated.ts';
import type { Reproducer } from '../reproducer.ts';
import { isShown } from '../reproducer.ts';
import type { Regression } from './regressions.ts';
import type { LoggingClient } from './sent-log.ts';
import { isFailed, isKept } from './kept-evidence.ts';
import { openWords, sendUntilShown } from '../show-again.ts';

/** What sending the counterexamples of earlier runs needs. */
export interface RegressionPlan {
  readonly regressions: readonly Regression[];
  readonly judge: Judge;
  /** The only one that is sent; all are when absent. */
  readonly only?: string;
  /** Requests that all of them together may take; the run asks for more than what was found earlier. */
  readonly most: number;
  /** Decides which is the first: where not all are sent, other seeds leave out others. */
  readonly seed: number;
  /** Takes what became of each, also if the run ends in the midst of them. */
  readonly rows: RegressionRow[];
}

/** What shows now and then is not sent more often among others. */
const MOST_SENDINGS = 20;
const SHARE_SPENT = 'half of the requests of the run went to others';

/** Sends the counterexamples of earlier runs. @returns sentences on those that cannot be sent */
export async function driveRegressions(
  session: Session,
  { mark }: Pick<LoggingClient, 'mark'>,
  { regressions, judge, only, most, rows, seed }: RegressionPlan,
): Promise<string[]> {
  const notices: string[] = [];
  let sentRequests = 0;
  const stop = session.client.listen(() => (sentRequests += 1));
  const wanted = only === undefined ? regressions : toShowAgain(regressions, only, judge);
  const ended = 'the run ended before';
  rows.push(...wanted.map(({ name, rule }) => rowOf(name, rule, 'not-sent', ended)));
  let before: Before | undefined;
  for (const [at, regression] of beganAt(wanted, seed)) {
    const { name, rule } = regression;
    const why = unfitness(session, regression);
    if (why !== undefined) {
      rows[at] = rowOf(name, rule, 'not-sent', why);
      continue;
    }
    if (only === undefined && sentRequests >= most) {
      rows[at] = rowOf(name, rule, 'not-sent', SHARE_SPENT);
      continue;
    }
    mark(`regression:${name}`);
    try {
      const sendings = before?.name === name ? before.sendings : [];
      const { row, sent } = await tried(session, judge, regression, sendings);
      rows[at] = row;
      before = { name, sendings: [...sendings, ...sent] };
    } catch (error) {
      if (!(error instanceof UnsendableRequest)) throw error;
      notices.push(`The regression ${name} was left out: ${error.message}.`);
      rows[at] = rowOf(name, rule, 'not-sent', error.message);
    }
  }
  mark(undefined);
  stop();
  const left = rows.filter(({ reason }) => reason === SHARE_SPENT).length;
  if (left > 0) {
    notices.push(
      `${left} of ${rows.length} earlier counterexamples were not sent: ${SHARE_SPENT}. Another seed begins at others, more requests (--max-requests) reach all, and --prune regressions removes what is gone.`,
    );
  }
  return notices;
}

/** Of seeds that follow each other, parts of this are spread evenly. */
const GOLDEN = 0.618_033_988_75;

/** All with their places, begun at one that a seed chooses; those of one name stay together. */
function beganAt(wanted: readonly Regression[], seed: number): (readonly [number, Regression])[] {
  const names = [...new Set(wanted.map(({ name }) => name))];
  const first = names[Math.floor(((Math.abs(seed) * GOLDEN) % 1) * names.length)];
  const from = Math.max(
    0,
    wanted.findIndex(({ name }) => name === first),
  );
  const all = [...wanted.entries()];
  return [...all.slice(from), ...all.slice(0, from)];
}

/** What was exchanged for a regression already, for other rules that its requests broke. */
interface Before {
  readonly name: string;
  readonly sendings: readonly (readonly Exchange[])[];
}

/** One regression for the rule that is judged: the one that its requests broke then, or another since. */
function toShowAgain(regressions: readonly Regression[], only: string, judge: Judge): Regression[] {
  const named = regressions.filter(({ name }) => name === only);
  const judged = judge.results().map(({ rule: { id } }) => id);
  const own = named.filter(({ rule }) => judged.includes(rule));
  return own.length > 0 ? own : named.slice(0, 1);
}

/** Why a regression is not for this target, as a clause. */
function unfitness({ apis, contract }: Session, { requests }: Regression): string | undefined {
  const missing = requests.find(({ request }) => !apis.has(request.api))?.request.api;
  if (missing !== undefined) return `the ${missing} API has no base URL`;
  const isMeant = requests.every(({ request }) => stillMeant(contract, request));
  return isMeant ? undefined : 'by the contract its requests are no longer what they were for';
}

/** What became of a regression, and what was sent for it. */
interface Tried {
  readonly row: RegressionRow;
  readonly sent: Before['sendings'];
}

async function tried(
  session: Session,
  judge: Judge,
  { name, rule: id, requests, rate, isFailed: wasFailed, held = 0 }: Regression,
  before: Before['sendings'],
): Promise<Tried> {
  const reproducer: Reproducer = requests.map((kept) => ({
    ...kept,
    request: triedOf(session, kept.request),
  }));
  const rule = judge.results().find((result) => result.rule.id === id)?.rule;
  if (rule === undefined) {
    for (const { request } of before.length > 0 ? [] : reproducer)
      await session.client.send(request);
    return { row: rowOf(name, id, 'unclear', 'the rule is not judged in this run'), sent: [] };
  }
  const purposes = requests.map(({ request, was }) => was ?? request.purpose);
  const asThen = (exchanges: readonly Exchange[]): Exchange[] =>
    exchanges.map((exchange) => ({
      ...exchange,
      purpose: purposeOf(exchange, reproducer, purposes),
    }));
  const wanted = timesToHold(rate);
  const least = Math.min(wanted, MOST_SENDINGS);
  const rowAfter = (exchanges: readonly Exchange[], kept: number): RegressionRow => {
    const row = rowOfAnswers(exchanges, kept);
    return wanted > 1 ? { ...row, held: kept } : row;
  };
  const rowOfAnswers = (exchanges: readonly Exchange[], kept: number): RegressionRow => {
    // What an outage answers says nothing of a fault that an answer showed.
    if (wasFailed === false && exchanges.every(isFailed)) {
      return rowOf(name, id, 'unclear', 'the service gave errors alone');
    }
    if (isShown(session, rule, exchanges)) return rowOf(name, id, 'shown');
    if (!isShown(session, rule, asThen(exchanges))) {
      // What held in runs before counts only beside what holds in this one.
      return kept > 0 && kept + held >= wanted
        ? rowOf(name, id, 'not-shown')
        : rowOf(name, id, 'unclear', openWords(kept, wanted, held));
    }
    const reason = 'it shows if its requests are as valid as they were when it was found';
    return rowOf(name, id, 'unclear', reason);
  };
  // What was sent for another rule may say enough of this one.
  if (before.length > 0 && rule.scope === 'exchange' && !isOnFailingRequests(rule)) {
    const kept = before.filter((sent) => isKept(session, rule, asThen(sent))).length;
    const row = rowAfter(before.flat(), kept);
    if (row.verdict !== 'unclear') return { row, sent: [] };
  }
  const { exchanges, sendings, kept } = await sendUntilShown(session, rule, reproducer, {
    ...{ asThen, once: true, least },
  });
  return { row: rowAfter(exchanges, kept), sent: sendings };
}

/** The purpose that a request had when it was written down. */
function purposeOf(
  { request, purpose }: Exchange,
  reproducer: Reproducer,
  purposes: readonly Purpose[],
): Purpose {
  const at = reproducer.findIndex(
    ({ request: { method, path, rawBody } }) =>
      method === request.method && path === request.path && rawBody === request.body?.text,
  );
  return purposes[at] ?? purpose;
}

function rowOf(
  name: string,
  rule: string,
  verdict: RegressionRow['verdict'],
  reason?: string,
): RegressionRow {
  return reason === undefined ? { name, rule, verdict } : { name, rule, verdict, reason };
}

/**
 * A regression whose requests hold is not cleared while others at their operation break its rule.
 *
 * @param results of the whole run
 */
export function besideOthers(
  row: RegressionRow,
  { requests }: Pick<Regression, 'requests'>,
  results: readonly Pick<RuleResult, 'rule' | 'findings'>[],
  operationOf: Judge['operationOf'],
): RegressionRow {
  if (row.verdict !== 'not-shown') return row;
  const operations = new Set(
    requests.map(({ request: { api, method, path } }) => operationOf(api, { method, path })),
  );
  const found = results.find(({ rule }) => rule.id === row.rule)?.findings ?? [];
  if (!found.some(({ operation }) => operations.has(operation))) return row;
  const reason = 'its requests held, but others at the same operation break its rule';
  return { ...row, verdict: 'unclear', reason };
}

/**
 * A regression that was not shown when it was sent, and whose requests broke its rule later in the run, is shown.
 *
 * @param found counterexamples of the run that a folder has already
 */
export function shownSince(
  row: RegressionRow,
  found: readonly Pick<RegressionRow, 'name' | 'rule'>[],
): RegressionRow {
  const { name, rule } = row;
  const isFound = found.some((one) => one.name === name && one.rule === rule);
  return isFound && row.verdict !== 'shown' ? { name, rule, verdict: 'shown' } : row;
}
