import { isObject, listOf } from '../../../contracts/wire/json.ts';
import { TRADE_RELATIONS } from '../../../contracts/service/rules/trade/trade-relations.ts';
import { pairKey } from '../../../contracts/service/wire/pair-id.ts';
import { addressKey, isEvmAddress } from '../../../contracts/wire/addresses.ts';
import type { MetamorphicRelation } from '../../drive/relation.ts';
import { relation } from '../../drive/relation.ts';
import type { TriedRequest } from '../../drive/tried-request.ts';
import type { Session } from '../session/session.ts';
import type { SlippagePair } from '../session/largest-of-kinds.ts';
import { pairBeside } from '../session/largest-of-kinds.ts';
import type { TradeBody } from '../session/trade-body.ts';
import { inCapitals, respelled } from './zap.ts';

/** A single entry of a served build. */
export interface Single {
  readonly body: TradeBody;
  readonly entry: Readonly<Record<string, unknown>>;
}

/** What another build is made of. */
export interface BuildSource extends Single {
  readonly session: Session;
  readonly first: TriedRequest;
  /** Percent; more than that of the entry. */
  readonly moreSlippage: number;
  /** Others, of which one may be put beside it in a batch. */
  readonly singles: readonly Single[];
}

/** Slippages that are compared with a smaller one, percent; none is beyond what services take. */
const SLIPPAGE_PAIRS: readonly [SlippagePair, ...SlippagePair[]] = [
  [0.5, 1.9],
  [1, 2.37],
  [0.3, 3],
];

/** A build of one entry, to be asked again with one thing changed; slippages take turns by a number. */
export function buildSource(
  session: Session,
  { body, entry: asked }: Single,
  singles: readonly Single[],
  turn: number,
): BuildSource {
  const [slippage, moreSlippage] = pairBeside(SLIPPAGE_PAIRS, turn, asked.slippage);
  const entry = { ...asked, slippage };
  const first = postBuild(session, { ...body, data: [entry] });
  return { session, first, body, entry, moreSlippage, singles };
}

/** A build that the document obliges the service to take. */
export function postBuild({ keyedCredential }: Session, json: TradeBody): TriedRequest {
  const purpose = { kind: 'valid' } as const;
  const path = '/v1/buildTx';
  return { api: 'trade', method: 'POST', path, json, credential: keyedCredential, purpose };
}

type BuildRelation = MetamorphicRelation<BuildSource>;
type Rules = (typeof TRADE_RELATIONS)[keyof typeof TRADE_RELATIONS];

/** A relation of builds that differ in their one entry. */
function entryChange(
  rules: Rules,
  changeOf: (source: BuildSource) => TradeBody | undefined,
): BuildRelation {
  return relation({
    rules,
    change: (source) => {
      const { session, body, entry } = source;
      const change = changeOf(source);
      if (change === undefined || Object.keys(change).length === 0) return undefined;
      return postBuild(session, { ...body, data: [{ ...entry, ...change }] });
    },
  });
}

/** Relations between builds of one entry. */
export const BUILD_RELATIONS: readonly BuildRelation[] = [
  entryChange(TRADE_RELATIONS.slippage, ({ moreSlippage }) => ({ slippage: moreSlippage })),
  entryChange(TRADE_RELATIONS.twiceTheAmount, ({ session, body, entry }) => {
    const source = { chainId: Number(body.fromChain), address: String(entry.srcToken) };
    // A guessed amount may be more than there is in the world, which no twice the amount adds to.
    if (session.world.decimalsOf(source) === undefined) return undefined;
    return { amount: String(2n * BigInt(String(entry.amount))) };
  }),
  relation({
    rules: TRADE_RELATIONS.otherRecipient,
    change: ({ session, body, entry }) => {
      if (!isEvmAddress(entry.recipient)) return undefined;
      const data = [{ ...entry, recipient: session.random.address() }];
      return postBuild(session, { ...body, data, refundee: session.random.address() });
    },
  }),
  entryChange(TRADE_RELATIONS.letterCase, ({ entry }) => respelled(entry)),
  relation({
    rules: TRADE_RELATIONS.capitals,
    change: ({ session, body, entry }) => {
      const [outer, inner] = [inCapitals(body), inCapitals(entry)];
      if (Object.keys({ ...outer, ...inner }).length === 0) return undefined;
      return postBuild(session, { ...body, ...outer, data: [{ ...entry, ...inner }] });
    },
  }),
  relation({
    rules: TRADE_RELATIONS.batch,
    change: ({ session, body, entry, singles }) => {
      const beside = partnerOf({ body, entry }, singles);
      if (beside === undefined) return undefined;
      const staysHere = entry.toChain === body.fromChain;
      return postBuild(session, { ...body, data: staysHere ? [beside, entry] : [entry, beside] });
    },
  }),
];

/** An entry for a batch with another: of the same chain, if possible of none of its tokens. */
export function partnerOf({ body, entry }: Single, singles: readonly Single[]): unknown {
  const key = keyOf(body, entry);
  const others = singles.filter(
    (other) => other.body.fromChain === body.fromChain && keyOf(other.body, other.entry) !== key,
  );
  const tokensOf = ({ srcToken, destToken }: Single['entry']): string[] =>
    [srcToken, destToken].map((token) => addressKey(String(token)));
  const own = tokensOf(entry);
  const apart = others.find((other) => !tokensOf(other.entry).some((token) => own.includes(token)));
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

/** What something is added to. */
export type AddedTo = Pick<BuildSource, 'session' | 'first' | 'body'>;

/** The same request with a key of its own, in the form that the draft of the header recommends. */
function withKey({ session: { random }, first }: AddedTo): TriedRequest {
  return { ...first, headers: [['Idempotency-Key', random.uuid()]] };
}

function bodyAddition(rules: Rules, addition: TradeBody): MetamorphicRelation<AddedTo> {
  return relation({
    rules,
    change: ({ session, body }) => postBuild(session, { ...body, ...addition }),
  });
}

/** What a build may have besides, each against the same request without it. */
export const BUILD_ADDITIONS: readonly MetamorphicRelation<AddedTo>[] = [
  relation({ rules: TRADE_RELATIONS.idempotencyKey, change: withKey }),
  bodyAddition(TRADE_RELATIONS.disablePricing, { disablePricing: true }),
  bodyAddition(TRADE_RELATIONS.disableEstimation, { disableEstimation: true }),
];

/** The approval of all tokens by permit2, against the same request without it. */
export const permit2Approval: MetamorphicRelation<AddedTo> = bodyAddition(
  TRADE_RELATIONS.permit2Approval,
  { hasPermit2ApprovalForAllTokens: true },
);

/** A quotes request without, and with, a key. */
export const quotesIdempotencyKey: MetamorphicRelation<AddedTo> = relation({
  rules: TRADE_RELATIONS.quotesIdempotencyKey,
  change: withKey,
});

/** All relations between trade requests. */
export const tradeRelations: readonly MetamorphicRelation[] = [
  ...BUILD_ADDITIONS,
  quotesIdempotencyKey,
  permit2Approval,
  ...BUILD_RELATIONS,
];

/** The only entry of a build; undefined of several, and of what is no build. */
export function singleOf(body: TradeBody): Single | undefined {
  const [entry, ...more] = listOf(body.data);
  return more.length === 0 && isObject(entry) ? { body, entry } : undefined;
}
