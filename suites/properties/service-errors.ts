import type { Exchange } from '../../contracts/wire/exchange.ts';
import type { Reproducer } from './reproducer.ts';

/** What HTTP has for a method that is known nowhere says nothing of a fault. */
const NOT_IMPLEMENTED = 501;

/**
 * Whether all of them were answered with an error of the service, or not at all. Rules on such errors
 * find them only if one request fails again and again, while others are served: so that a request is
 * shrunk at the price of one request for each candidate, shrinking looks at the one answer.
 */
export function areServiceErrors(exchanges: readonly Exchange[]): boolean {
  return exchanges.every(({ outcome }) => {
    if (outcome.kind === 'failure') return ['timeout', 'closed'].includes(outcome.failure);
    const { status } = outcome.response;
    return status >= 500 && status !== NOT_IMPLEMENTED;
  });
}

/** Whether the service is to take all of them, as far as is known: errors of others are no finding. */
export function areToBeTaken(reproducer: Reproducer): boolean {
  return reproducer.every(({ request: { purpose } }) => ['valid', 'probe'].includes(purpose.kind));
}
