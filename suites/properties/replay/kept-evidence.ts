import { Judge } from '../../../contracts/judging/judge.ts';
import type { Rule } from '../../../contracts/judging/rule.ts';
import { isOnFailingRequests } from '../../../contracts/rules/valid-requests/valid-request-rules.ts';
import type { Rate } from '../../../contracts/run/run.ts';
import type { Exchange } from '../../../contracts/wire/exchange.ts';
import { jsonOrUndefined } from '../../../contracts/wire/parse-json.ts';
import type { Session } from '../../driven-service.ts';

/** A fault that is still there is missed in so many, at most. */
const MISSED = 0.01;
/** No run sends more for one fault: more are not computed. */
const MOST_SENDINGS = 100_000;

/**
 * How often a rule must hold for requests that broke it at a rate, so that the fault is missed in 1 of 100 at most.
 *
 * The requests were chosen for having broken it, so that their first break says nothing of how often they do. What the
 * others say of it is the less certain the fewer they are: all rates are as likely before them.
 */
export function sendingsFor(rate: Rate | undefined): number {
  if (rate === undefined || rate.broken >= rate.judged) return 1;
  const kept = rate.judged - rate.broken;
  let missed = 1;
  let sendings = 0;
  while (missed > MISSED && sendings < MOST_SENDINGS) {
    sendings += 1;
    missed *= (kept + sendings) / (kept + sendings + rate.broken);
  }
  return sendings;
}

/** Whether there was no answer, or an error of the service, which says nothing of another fault. */
export function isFailed({ outcome }: Exchange): boolean {
  return outcome.kind === 'failure' || outcome.response.status >= 500;
}

/**
 * Whether requests were answered as their rule wants to see it: it judged the answers, none of which is an
 * error of the service or a rejection by a limit, and it held.
 */
export function isKept(
  { contract }: Pick<Session, 'contract'>,
  rule: Rule,
  exchanges: readonly Exchange[],
): boolean {
  const [first] = exchanges;
  if (first === undefined || exchanges.some((one) => isFailed(one) || isThrottled(one, contract)))
    return false;
  // A request that fails each time was to be served.
  if (isOnFailingRequests(rule)) return statusOf(first) < 400;
  const judge = new Judge([rule], contract);
  for (const exchange of exchanges) judge.add(exchange);
  return judge.results().every(({ evidence, findings }) => evidence > 0 && findings.length === 0);
}

function statusOf({ outcome }: Exchange): number {
  return outcome.kind === 'failure' ? 0 : outcome.response.status;
}

function isThrottled({ outcome }: Exchange, { errors }: Session['contract']): boolean {
  if (outcome.kind === 'failure') return false;
  const { status, body } = outcome.response;
  return errors.isThrottled(status, jsonOrUndefined(body.text));
}
