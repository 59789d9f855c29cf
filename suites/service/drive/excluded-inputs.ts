import { isObject, listOf, omit } from '../../../contracts/wire/json.ts';
import { EXCLUDED_INPUT } from '../../../contracts/service/rules/inputs/excluded-inputs.ts';
import { isBaseUnits } from '../../../contracts/wire/amounts.ts';
import { isEvmAddress } from '../../../contracts/wire/addresses.ts';
import type { Exchange, Relation } from '../../../contracts/wire/exchange.ts';
import type { ClientRequest } from '../../../fixtures/target/transport/client.ts';
import type { ExcludedValue } from './excluded-values.ts';
import { excludedValues, leftOut, mistyped } from './excluded-values.ts';
import type { Session } from '../session/session.ts';
import { sendValid } from '../../drive/session.ts';
import type { TradeBody } from '../session/trade-body.ts';
import type { ServedRoute } from '../session/zap-request.ts';

type Body = Readonly<Record<string, unknown>>;
type Request = Omit<ClientRequest, 'purpose' | 'relations'>;

const ZAP_REQUIRED: readonly string[] = [
  'srcToken',
  'srcChainId',
  'destToken',
  'destChainId',
  'recipient',
  'slippage',
  'account',
];

/** Fields whose values are tried in quotes, too: those that decide what is quoted, and who receives it. */
const QUOTED: readonly string[] = ['srcChainId', 'recipient', 'amount', 'slippage'];

const TRADE_REQUIRED: readonly string[] = [
  'fromChain',
  'sender',
  'refundee',
  'gasless',
  'hasPermit2ApprovalForAllTokens',
  'data',
];

/**
 * Asks for zaps with one defect each. That a request is refused shows something only where it is
 * served without the defect, so one without comes first. Most defects are sent as builds, since it
 * is by builds that money moves.
 */
export async function driveZapExcluded(
  session: Session,
  routes: readonly ServedRoute[],
): Promise<void> {
  const [first] = routes;
  if (first === undefined) return;
  // Where source and destination are plain tokens of one chain, least stands in the way.
  const { body } = routes.find(({ kind }) => kind === 'swap') ?? first;
  for (const operation of ['quote', 'buildTx']) {
    const request = (json: Body): Request => ({
      api: 'zap',
      method: 'POST',
      path: `/v1/${operation}`,
      json,
    });
    const base = await firstServed(session, operation, request, basesOf(body));
    const values = excludedValues('zap', base);
    // Where a service looks at the requests of both by the same means, one of them shows it all.
    const asked =
      operation === 'quote'
        ? [
            ...leftOut(ZAP_REQUIRED),
            ...mistyped(['srcToken', 'destToken', 'destChainId', 'account'], base),
            ...values.filter(({ field }) => QUOTED.includes(field)),
          ]
        : [...leftOut(ZAP_REQUIRED), ...mistyped(['srcToken', 'slippage'], base), ...values];
    for (const one of asked) await sendDefect(session, operation, request(changed(base, one)), one);
  }
}

/** The same for trade builds: the top level, then an entry of `data`. */
export async function driveTradeExcluded(
  session: Session,
  bodies: readonly TradeBody[],
): Promise<void> {
  const [body] = bodies;
  if (body === undefined) return;
  const group = 'trade build';
  const request = (json: Body): Request => ({
    api: 'trade',
    method: 'POST',
    path: '/v1/buildTx',
    json,
    credential: session.keyedCredential,
  });
  const entry = listOf(body.data)[0];
  const bases = isObject(entry)
    ? basesOf(entry).map((plain) => ({ ...body, data: [plain] }))
    : [body];
  const base = await firstServed(session, group, request, bases);
  const [plain] = listOf(base.data);
  for (const one of [
    ...leftOut(TRADE_REQUIRED),
    // What is of another type, of every other field: generated requests have the others.
    ...mistyped(
      TRADE_REQUIRED.filter((_, index) => index % 2 === 1),
      base,
    ),
    ...excludedValues('trade', base),
  ]) {
    await sendDefect(session, group, request(changed(base, one)), one);
  }
  if (!isObject(plain)) return;
  for (const one of excludedValues('entry', plain, 'data.')) {
    const data = [changed(plain, one)];
    await sendDefect(session, group, request({ ...base, data }), one);
  }
}

/** Asks for lists and details of pools with a chain, a limit or an address that says nothing. */
export async function driveListingsExcluded(session: Session): Promise<void> {
  const list = (query: string): Request => ({
    api: 'zap',
    method: 'GET',
    path: `/v1/pools?${query}`,
  });
  await sendPlain(session, 'pools', list('limit=5'));
  for (const [defect, query] of [
    ['mistyped chainId, text', 'limit=5&chainId=abc'],
    ['mistyped limit, text', 'limit=abc'],
    ['malformed limit, below 0', 'limit=-2'],
  ] as const) {
    await sendDefect(session, 'pools', list(query), { defect });
  }
  const [pool] = session.world.pools.filter(({ address }) => isEvmAddress(address));
  if (pool === undefined) return;
  const details = (json: Body): Request => ({
    api: 'zap',
    method: 'POST',
    path: '/v1/pool/details',
    json,
  });
  const base = { chainId: pool.chainId, poolAddress: pool.address };
  await sendPlain(session, 'pool details', details(base));
  for (const one of [
    ...leftOut(['chainId', 'poolAddress']),
    ...mistyped(['chainId'], base),
    { defect: 'mistyped chainId, text without a number', field: 'chainId', value: 'abc' },
    { defect: 'mistyped poolAddress, a number', field: 'poolAddress', value: 7 },
  ]) {
    await sendDefect(session, 'pool details', details(changed(base, one)), one);
  }
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

async function firstServed(
  session: Session,
  group: string,
  request: (json: Body) => Request,
  bases: readonly Body[],
): Promise<Body> {
  for (const base of bases) if (await sendPlain(session, group, request(base))) return base;
  return bases.at(-1) ?? {};
}

async function sendPlain(session: Session, group: string, request: Request): Promise<boolean> {
  return (
    (await sendValid(session, { ...request, relations: marked(group, 'plain') })) !== undefined
  );
}

/** What fails as an error of the service is sent once more: it may have failed by chance. */
async function sendDefect(
  { client }: Session,
  group: string,
  request: Request,
  { defect }: Pick<ExcludedValue, 'defect'>,
): Promise<void> {
  const purpose = { kind: 'invalid', defect } as const;
  const asked = { ...request, purpose, relations: marked(group, 'defect') };
  if (hasFailed(await client.send(asked))) await client.send(asked);
}

function hasFailed({ outcome }: Exchange): boolean {
  return outcome.kind === 'response' && outcome.response.status >= 500;
}

function marked(group: string, role: 'plain' | 'defect'): readonly Relation[] {
  return [{ kind: EXCLUDED_INPUT, group, role }];
}

function changed(body: Body, { field, value }: ExcludedValue): Body {
  return value === undefined ? omit(body, field) : { ...body, [field]: value };
}
