import {
  AGAIN,
  IN_A_ROW,
  isCertain,
  isOutage,
  type NotServed,
  type NotServedRow,
  type SinceServed,
} from '../../contracts/judging/replies/since-served.ts';
import { asksForDeleted } from '../../contracts/judging/replies/deleted.ts';
import type { ServiceReplies } from '../../contracts/judging/replies/service-replies.ts';
import { SAFE } from '../../contracts/judging/replies/reply.ts';
import { isToBeServed } from '../../contracts/rules/valid-requests/valid-answer.ts';
import type { ApiName } from '../../contracts/wire/exchange.ts';
import { View } from '../../contracts/judging/view.ts';
import { BudgetExceeded } from '../../target/budget/governor.ts';
import type { ClientRequest } from '../../target/transport/client.ts';
import type { Session } from '../driven-service.ts';
import { againOf } from './asked-again.ts';

/** Looks at the end of a run whether what was served before still is. */
export interface LastLook {
  /**
   * Sends once more what was served, for each operation that served: until it is served again, or it is
   * certain that it is not. Then for each API whose last valid requests were not served.
   */
  readonly ask: () => Promise<void>;
  /** Sends what is not served any more once more, after all else and a pause: a limiter may have met the first look. */
  readonly confirm: () => Promise<void>;
}

/** Pauses before what has ended is asked for again, in ms. */
const PAUSES_MS: readonly number[] = [1_000, 5_000];

/** What is looked at: an operation, or an API. */
interface Looked {
  readonly sinceServed: SinceServed;
}

/**
 * Watches all exchanges of a session from now on.
 *
 * @param replies what became of them
 */
export function prepareLastLook(session: Session, replies: ServiceReplies): LastLook {
  /** The last request that was served, by operation. */
  const served = new Map<string, ClientRequest>();
  session.client.listen((exchange, request) => {
    const view = new View(exchange, session.contract);
    const { method, path } = exchange.request;
    if (view.succeeded && method === 'DELETE') forget(exchange.api, path);
    if (!view.succeeded || method === 'DELETE' || !isToBeServed(view, {})) return;
    const again = againOf(session, exchange, request);
    if (again === undefined || view.operation === undefined) return;
    served.delete(view.operation.id);
    served.set(view.operation.id, again);
  });

  function forget(api: ApiName, path: string): void {
    for (const [operation, request] of served) {
      if (request.api === api && asksForDeleted(request.path, path)) served.delete(operation);
    }
  }

  async function askFor(
    { sinceServed }: Looked,
    requests: readonly ClientRequest[],
  ): Promise<void> {
    for (let sent = 0; sent < IN_A_ROW + AGAIN; sent += 1) {
      const { row } = sinceServed;
      const request = requests[sent % requests.length];
      if (request === undefined) return;
      // Of several, each is asked once.
      if (
        sent >= requests.length - 1 &&
        row !== undefined &&
        (isCertain(row) || !isEvidence(session, row, request))
      )
        return;
      try {
        await session.client.send(request);
      } catch (error) {
        // Few in a row were refused for a reason of their own, as far as is known.
        if (error instanceof BudgetExceeded && (row?.count ?? 0) < IN_A_ROW) return;
        throw error;
      }
      if (sinceServed.row === undefined) return;
    }
  }

  return {
    async ask() {
      const { apis, operations } = replies;
      for (const one of operations) await askFor(one, [served.get(one.id) ?? []].flat());
      for (const one of apis) {
        if (one.sinceServed.row === undefined) continue;
        // What was served last first.
        const own = [...served.values()].reverse().filter(({ api }) => api === one.api);
        await askFor(one, own);
      }
    },
    async confirm() {
      for (const ms of PAUSES_MS) {
        const ended = [...replies.operations, ...replies.apis].flatMap((one) => {
          const { row } = one.sinceServed;
          const own = [...served.values()].findLast(({ api }) => api === one.api);
          const request = 'id' in one ? served.get(one.id) : own;
          const isAsked = row !== undefined && request !== undefined && isCertain(row);
          return isAsked && isEvidence(session, row, request) ? [{ one, request }] : [];
        });
        if (ended.length === 0) return;
        await session.clock?.sleep(ms);
        const asked = new Set<ClientRequest>();
        for (const { one, request } of ended) {
          // Another may have shown meanwhile that its API serves.
          if (one.sinceServed.row === undefined || asked.has(request)) continue;
          asked.add(request);
          await session.client.send(request);
        }
      }
    },
  };
}

/** What more than so many of a kind may be given, if one of them is one too many for somebody. */
const OF_A_QUOTA: readonly string[] = ['refused', 'denied'] satisfies NotServed[];

/** Whether a refusal of the request now would say anything: what changes something may be possible once. */
function isEvidence(session: Session, row: NotServedRow, request: ClientRequest): boolean {
  const { service } = session;
  const isSafe = SAFE.includes(request.method.toUpperCase());
  if (isOutage(row) || isSafe || row.count >= AGAIN) return true;
  const isOnce = service.isSpent === undefined || service.isSpent(request);
  return !isOnce && !Object.keys(row.replies).some((kind) => OF_A_QUOTA.includes(kind));
}
