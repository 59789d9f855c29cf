import { isObject, listOf } from '../../../contracts/run/json.ts';
import { LARGEST_EXACT } from '../../../contracts/service/rules/inputs/accepted-input.ts';
import { readRoute } from '../../../contracts/service/rules/2-2-zap-response/zap-route.ts';
import { isEvmAddress } from '../../../contracts/wire/addresses.ts';
import type { AcceptanceCase, AcceptanceCases } from './acceptance-case.ts';
import {
  nativeTrades,
  nativeZaps,
  secondEntries,
  withBearer,
  withCharset,
  withoutAmount,
} from './acceptance-forms.ts';
import type { RouteIdea } from './routes.ts';
import { routeIdeas } from './routes.ts';
import type { Session } from './session.ts';
import type { TradeBody } from './trade.ts';
import type { TriedRequest } from '../../drive/tried-request.ts';
import type { ServedRoute } from './zap.ts';
import type { ZapBody } from './zap-request.ts';
import { zapBody } from './zap.ts';
import { validPost } from './zap-request.ts';

/** So many chains, pools and routes are enough. */
const SEVERAL = 6;

/** Slippages with decimals, percent; all between two whole ones that must be served. */
const DECIMAL_SLIPPAGES: readonly number[] = [1.5, 1.3, 1.9];
const [LESS, MORE] = [1, 2];

/** The amounts on both sides of the largest that a double holds exactly: two base units apart. */
const EXACT = String(LARGEST_EXACT);
const INEXACT = String(LARGEST_EXACT + 2n);
/** Of a token of so many decimals such an amount is neither nothing nor more than there is. */
const MANY_DECIMALS = 16;

/** Requests for routes that were served, with an input as section 2.1 shows it, and without. */
export function zapCases(
  session: Session,
  rule: string,
  path: string,
  routes: readonly ServedRoute[],
): AcceptanceCases {
  const { random } = session;
  const some = random.sample(routes, SEVERAL);
  const adding = (body: ZapBody, without: ZapBody, withInput: ZapBody): AcceptanceCase => ({
    without: validPost(path, { ...body, ...without }),
    withInput: validPost(path, { ...body, ...withInput }),
  });
  switch (rule) {
    case 'zap.requests.decimal-slippage-accepted':
      return {
        'a slippage with decimals': some.map(({ body }, index) => ({
          ...adding(body, { slippage: LESS }, { slippage: decimalOf(index) }),
          after: validPost(path, { ...body, slippage: MORE }),
        })),
      };
    case 'zap.requests.large-amount-accepted':
      return {
        'an amount above 2^53': largeIdeas(session).map((idea) =>
          adding(zapBody(session, idea, EXACT, LESS), {}, { amount: INEXACT }),
        ),
      };
    case 'zap.requests.other-recipient-accepted':
      return {
        'a recipient of its own': some.map(({ body }) =>
          adding(body, { recipient: body.account }, { recipient: random.address() }),
        ),
      };
    case 'zap.requests.absent-amount-accepted':
      return { 'no amount': withoutAmount(path, routes) };
    case 'zap.requests.native-source-accepted':
      return { 'the native token as source': nativeZaps(session, path, routes, 'source') };
    case 'zap.requests.native-destination-accepted':
      return {
        'the native token as destination': nativeZaps(session, path, routes, 'destination'),
      };
    case 'zap.requests.charset-accepted':
      return {
        'a charset in Content-Type': some.map(({ body }) => withCharset(validPost(path, body))),
      };
    case 'zap.requests.bearer-accepted':
      return {
        'a bearer token': some.map(({ body }) => withBearer(session, validPost(path, body))),
      };
    case 'zap.quote.allowed-dexes-accepted':
    case 'zap.build-tx.allowed-dexes-accepted':
      return { allowedDexes: some.flatMap((route) => allowing(session, route, 'dex', adding)) };
    case 'zap.quote.allowed-bridges-accepted':
    case 'zap.build-tx.allowed-bridges-accepted':
      return {
        allowedBridges: some.flatMap((route) => allowing(session, route, 'bridge', adding)),
      };
    case 'zap.build-tx.estimate-gas-accepted':
      return {
        'estimateGas false': some.map(({ body }) => adding(body, {}, { estimateGas: false })),
      };
    default:
      return {};
  }
}

function decimalOf(index: number): number {
  return DECIMAL_SLIPPAGES[index % DECIMAL_SLIPPAGES.length] ?? 1.5;
}

