import { isObject, listOf, member } from '../../../contracts/wire/json.ts';
import { isNative, LARGEST_EXACT } from '../../../contracts/service/rules/inputs/accepted-input.ts';
import { addressKey, isEvmAddress, NATIVE_TOKEN } from '../../../contracts/wire/addresses.ts';
import type { AcceptanceCase } from './accepted.ts';
import { unknownKey } from '../session/keys-of-nobody.ts';
import { amountsToTry } from '../session/amounts-to-try.ts';
import type { Session } from '../session/session.ts';
import type { TradeBody } from '../session/trade-body.ts';
import type { TriedRequest } from '../../drive/tried-request.ts';
import type { ServedRoute } from '../session/zap-request.ts';
import { validPost } from '../session/zap-request.ts';

/** The place in a request at which the native token is to stand. */
export type NativeSide = 'source' | 'destination';

/** Source and destination of a request, whichever API it is for. */
interface Way {
  readonly srcToken: unknown;
  readonly srcChainId: unknown;
  readonly destToken: unknown;
  readonly destChainId: unknown;
  /** The protocol of the pool that holds both tokens, if that is what is known of the way. */
  readonly protocol?: string;
}

/** The ways to ask for with the native token at one side: first those back from where it served. */
function nativeWays(way: Way, side: NativeSide): Way[] {
  const { srcToken, srcChainId, destToken, destChainId } = way;
  const isBack = side === 'source' ? isNative(destToken) : isNative(srcToken);
  if (isBack) {
    const [from, to] = [destToken, srcToken];
    return [{ srcToken: from, srcChainId: destChainId, destToken: to, destChainId: srcChainId }];
  }
  if (isNative(srcToken) || isNative(destToken)) return [];
  return [{ ...way, [side === 'source' ? 'srcToken' : 'destToken']: NATIVE_TOKEN }];
}

/**
 * The way that a way with the native token is compared with, besides the one that was served: of a way back
 * one between the tokens of a pool that ends, or begins, alike, since there may be no route at all to where
 * it leads.
 */
function wayBeside(
  { world }: Session,
  served: Way,
  native: Way,
  side: NativeSide,
): Way | undefined {
  if (!isNative(served.srcToken) && !isNative(served.destToken)) return served;
  const [chainId, token] =
    side === 'source'
      ? [native.destChainId, native.destToken]
      : [native.srcChainId, native.srcToken];
  const isToken = (one: string): boolean => addressKey(one) === addressKey(String(token));
  const pool = world.routablePools.find(
    (one) => one.chainId === Number(chainId) && one.tokens.some(isToken),
  );
  const other = pool?.tokens.find(
    (one) => isEvmAddress(one) && !isToken(one) && addressKey(one) !== addressKey(NATIVE_TOKEN),
  );
  if (pool === undefined || other === undefined) return undefined;
  const { protocol } = pool;
  return side === 'source'
    ? { ...native, srcToken: other, srcChainId: chainId, protocol }
    : { ...native, destToken: other, destChainId: chainId, protocol };
}

/** Swaps with the native token at one side, beside swaps that were served without it there. */
export function nativeZaps(
  session: Session,
  path: string,
  routes: readonly ServedRoute[],
  side: NativeSide,
): AcceptanceCase[] {
  const swaps = routes.filter(({ kind }) => !kind.includes('deposit'));
  const cases = swaps.flatMap(({ body }) => {
    const way = body as unknown as Way;
    return nativeWays(way, side).flatMap((native) => {
      const isBack = isNative(way.srcToken) || isNative(way.destToken);
      const beside = wayBeside(session, way, native, side);
      if (beside === undefined) return [];
      const asked = (other: Way): TriedRequest => {
        const { srcToken, srcChainId, destToken, destChainId } = other;
        const tokens = { srcToken, srcChainId, destToken, destChainId };
        const amount = amountOn(session, way, other, body.amount);
        return validPost(path, { ...body, ...tokens, amount });
      };
      const after = isBack ? { after: asked(beside) } : {};
      return [{ isBack, without: validPost(path, body), withInput: asked(native), ...after }];
    });
  });
  return [...cases.filter(({ isBack }) => isBack), ...cases.filter(({ isBack }) => !isBack)];
}

/** An amount of the source of a way, if that is another than of the way it was served for. */
function amountOn(session: Session, served: Way, asked: Way, amount: unknown): unknown {
  if (asked.srcToken === served.srcToken) return amount;
  const token = { chainId: Number(asked.srcChainId), address: String(asked.srcToken) };
  const [usual = amount] = amountsToTry(session, token);
  // What a double does not hold exactly may be refused for that.
  const isExact = !isNative(asked.srcToken) || BigInt(String(usual)) <= LARGEST_EXACT;
  return isExact ? usual : String(LARGEST_EXACT);
}

