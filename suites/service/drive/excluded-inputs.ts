import { isObject, listOf } from '../../../contracts/wire/json.ts';
import { EXCLUDED_INPUT } from '../../../contracts/service/rules/inputs/excluded-inputs.ts';
import { isBaseUnits } from '../../../contracts/wire/amounts.ts';
import { isEvmAddress } from '../../../contracts/wire/addresses.ts';
import type { Exchange, Relation } from '../../../contracts/wire/exchange.ts';
import type { Rendered } from '../../../fixtures/arbitraries/deviation.ts';
import { defectsOf } from '../../../fixtures/service/defects.ts';
import type { Defect } from '../../../fixtures/wrong/defect.ts';
import { defectsNamed } from '../../../fixtures/wrong/defect.ts';
import { triedOf } from '../../drive/as-generated.ts';
import { sendValid } from '../../drive/session.ts';
import { requestOf } from '../../drive/wrong-request.ts';
import {
  ENTRY_VALUES,
  missingAnd,
  namesOf,
  TRADE_VALUES,
  ZAP_QUOTED,
  ZAP_VALUES,
} from './excluded-names.ts';
import type { Session } from '../session/session.ts';
import type { TradeBody } from '../session/trade-body.ts';
import type { ServedRoute } from '../session/zap-request.ts';

type Body = Readonly<Record<string, unknown>>;

/** What is of a type that no reader takes for the stated one. */
const OBJECTS = {
  'zap.quote': ['srcToken', 'destToken', 'destChainId', 'account'],
  'zap.build-tx': ['srcToken', 'slippage'],
} as const;

/** Required fields that are null, which some languages take for absent and others for 0. */
const NULLS = {
  'zap.quote': ['account', 'slippage', 'srcToken'],
  'zap.build-tx': ['account', 'recipient', 'srcChainId', 'destChainId', 'destToken', 'slippage'],
  'trade.build-tx': ['sender', 'data', 'refundee', 'fromChain'],
} as const;

function nullsOf(fields: readonly string[]): string[] {
  return fields.map((field) => `mistyped ${field}, null`);
}

/**
 * Asks for zaps with one defect each. That a request is refused shows something only if it is
 * served without the defect, so one without comes first. Most defects are sent as builds, since it
 * is by builds that money moves.
 */
export async function driveZapExcluded(
  session: Session,
  routes: readonly ServedRoute[],
): Promise<void> {
  const [first] = routes;
  if (first === undefined) return;
  // If source and destination are plain tokens of one chain, least stands in the way.
  const { body } = routes.find(({ kind }) => kind === 'swap') ?? first;
  for (const id of ['zap.quote', 'zap.build-tx'] as const) {
    const base = await firstServed(session, id, basesOf(body));
    // If a service looks at the requests of both by the same means, one of them shows it all.
    const table = id === 'zap.quote' ? ZAP_QUOTED : ZAP_VALUES;
    const names = [
      ...OBJECTS[id].map((field) => `mistyped ${field}, an object`),
      ...nullsOf(NULLS[id]),
      ...namesOf(table, base),
    ];
    const right = requestOf(session.contract, id, base);
    await sendDefects(session, id, right, missingAnd(defectsOf(session.contract, id), names));
  }
}

/** The same for trade builds: the top level, then an entry of `data`. */
export async function driveTradeExcluded(
  session: Session,
  bodies: readonly TradeBody[],
): Promise<void> {
  const [body] = bodies;
  if (body === undefined) return;
  const id = 'trade.build-tx';
  const [entry] = listOf(body.data);
  const bases = isObject(entry)
    ? basesOf(entry).map((plain) => ({ ...body, data: [plain] }))
    : [body];
  const base = await firstServed(session, id, bases);
  const [plain] = listOf(base.data);
  const names = [
    // What is of another type, of every other field: generated requests have the others.
    'mistyped sender, an object',
    'mistyped gasless, an object',
    'mistyped data, text',
    ...nullsOf(NULLS[id]),
    ...namesOf(TRADE_VALUES, base),
    ...(isObject(plain) ? namesOf(ENTRY_VALUES, plain, 'data.') : []),
  ];
  const right = requestOf(session.contract, id, base);
  await sendDefects(session, id, right, missingAnd(defectsOf(session.contract, id), names));
}

/** Asks for lists and details of pools with a chain, a limit or an address that says nothing. */
export async function driveListingsExcluded(session: Session): Promise<void> {
  const { contract, world } = session;
  const list = requestOf(contract, 'zap.pools');
  const few = { ...list, path: `${list.path}?limit=5` };
  await sendPlain(session, 'zap.pools', few);
  const names = ['mistyped chainId, text', 'mistyped limit, text', 'malformed limit, below 0'];
  const ofLists = defectsNamed(defectsOf(contract, 'zap.pools'), names);
  await sendDefects(session, 'zap.pools', few, ofLists);
  const [pool] = world.pools.filter(({ address }) => isEvmAddress(address));
  if (pool === undefined) return;
  const id = 'zap.pool-details';
  const right = requestOf(contract, id, { chainId: pool.chainId, poolAddress: pool.address });
  await sendPlain(session, id, right);
  const ofDetails = [
    'mistyped chainId, an object',
    'mistyped chainId, text without a number',
    'mistyped poolAddress, a number',
    ...nullsOf(['chainId', 'poolAddress']),
  ];
  await sendDefects(session, id, right, missingAnd(defectsOf(contract, id), ofDetails));
}

/** A tolerance that nobody has for a default; below one percent, which some services refuse. */
const SLIPPAGE = 0.37;
/** The largest power of ten that languages write in digits when it was a number. */
const MAX_ZEROS = 20;

/** A request whose amount loses nothing as a number, then it as it was served. */
function basesOf(body: Body): Body[] {
  const { amount } = body;
  if (!isBaseUnits(amount)) return [body];
  const round = `1${'0'.repeat(Math.min(MAX_ZEROS, amount.length - 1))}`;
  return [{ ...body, amount: round, slippage: SLIPPAGE }, { ...body, amount: round }, body];
}

async function firstServed(session: Session, id: string, bases: readonly Body[]): Promise<Body> {
  for (const base of bases) {
    if (await sendPlain(session, id, requestOf(session.contract, id, base))) return base;
  }
  return bases.at(-1) ?? {};
}

async function sendPlain(session: Session, group: string, right: Rendered): Promise<boolean> {
  const request = triedOf(session, { ...right, purpose: { kind: 'valid' } });
  const json = await sendValid(session, { ...request, relations: marked(group, 'plain') });
  return json !== undefined;
}

/** What fails as an error of the service is sent once more: it may have failed by chance. */
async function sendDefects(
  session: Session,
  group: string,
  right: Rendered,
  defects: readonly Defect[],
): Promise<void> {
  for (const { name, apply } of defects) {
    const purpose = { kind: 'invalid', defect: name } as const;
    const request = triedOf(session, { ...apply(right), purpose });
    const asked = { ...request, relations: marked(group, 'defect') };
    if (hasFailed(await session.client.send(asked))) await session.client.send(asked);
  }
}

function hasFailed({ outcome }: Exchange): boolean {
  return outcome.kind === 'response' && outcome.response.status >= 500;
}

function marked(group: string, role: 'plain' | 'defect'): readonly Relation[] {
  return [{ kind: EXCLUDED_INPUT, group, role }];
}
