import { Judge } from '../../../contracts/judging/judge.ts';
import type { Rule } from '../../../contracts/judging/rule.ts';
import { isOnFailingRequests } from '../../../contracts/rules/valid-requests/valid-request-rules.ts';
import type { Exchange } from '../../../contracts/wire/exchange.ts';
import { jsonOrUndefined } from '../../../contracts/wire/parse-json.ts';
import type { Session } from '../../driven-service.ts';

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
