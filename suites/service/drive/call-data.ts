import { isObject, listOf, member } from '../../../contracts/wire/json.ts';
import type { CallDataRole } from '../../../contracts/service/rules/shared/call-data-rules.ts';
import { isNative } from '../../../contracts/service/rules/inputs/accepted-input.ts';
import { CALL_DATA } from '../../../contracts/service/rules/shared/call-data-rules.ts';
import { isEvmAddress } from '../../../contracts/wire/addresses.ts';
import { isBaseUnits } from '../../../contracts/wire/amounts.ts';
import { successJson } from '../../drive/session.ts';
import type { TriedRequest } from '../../drive/tried-request.ts';
import { postBuild } from '../relations/trade.ts';
import type { Session } from '../session/session.ts';
import type { TradeBody } from '../session/trade-body.ts';
import type { ZapBody } from '../session/zap-request.ts';
import { validPost } from '../session/zap-request.ts';

/** So many bodies are built again with one thing changed. */
const BUILT = 4;

/** Builds of one body: as it is, for another recipient, for twice the amount. */
type Builds = Readonly<Record<CallDataRole, TriedRequest>>;

/**
 * Builds the same zaps again, then for another recipient and for twice the amount. The recipient is
 * never the account, whom a wrong service pays instead.
 *
 * @param bodies zaps that were served, those first that tell most
 */
export async function driveZapCallData(
  session: Session,
  bodies: readonly ZapBody[],
): Promise<void> {
  const { random } = session;
  const inTurn = alternating(bodies, {
    crosses: ({ srcChainId, destChainId }) => srcChainId !== destChainId,
    spends: ({ srcToken }) => !isNative(srcToken),
  });
  for (const body of inTurn.slice(0, BUILT)) {
    if (!isEvmAddress(body.recipient) || !isBaseUnits(body.amount)) continue;
    const build = (change: ZapBody): TriedRequest =>
      validPost('/v1/buildTx', { ...body, recipient: first, ...change });
    const [first, other] = [random.address(), random.address()];
    await sendGroup(session, {
      A: build({}),
      recipient: build({ recipient: other }),
      amount: build({ amount: twice(body.amount) }),
    });
  }
}

/**
 * The same of trades.
 *
 * @param bodies builds of one entry that were served
 */
export async function driveTradeCallData(
  session: Session,
  bodies: readonly TradeBody[],
): Promise<void> {
  const { random } = session;
  const entryOf = ({ data }: TradeBody): unknown => listOf(data)[0];
  const inTurn = alternating(bodies, {
    crosses: (body) => member(entryOf(body), 'toChain') !== body.fromChain,
    spends: (body) => !isNative(member(entryOf(body), 'srcToken')),
  });
  for (const body of inTurn.slice(0, BUILT)) {
    const [entry] = listOf(body.data);
    if (!isObject(entry) || !isEvmAddress(entry.recipient) || !isBaseUnits(entry.amount)) continue;
    const build = (change: TradeBody): TriedRequest =>
      postBuild(session, { ...body, data: [{ ...entry, recipient: first, ...change }] });
    const [first, other] = [random.address(), random.address()];
    await sendGroup(session, {
      A: build({}),
      recipient: build({ recipient: other }),
      amount: build({ amount: twice(entry.amount) }),
    });
  }
}

/**
 * Bodies that stay on one chain and such that cross in turn, those first that spend tokens: the value
 * says what is spent of the native one.
 */
function alternating<Body>(
  bodies: readonly Body[],
  { crosses, spends }: Readonly<Record<'crosses' | 'spends', (body: Body) => boolean>>,
): Body[] {
  const sorted = [...bodies].sort((a, b) => Number(spends(b)) - Number(spends(a)));
  const here = sorted.filter((body) => !crosses(body));
  const across = sorted.filter(crosses);
  const most = Math.max(here.length, across.length);
  return Array.from({ length: most }, (_, index) => [here[index], across[index]])
    .flat()
    .filter((body) => body !== undefined);
}

function twice(amount: string): string {
  return String(2n * BigInt(amount));
}

/** In which order: equal builds come before and after, so that what the clock moves differs in them. */
const ORDER: readonly CallDataRole[] = ['A', 'recipient', 'amount', 'A'];

async function sendGroup(session: Session, builds: Builds): Promise<void> {
  session.groupCount += 1;
  const group = `call-data-${session.groupCount}`;
  for (const role of ORDER) {
    const relations = [{ kind: CALL_DATA, group, role }];
    const exchange = await session.client.send({ ...builds[role], relations });
    if (role === 'A' && successJson(exchange) === undefined) return;
  }
}