/** The way of a build's first entry. */
function wayOf({ fromChain, data }: TradeBody): Way | undefined {
  const [entry] = listOf(data);
  if (!isObject(entry)) return undefined;
  const { srcToken, destToken, toChain } = entry;
  return { srcToken, srcChainId: fromChain, destToken, destChainId: toChain };
}

/** The same of trade builds, by the provider that served the one without. */
export function nativeTrades(
  session: Session,
  post: (body: TradeBody) => TriedRequest,
  bodies: readonly TradeBody[],
  side: NativeSide,
): AcceptanceCase[] {
  const cases = bodies.flatMap((body) => {
    const [entry] = listOf(body.data);
    const way = wayOf(body);
    if (!isObject(entry) || way === undefined) return [];
    const { srcToken, destToken } = way;
    return nativeWays(way, side).flatMap((native) => {
      const isBack = isNative(srcToken) || isNative(destToken);
      const beside = wayBeside(session, way, native, side);
      if (beside === undefined) return [];
      const asked = (other: Way): TriedRequest => {
        const tokens = { srcToken: other.srcToken, destToken: other.destToken };
        const amount = amountOn(session, way, other, entry.amount);
        const { destChainId: toChain, protocol = entry.protocol } = other;
        const data = [{ ...entry, ...tokens, toChain, amount, protocol }];
        return post({ ...body, fromChain: other.srcChainId, data });
      };
      const after = isBack ? { after: asked(beside) } : {};
      return [{ isBack, without: post(body), withInput: asked(native), ...after }];
    });
  });
  return [...cases.filter(({ isBack }) => isBack), ...cases.filter(({ isBack }) => !isBack)];
}

/** Whether a route was served by a deposit: a pool's token may be had by a swap as well. */
function deposits({ json }: ServedRoute): boolean {
  return listOf(member(member(json, 'data'), 'path')).some(
    (step) => member(step, 'action') === 'deposit',
  );
}

/**
 * Deposits without the optional amount. Of a swap nothing says how much it would be. A deposit of
 * whatever a service takes then may be too little of one token, so that several are tried.
 */
export function withoutAmount(path: string, routes: readonly ServedRoute[]): AcceptanceCase[] {
  const about = 'a zap without its optional amount';
  return routes.filter(deposits).map(({ body }) => {
    const withInput = validPost(path, { ...body, amount: undefined });
    return {
      without: validPost(path, body),
      withInput: { ...withInput, purpose: { kind: 'probe', about } as const },
    };
  });
}

/** The same request with its charset named. */
export function withCharset(request: TriedRequest): AcceptanceCase {
  const headers = [['Content-Type', 'application/json; charset=utf-8']] as const;
  return { without: request, withInput: { ...request, headers } };
}

/** The same request with a bearer token of which the service knows nothing. */
export function withBearer(session: Session, request: TriedRequest): AcceptanceCase {
  const purpose = { kind: 'probe', about: 'a credential where none is needed' } as const;
  return {
    without: request,
    withInput: { ...request, credential: unknownKey(session), purpose },
  };
}

/**
 * Builds of two pairs of one chain that were served alone, alike in all that is not the pair, those
 * of one provider first. What leaves the chain stays out: that a batch may cross is not asked here.
 */
export function secondEntries(
  post: (body: TradeBody) => TriedRequest,
  bodies: readonly TradeBody[],
): AcceptanceCase[] {
  const singles = bodies.flatMap((body) => {
    const [entry] = listOf(body.data);
    return isObject(entry) && entry.toChain === body.fromChain ? [{ body, entry }] : [];
  });
  const cases = singles.flatMap(({ body, entry }, index) =>
    singles
      .filter((other, at) => at !== index && other.body.fromChain === body.fromChain)
      .filter(({ entry: other }) => waysOf(other) !== waysOf(entry))
      .map(({ entry: other }) => {
        const { recipient, slippage } = entry;
        const second = { ...other, recipient, slippage };
        return {
          isAlike: other.protocol === entry.protocol,
          without: post(body),
          withInput: post({ ...body, data: [entry, second] }),
          after: post({ ...body, data: [second] }),
        };
      }),
  );
  return [...cases.filter(({ isAlike }) => isAlike), ...cases.filter(({ isAlike }) => !isAlike)];
}

function waysOf({ srcToken, destToken }: Readonly<Record<string, unknown>>): string {
  return `${String(srcToken)} ${String(destToken)}`.toLowerCase();
}
