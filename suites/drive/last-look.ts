import {
  AGAIN,
  IN_A_ROW,
  isCertain,
  isOutage,
  type NotServedRow,
  type SinceServed,
} from '../../contracts/judging/replies/since-served.ts';
import type { ServiceReplies } from '../../contracts/judging/replies/service-replies.ts';
import { SAFE } from '../../contracts/rules/valid-requests/sent-requests.ts';
import { isToBeServed } from '../../contracts/rules/valid-requests/valid-answer.ts';
import { View } from '../../contracts/judging/view.ts';
import { BudgetExceeded } from '../../fixtures/target/budget/governor.ts';
import type { ClientRequest } from '../../fixtures/target/transport/client.ts';
import type { Session } from '../driven-service.ts';
import { againOf } from './asked-again.ts';

/** Looks at the end of a run whether what was served before still is. */
export interface LastLook {
  /**
   * Sends once more what was served, for each operation and API whose last valid requests were not: until it
   * is served again, or it is certain that it is not.
   */
  readonly ask: () => Promise<void>;
}

/** What is looked at: an operation, or an API. */
interface Looked {
  readonly name: string;
  readonly sinceServed: SinceServed;
}

/**
 * Watches all exchanges of a session from now on.
 *
 * @param replies what became of them
 */
export function prepareLastLook(session: Session, replies: ServiceReplies): LastLook {
  /** The last request that was served, by operation and by API. */
  const served = new Map<string, ClientRequest>();
  session.client.listen((exchange) => {
    const view = new View(exchange, session.contract);
    const { method } = exchange.request;
    if (!view.succeeded || method === 'DELETE' || !isToBeServed(view, {})) return;
    const again = againOf(session, exchange);
    if (again === undefined || view.operation === undefined) return;
    for (const name of [view.operation.id, nameOf(exchange)]) served.set(name, again);
  });

  async function askFor({ name, sinceServed }: Looked): Promise<void> {
    const request = served.get(name);
    if (request === undefined) return;
    for (let sent = 0; sent < IN_A_ROW + AGAIN; sent += 1) {
      const { row } = sinceServed;
      if (row === undefined || isCertain(row) || !isTelling(row, request)) return;
      try {
        await session.client.send(request);
      } catch (error) {
        // Few in a row were refused for a reason of their own, as far as is known.
        if (error instanceof BudgetExceeded && row.count < IN_A_ROW) return;
        throw error;
      }
    }
  }

  return {
    async ask() {
      const { apis, operations } = replies;
      for (const one of operations) await askFor({ ...one, name: one.id });
      for (const one of apis) await askFor({ ...one, name: nameOf(one) });
    },
  };
}

function nameOf({ api }: Pick<ClientRequest, 'api'>): string {
  return `the ${api} API`;
}

/** Whether a refusal of the request now would say anything: what changes something may be possible once. */
function isTelling(row: NotServedRow, { method }: ClientRequest): boolean {
  return isOutage(row) || SAFE.includes(method.toUpperCase()) || row.count >= AGAIN;
}
