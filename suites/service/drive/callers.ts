import { OTHER_CALLERS } from '../../../contracts/service/rules/shared/other-callers.ts';
import { SECOND_TRADE_KEY } from '../../../target/config/secrets.ts';
import { isBaseUnits } from '../../../contracts/wire/amounts.ts';
import { isObject, listOf, member } from '../../../contracts/wire/json.ts';
import { AS_ANOTHER, driveCallers } from '../session/callers.ts';
import type { Session } from '../session/session.ts';
import type { TradeBody } from '../session/trade-body.ts';
import type { ZapBody } from '../session/zap-request.ts';

/**
 * Builds one zap for two accounts, one after the other.
 *
 * @param body a zap that was served
 */
export async function driveZapCallers(session: Session, body: ZapBody | undefined): Promise<void> {
  if (body === undefined) return;
  session.groupCount += 1;
  const group = `callers-${session.groupCount}`;
  for (const role of ['one', 'other']) {
    const account = session.random.address();
    await session.client.send({
      ...{ api: 'zap', method: 'POST', path: '/v1/buildTx', purpose: AS_ANOTHER },
      json: { ...body, ...fresh(body), account, recipient: account },
      relations: [{ kind: OTHER_CALLERS, group, role }],
    });
  }
}

/**
 * Builds one trade as two callers, one after the other: as two senders, then with one Idempotency-Key.
 * With keys of the environment if it holds any; without one if it does not. Then one that is gasless, and one
 * across chains, which may be kept by other means.
 *
 * @param bodies builds of trades that were served
 */
export async function driveTradeCallers(
  session: Session,
  bodies: readonly TradeBody[],
): Promise<void> {
  const unasked = bodies.map((one): TradeBody => ({
    ...one,
    data: listOf(one.data).map((entry) =>
      isObject(entry) ? { ...entry, ...fresh(entry) } : entry,
    ),
  }));
  const [body] = unasked;
  if (body === undefined) return;
  await driveCallers(
    session,
    [session.keyedCredential, { secret: SECOND_TRADE_KEY }, 'none'],
    body,
  );
  const across = unasked.find(({ data, fromChain }) =>
    listOf(data).some((entry) => member(entry, 'toChain') !== fromChain),
  );
  for (const other of [{ ...body, gasless: true }, across]) {
    if (other !== undefined) await driveCallers(session, [session.keyedCredential], other);
  }
}

/** An amount that nobody asked for before: what is kept of it is of the callers that ask here. */
function fresh({ amount }: { readonly amount?: unknown }): { readonly amount?: string } {
  return isBaseUnits(amount) ? { amount: String(BigInt(amount) + 1n) } : {};
}
