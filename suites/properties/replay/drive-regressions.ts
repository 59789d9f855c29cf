import type { Judge } from '../../../contracts/judging/judge.ts';
import type { RegressionRow } from '../../../contracts/run/run.ts';
import type { Exchange, Purpose } from '../../../contracts/wire/exchange.ts';
import { stillMeant } from '../../../fixtures/arbitraries/still-meant.ts';
import { UnsendableRequest } from '../../../target/transport/transport.ts';
import type { Session } from '../../driven-service.ts';
import { triedOf } from '../../drive/as-generated.ts';
import type { Reproducer } from '../reproducer.ts';
import { isShown } from '../reproducer.ts';
import type { Regression } from './regressions.ts';
import type { LoggingClient } from './sent-log.ts';
import { sendUntilShown } from '../show-again.ts';

/** What sending the counterexamples of earlier runs needs. */
export interface RegressionPlan {
  readonly regressions: readonly Regression[];
  readonly judge: Judge;
  /** The only one that is sent; all are when absent. */
  readonly only?: string;
  /** Takes what became of each, also where the run ends in the midst of them. */
  readonly rows: RegressionRow[];
}

/** Sends the counterexamples of earlier runs. @returns sentences on those that cannot be sent */
export async function driveRegressions(
  session: Session,
  { mark }: Pick<LoggingClient, 'mark'>,
  { regressions, judge, only, rows }: RegressionPlan,
): Promise<string[]> {
  const notices: string[] = [];
  const wanted = regressions.filter(({ name }) => only === undefined || only === name);
  const ended = 'the run ended before';
  rows.push(...wanted.map(({ name, rule }) => rowOf(name, rule, 'not-sent', ended)));
  for (const [at, regression] of wanted.entries()) {
    const { name, rule } = regression;
    const why = unfitness(session, regression);
    if (why !== undefined) {
      rows[at] = rowOf(name, rule, 'not-sent', why);
      continue;
    }
    mark(`regression:${name}`);
    try {
      rows[at] = await tried(session, judge, regression);
    } catch (error) {
      if (!(error instanceof UnsendableRequest)) throw error;
      notices.push(`The regression ${name} was left out: ${error.message}.`);
      rows[at] = rowOf(name, rule, 'not-sent', error.message);
    }
  }
  mark(undefined);
  return notices;
}

/** Why a regression is not for this target, as a clause. */
function unfitness({ apis, contract }: Session, { requests }: Regression): string | undefined {
  const missing = requests.find(({ request }) => !apis.has(request.api))?.request.api;
  if (missing !== undefined) return `the ${missing} API has no base URL`;
  const isMeant = requests.every(({ request }) => stillMeant(contract, request));
  return isMeant ? undefined : 'by the contract its requests are no longer what they were for';
}

async function tried(
  session: Session,
  judge: Judge,
  { name, rule: id, requests }: Regression,
): Promise<RegressionRow> {
  const reproducer: Reproducer = requests.map((kept) => ({
    ...kept,
    request: triedOf(session, kept.request),
  }));
  const rule = judge.results().find((result) => result.rule.id === id)?.rule;
  if (rule === undefined) {
    for (const { request } of reproducer) await session.client.send(request);
    return rowOf(name, id, 'unclear', 'the rule is not judged in this run');
  }
  const purposes = requests.map(({ request, was }) => was ?? request.purpose);
  const asThen = (exchanges: readonly Exchange[]): Exchange[] =>
    exchanges.map((exchange) => ({
      ...exchange,
      purpose: purposeOf(exchange, reproducer, purposes),
    }));
  const exchanges = await sendUntilShown(session, rule, reproducer, { asThen, once: true });
  if (isShown(session, rule, exchanges)) return rowOf(name, id, 'shown');
  if (!isShown(session, rule, asThen(exchanges))) return rowOf(name, id, 'not-shown');
  const reason = 'it shows if its requests are as valid as they were when it was found';
  return rowOf(name, id, 'unclear', reason);
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
