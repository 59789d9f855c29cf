import { isObject, listOf, member } from '../../../contracts/run/json.ts';
import { addressKey, isEvmAddress, NATIVE_TOKEN } from '../../../contracts/wire/addresses.ts';
import { baseUnitsOf } from '../../../contracts/wire/amounts.ts';
import { pairKey } from '../../../contracts/service/wire/pair-id.ts';
import type { Session } from '../../drive/session.ts';
import type { SlippagePair } from './telling.ts';
import { mostTellingOfKinds, pairBeside } from './telling.ts';
import type { ServedTrade, TradeBody } from './trade.ts';
import type { Other, TriedRequest, Trials } from '../../drive/trials.ts';
import { respelled } from './zap-relations.ts';

/** Slippages that are held against a smaller one, percent; none is beyond what services take. */
const SLIPPAGE_PAIRS: readonly [SlippagePair, ...SlippagePair[]] = [
  [0.5, 1.9],
  [1, 2.37],
  [0.3, 3],
];

/** A single entry of a served request. */
export interface Single {
  readonly body: TradeBody;
  readonly entry: Readonly<Record<string, unknown>>;
}

/** Asks for served builds again with one thing changed at a time. */
export async function driveTradeRelations(
  session: Session,
  trials: Trials,
  trades: readonly ServedTrade[],
): Promise<void> {
  const singles = trades.flatMap(({ body, json }) => {
    const [entry] = listOf(body.data);
    return isObject(entry) ? [{ body, entry, json }] : [];
  });
  const chosen = mostTellingOfKinds(singles, kindOf, ({ json }) => quotedBy(json));
  for (const [index, single] of chosen.entries()) {
    const { first, others } = tradeChanges(session, single, singles, index);
    const relations = others.map(({ relation }) => relation);
    await trials.run(first, relations, () => others);
  }
  const [first] = singles;
  if (first !== undefined) await driveAcceptance(session, trials, first.body);
}

/** Routes of one kind hardly differ in what these relations ask. */
function kindOf({ body, entry }: Single): string {
  const fromNative = addressKey(String(entry.srcToken)) === addressKey(NATIVE_TOKEN);
  return `${entry.toChain === body.fromChain} ${fromNative}`;
}

/** What a build of one pair is quoted, in base units; none where it cannot be read. */
function quotedBy(json: unknown): bigint {
  const quotes = member(json, 'quotes');
  const [summary] = Object.values(isObject(quotes) ? quotes : {});
  return baseUnitsOf(member(summary, 'destAmount')) ?? 0n;
}

/**
 * A build of one entry, and the same with one thing changed at a time.
 *
 * @param singles others, of which one may be put beside it in a batch
 */
export function tradeChanges(
  session: Session,
  { body, entry }: Single,
  singles: readonly Single[],
  index: number,
): { first: TriedRequest; others: Other[] } {
  const { random } = session;
  const [less, more] = pairBeside(SLIPPAGE_PAIRS, index, entry.slippage);
  const of = (change: TradeBody): Readonly<Record<string, unknown>> => ({
    ...entry,
    slippage: less,
    ...change,
  });
  const request = (...data: readonly unknown[]): TriedRequest => post(session, { ...body, data });
  const twice = String(2n * BigInt(String(entry.amount)));
  const others: Other[] = [
    { relation: 'trade-slippage', request: request(of({ slippage: more })) },
  ];
  const source = { chainId: Number(body.fromChain), address: String(entry.srcToken) };
  if (session.world.decimalsOf(source) !== undefined) {
    // A guessed amount may be more than there is in the world, which no twice the amount adds to.
    others.push({ relation: 'trade-twice-the-amount', request: request(of({ amount: twice })) });
  }
  if (isEvmAddress(entry.recipient)) {
    const data = [of({ recipient: random.address() })];
    const changed = post(session, { ...body, data, refundee: random.address() });
    others.push({ relation: 'trade-other-recipient', request: changed });
  }
  const spelled = respelled(entry);
  if (Object.keys(spelled).length > 0) {
    others.push({ relation: 'trade-letter-case', request: request(of(spelled)) });
  }
  const beside = partnerOf({ body, entry }, singles);
  if (beside !== undefined) {
    const staysHere = entry.toChain === body.fromChain;
    const batch = staysHere ? [beside, of({})] : [of({}), beside];
    others.push({ relation: 'trade-batch', request: request(...batch) });
  }
  return { first: request(of({})), others };
}

/** An entry for a batch with another: of the same chain, if possible of none of its tokens. */
function partnerOf({ body, entry }: Single, singles: readonly Single[]): unknown {
  const key = keyOf(body, entry);
  const others = singles.filter(
    (other) => other.body.fromChain === body.fromChain && keyOf(other.body, other.entry) !== key,
  );
  const tokens = (of: Single['entry']): string[] =>
    [of.srcToken, of.destToken].map((token) => addressKey(String(token)));
  const own = tokens(entry);
  const apart = others.find((other) => !tokens(other.entry).some((token) => own.includes(token)));
  const beside = (apart ?? others[0])?.entry;
  return beside && { ...beside, amount: otherAmount(beside.amount, entry.amount) };
}

/** Some times an amount, not that of another, for which it could be mistaken. */
function otherAmount(amount: unknown, mistaken: unknown): string {
  const twice = String(2n * BigInt(String(amount)));
  return twice === mistaken ? String(3n * BigInt(String(amount))) : twice;
}

function keyOf({ fromChain }: TradeBody, entry: Single['entry']): string {
  return pairKey({
    fromChain: Number(fromChain),
    srcToken: String(entry.srcToken),
    toChain: Number(entry.toChain),
    destToken: String(entry.destToken),
  });
}

/** What a request may have besides, each against the same request without it. */
async function driveAcceptance(session: Session, trials: Trials, body: TradeBody): Promise<void> {
  const first = post(session, body);
  const others: Other[] = [
    { relation: 'trade-idempotency-key', request: withKey(session, first) },
    {
      relation: 'trade-disable-pricing',
      request: post(session, { ...body, disablePricing: true }),
    },
    {
      relation: 'trade-disable-estimation',
      request: post(session, { ...body, disableEstimation: true }),
    },
  ];
  const relations = others.map(({ relation }) => relation);
  await trials.run(first, relations, () => others);

  // A simulation would tell that the sender has no such approval.
  const unsimulated = { ...body, disableEstimation: true };
  const relation = 'trade-permit2-approval';
  const approved = post(session, { ...unsimulated, hasPermit2ApprovalForAllTokens: true });
  await trials.run(post(session, unsimulated), [relation], () => [{ relation, request: approved }]);

  const quotes: TriedRequest = {
    ...post(session, body),
    path: '/v1/quotes',
    json: session.quotesForm.bodyOf({
      fromChain: body.fromChain,
      sender: body.sender,
      data: body.data,
    }),
    purpose: { kind: 'probe', about: 'trade quotes' },
  };
  const keyed = 'trade-quotes-idempotency-key';
  await trials.run(quotes, [keyed], () => [{ relation: keyed, request: withKey(session, quotes) }]);
}

function post({ tradeCredential }: Session, json: TradeBody): TriedRequest {
  const purpose = { kind: 'valid' } as const;
  const path = '/v1/buildTx';
  return { api: 'trade', method: 'POST', path, json, credential: tradeCredential, purpose };
}

/** The same request with a key of its own, in the form that the draft of the header recommends. */
function withKey({ random }: Session, request: TriedRequest): TriedRequest {
  return { ...request, headers: [['Idempotency-Key', random.uuid()]] };
}
