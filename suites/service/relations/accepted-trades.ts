import { isObject, listOf } from '../../../contracts/wire/json.ts';
import type { PlainInput } from '../../../contracts/service/rules/inputs/accepted-input.ts';
import { ACCEPTED_TRADE_INPUTS } from '../../../contracts/service/rules/inputs/accepted-trade-inputs.ts';
import { isEvmAddress } from '../../../contracts/wire/addresses.ts';
import type { TriedRequest } from '../../drive/tried-request.ts';
import { nativeTrades, secondEntries, withCharset } from './acceptance-forms.ts';
import type { Session } from '../session/session.ts';
import type { TradeBody } from '../session/trade-body.ts';
import type { AcceptanceCase, AcceptedRelation } from './accepted.ts';
import { accepted } from './accepted.ts';
import { AMOUNTS, decimalOf, LESS, MANY_DECIMALS, MORE } from './input-values.ts';
import { postBuild } from './trade.ts';

/** This many builds are enough. */
const SEVERAL = 6;

/** What builds with an input are made from. */
interface TradeInputSource {
  readonly session: Session;
  readonly bodies: readonly TradeBody[];
  /** Some of them. */
  readonly some: readonly TradeBody[];
  readonly post: (body: TradeBody) => TriedRequest;
  /** A build with something changed in each of its entries. */
  readonly changed: (body: TradeBody, change: TradeBody) => TriedRequest;
}

function tradeInput(
  input: PlainInput,
  casesOf: (source: TradeInputSource) => Iterable<AcceptanceCase>,
): AcceptedRelation {
  return accepted(input, (session, _, { tradeBodies: bodies }) => {
    const post = (body: TradeBody): TriedRequest => postBuild(session, body);
    const changed = (body: TradeBody, change: TradeBody): TriedRequest =>
      post({
        ...body,
        data: listOf(body.data).map((entry) => (isObject(entry) ? { ...entry, ...change } : entry)),
      });
    const some = session.random.sample(bodies, SEVERAL);
    return { given: casesOf({ session, bodies, some, post, changed }) };
  });
}

/** Inputs of trade builds: requests that were served, as section 2.3 shows them. */
export const TRADE_INPUTS: readonly AcceptedRelation[] = [
  tradeInput(ACCEPTED_TRADE_INPUTS.decimalSlippage, ({ some, changed }) =>
    some.map((body, index) => ({
      without: changed(body, { slippage: LESS }),
      withInput: changed(body, { slippage: decimalOf(index) }),
      after: changed(body, { slippage: MORE }),
    })),
  ),
  tradeInput(ACCEPTED_TRADE_INPUTS.largeAmount, ({ session, some: [body], changed }) =>
    largeTrades(session, body).map((large) => ({
      without: changed(large, { amount: AMOUNTS.exact }),
      withInput: changed(large, { amount: AMOUNTS.inexact }),
    })),
  ),
  tradeInput(ACCEPTED_TRADE_INPUTS.secondEntry, ({ post, bodies }) => secondEntries(post, bodies)),
  tradeInput(ACCEPTED_TRADE_INPUTS.nativeSource, ({ session, post, bodies }) =>
    nativeTrades(session, post, bodies, 'source'),
  ),
  tradeInput(ACCEPTED_TRADE_INPUTS.nativeDestination, ({ session, post, bodies }) =>
    nativeTrades(session, post, bodies, 'destination'),
  ),
  tradeInput(ACCEPTED_TRADE_INPUTS.otherRefundee, ({ session, some, post }) =>
    some.map((body) => ({
      without: post({ ...body, refundee: body.sender }),
      withInput: post({ ...body, refundee: session.random.address() }),
    })),
  ),
  tradeInput(ACCEPTED_TRADE_INPUTS.charset, ({ some, post }) =>
    some.map((body) => withCharset(post(body))),
  ),
];

/** A build for other pairs, of one chain each: by the protocol of the pool that holds both tokens. */
function largeTrades({ world }: Session, body: TradeBody = {}): TradeBody[] {
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