/** Swaps from tokens of which a few hundredths are more base units than a double can tell apart. */
function largeIdeas(session: Session): RouteIdea[] {
  return routeIdeas(session, SEVERAL).filter(
    ({ kind, source }) =>
      !kind.includes('deposit') && (session.world.decimalsOf(source) ?? 0) >= MANY_DECIMALS,
  );
}

/** The route again with all providers of a type allowed, if those that it takes are among them. */
function allowing(
  { world }: Session,
  { body, json }: ServedRoute,
  type: 'dex' | 'bridge',
  adding: (body: ZapBody, without: ZapBody, withInput: ZapBody) => AcceptanceCase,
): AcceptanceCase[] {
  const chainIds = [...new Set([body.srcChainId, body.destChainId].map(Number))];
  const listed = (of: string): string[] => [
    ...new Set(chainIds.flatMap((chainId) => world.providerIds(chainId, of))),
  ];
  const [ids, others] = [listed(type), listed(type === 'dex' ? 'bridge' : 'dex')];
  const steps = readRoute(json, body)?.steps ?? [];
  const isListed = steps.every(({ protocol }) => [...ids, ...others].includes(String(protocol)));
  if (ids.length === 0 || steps.length === 0 || !isListed) return [];
  return [adding(body, {}, { [type === 'dex' ? 'allowedDexes' : 'allowedBridges']: ids })];
}

/** Builds that were served, with an input as section 2.3 shows it, and without. */
export function tradeCases(
  session: Session,
  rule: string,
  bodies: readonly TradeBody[],
): AcceptanceCases {
  const post = (json: TradeBody): TriedRequest => ({
    ...{ api: 'trade', method: 'POST', path: '/v1/buildTx', json, purpose: { kind: 'valid' } },
    credential: session.tradeCredential,
  });
  const changed = (body: TradeBody, change: TradeBody): TriedRequest =>
    post({
      ...body,
      data: listOf(body.data).map((entry) => (isObject(entry) ? { ...entry, ...change } : entry)),
    });
  const some = session.random.sample(bodies, SEVERAL);
  switch (rule) {
    case 'trade.build-tx.decimal-slippage-accepted':
      return {
        'a slippage with decimals': some.map((body, index) => ({
          without: changed(body, { slippage: LESS }),
          withInput: changed(body, { slippage: decimalOf(index) }),
          after: changed(body, { slippage: MORE }),
        })),
      };
    case 'trade.build-tx.large-amount-accepted': {
      const [body] = some;
      if (body === undefined) return {};
      return {
        'an amount above 2^53': largeTrades(session, body).map((large) => ({
          without: changed(large, { amount: EXACT }),
          withInput: changed(large, { amount: INEXACT }),
        })),
      };
    }
    case 'trade.build-tx.second-entry-accepted':
      return { 'a second entry': secondEntries(post, bodies) };
    case 'trade.build-tx.native-source-accepted':
      return { 'the native token as source': nativeTrades(session, post, bodies, 'source') };
    case 'trade.build-tx.native-destination-accepted':
      return {
        'the native token as destination': nativeTrades(session, post, bodies, 'destination'),
      };
    case 'trade.build-tx.charset-accepted':
      return { 'a charset in Content-Type': some.map((body) => withCharset(post(body))) };
    case 'trade.build-tx.other-refundee-accepted':
      return {
        'a refundee of its own': some.map((body) => ({
          without: post({ ...body, refundee: body.sender }),
          withInput: post({ ...body, refundee: session.random.address() }),
        })),
      };
    default:
      return {};
  }
}

/** A build for other pairs, of one chain each: by the protocol of the pool that holds both tokens. */
function largeTrades({ world }: Session, body: TradeBody): TradeBody[] {
  const [entry] = listOf(body.data);
  const seen = new Set<string>();
  return world.routablePools.flatMap(({ chainId, tokens, protocol }) => {
    const source = tokens.find(
      (address) => (world.decimalsOf({ chainId, address }) ?? 0) >= MANY_DECIMALS,
    );
    const target = tokens.find((address) => address !== source && isEvmAddress(address));
    const key = `${chainId} ${source}`;
    if (!isObject(entry) || source === undefined || target === undefined) return [];
    if (!world.providerIds(chainId, 'dex').includes(protocol) || seen.has(key)) return [];
    seen.add(key);
    const pair = { ...entry, srcToken: source, destToken: target, toChain: chainId, protocol };
    return [{ ...body, fromChain: chainId, data: [pair] }];
  });
}
