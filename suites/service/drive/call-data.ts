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

/** So many bodies are built again with one thing changed, besides those with native tokens. */
const BUILT = 4;

/** Builds of one body: as it is, for another recipient, for twice the amount. */
type Builds = Readonly<Record<CallDataRole, TriedRequest>>;

/**
 * Builds the same zaps again, then for another recipient and for twice the amount. The recipient is
 * never the account, whom a wrong service pays instead.
 *
 * @param bodies zaps that were served, those first that show most
 */
export async function driveZapCallData(
  session: Session,
  bodies: readonly ZapBody[],
): Promise<void> {
  const { random } = session;
  const built = builtOf(bodies, {
    crosses: ({ srcChainId, destChainId }) => srcChainId !== destChainId,
    fromNative: ({ srcToken }) => isNative(srcToken),
    toNative: ({ destToken }) => isNative(destToken),
  });
  for (const body of built) {
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
 * The same of trades, of whose entries the last is changed.
 *
 * @param bodies builds of one entry that were served, those first that show most
 * @param batches builds of several
 */
export async function driveTradeCallData(
  session: Session,
  bodies: readonly TradeBody[],
  batches: readonly TradeBody[],
): Promise<void> {
  const { random } = session;
  const entryOf = ({ data }: TradeBody): unknown => listOf(data).at(-1);
  const built = builtOf(bodies, {
    crosses: (body) => member(entryOf(body), 'toChain') !== body.fromChain,
    fromNative: (body) => isNative(member(entryOf(body), 'srcToken')),
    toNative: (body) => isNative(member(entryOf(body), 'destToken')),
  });
  for (const body of [...built, ...batches]) {
    const entries = listOf(body.data);
    const entry = entries.at(-1);
    if (!isObject(entry) || !isEvmAddress(entry.recipient) || !isBaseUnits(entry.amount)) continue;
    const build = (change: TradeBody): TriedRequest =>
      postBuild(session, {
        ...body,
        data: [...entries.slice(0, -1), { ...entry, recipient: first, ...change }],
      });
    const [first, other] = [random.address(), random.address()];
    await sendGroup(session, {
      A: build({}),
      recipient: build({ recipient: other }),
      amount: build({ amount: twice(entry.amount) }),
    });
  }
}

/**
 * Bodies that stay on one chain and such that cross in turn, those first that spend tokens. The value says what is
 * spent of the native one. Then the first from the native token, and the first to it, which are built by other means.
 */
function builtOf<Body>(
  bodies: readonly Body[],
  {
    crosses,
    fromNative,
    toNative,
  }: Readonly<Record<'crosses' | 'fromNative' | 'toNative', (body: Body) => boolean>>,
): Body[] {
  const sorted = [...bodies].sort((a, b) => Number(fromNative(a)) - Number(fromNative(b)));
  const here = sorted.filter((body) => !crosses(body));
  const across = sorted.filter(crosses);
  const most = Math.max(here.length, across.length);
  const inTurn = Array.from({ length: most }, (_, index) => [here[index], across[index]]).flat();
  const built = inTurn.filter((body) => body !== undefined).slice(0, BUILT);
  return [...new Set([...built, ...[fromNative, toNative].flatMap((is) => here.find(is) ?? [])])];
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
