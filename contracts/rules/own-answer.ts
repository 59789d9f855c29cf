import type { View } from '../judging/view.ts';
import { isPlaceProbe } from '../judging/contract-probe.ts';

/** Answers that a gateway gives in place of a service (RFC 9110 section 15.6). */
export const GATEWAY: readonly number[] = [502, 503, 504];
/** Statuses that a service answers for what it does not have (RFC 9110 sections 15.5.5, 15.5.6, 15.6.2). */
export const ABSENT: readonly number[] = [404, 405, 501];
/** Statuses whose responses have no content (RFC 9110 sections 15.3.5, 15.3.6, 15.4.5). */
const WITHOUT_CONTENT: readonly number[] = [204, 205, 304];

/** Whether what the contract states for the status can be expected of this answer. */
export function isOwnAnswer(view: View): boolean {
  const { status, operation, exchange } = view;
  if (exchange.request.method === 'HEAD' || WITHOUT_CONTENT.includes(status)) return false;
  // What is not at this place may be at another.
  if (isPlaceProbe(view) && ABSENT.includes(status)) return false;
  // Redirects and a gateway's answers fall under `default` by its letter alone.
  const isOthers = (status >= 300 && status < 400) || GATEWAY.includes(status);
  return !isOthers || operation?.namesStatus(status) === true;
}
