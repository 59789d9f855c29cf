import { checksummed } from '../../../contracts/document/checksum.ts';
import { ZAP_RELATIONS } from '../../../contracts/service/rules/zap/request/zap-relations.ts';
import { isNative } from '../../../contracts/service/rules/inputs/accepted-input.ts';
import { isEvmAddress } from '../../../contracts/wire/addresses.ts';
import type { MetamorphicRelation } from '../../drive/relation.ts';
import { relation } from '../../drive/relation.ts';
import type { TriedRequest } from '../../drive/tried-request.ts';
import type { Session } from '../session/session.ts';
import type { SlippagePair } from '../session/largest-of-kinds.ts';
import { pairBeside } from '../session/largest-of-kinds.ts';
import type { ZapBody } from '../session/zap-request.ts';
import { validPost } from '../session/zap-request.ts';

/** What another quote is made of. */
export interface QuoteSource {
  readonly session: Session;
  readonly first: TriedRequest;
  /** The body of the first request. */
  readonly body: ZapBody;
  /** Percent; not that of the body. */
  readonly otherSlippage: number;
}

/**
 * Slippages compared with each other, percent. None is beyond what services commonly take, and of the
 * usual ones each is there.
 */
const SLIPPAGE_PAIRS: readonly [SlippagePair, ...SlippagePair[]] = [
  [0.5, 1.9],
  [0.1, 1],
  [1.37, 0.3],
];

/** A quote to be asked again with one thing changed, with a slippage that takes turns by a number. */
export function quoteSource(session: Session, asked: ZapBody, turn: number): QuoteSource {
  const [slippage, otherSlippage] = pairBeside(SLIPPAGE_PAIRS, turn, asked.slippage);
  const body = { ...asked, slippage };
  return { session, first: validPost('/v1/quote', body), body, otherSlippage };
}

type QuoteRelation = MetamorphicRelation<QuoteSource>;

function quoteChange(
  rules: (typeof ZAP_RELATIONS)[keyof typeof ZAP_RELATIONS],
  changeOf: (source: QuoteSource) => ZapBody,
): QuoteRelation {
  return relation({
    rules,
    change: (source) => {
      const change = changeOf(source);
      if (Object.keys(change).length === 0) return undefined;
      return validPost('/v1/quote', { ...source.body, ...change });
    },
  });
}

/** Relations between quotes. */
export const QUOTE_RELATIONS: readonly QuoteRelation[] = [
  quoteChange(ZAP_RELATIONS.slippage, ({ otherSlippage }) => ({ slippage: otherSlippage })),
  quoteChange(ZAP_RELATIONS.recipient, ({ session }) => ({ recipient: session.random.address() })),
  quoteChange(ZAP_RELATIONS.letterCase, ({ body }) => respelled(body)),
  quoteChange(ZAP_RELATIONS.amount, ({ body }) => ({
    amount: String(2n * BigInt(String(body.amount))),
  })),
];

/** A quote and the build of the same request; its body if that is another than the quote's. */
export const quoteAndBuild: MetamorphicRelation<{
  readonly first: TriedRequest;
  readonly built?: ZapBody;
}> = relation({
  rules: ZAP_RELATIONS.build,
  change: ({ first, built }) => ({
    ...first,
    path: '/v1/buildTx',
    ...(built === undefined ? {} : { json: built }),
  }),
});

/** A quote or a build without, and with, a key in the form that the drafts of the header recommend. */
export const zapIdempotencyKey: MetamorphicRelation<Pick<QuoteSource, 'session' | 'first'>> =
  relation({
    rules: ZAP_RELATIONS.idempotencyKey,
    change: ({ session: { random }, first }) => {
      const digits = Array.from({ length: 32 }, () => random.integer(0, 15).toString(16)).join('');
      const uuid = digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-a$4-$5');
      return { ...first, headers: [['Idempotency-Key', uuid]] };
    },
  });

/** A quote or a build, and the same with all its addresses in capitals. */
export const zapCapitals: MetamorphicRelation<Pick<QuoteSource, 'first' | 'body'>> = relation({
  rules: ZAP_RELATIONS.capitals,
  change: ({ first, body }) => {
    const change = inCapitals(body);
    if (Object.keys(change).length === 0) return undefined;
    return { ...first, json: { ...body, ...change } };
  },
});

/** A build without a simulation, and what it is without saying so; with one if that differs. */
export const estimateGas: MetamorphicRelation<Pick<QuoteSource, 'body'>> = relation({
  rules: ZAP_RELATIONS.estimateGas,
  change: ({ body }) => {
    const simulated = validPost('/v1/buildTx', { ...body, estimateGas: true });
    // Who holds nothing may meet an error in a simulation.
    const purpose = { kind: 'probe', about: 'a simulation' } as const;
    return [
      { request: { ...simulated, purpose }, isControl: true },
      { request: validPost('/v1/buildTx', body) },
    ];
  },
});

/** The tokens in lower case if they are not, else in the letter case of their checksum. */
export function respelled({ srcToken, destToken }: ZapBody): ZapBody {
  const tokens = Object.entries({ srcToken, destToken }).flatMap(([name, address]) =>
    isEvmAddress(address) ? [{ name, address, lower: address.toLowerCase() }] : [],
  );
  const areLower = tokens.every(({ address, lower }) => address === lower);
  const changed = tokens
    .map(({ name, address, lower }) => [name, address, areLower ? checksummed(lower) : lower])
    .filter(([, address, spelled]) => address !== spelled);
  return Object.fromEntries(
    changed.map(([name, , spelled]): [string, unknown] => [String(name), spelled]),
  );
}

/**
 * The addresses among the fields of a request that have letters, in capitals. The native token is
 * a constant, and left as it is.
 */
export function inCapitals(body: ZapBody): ZapBody {
  const addresses = Object.entries(body).flatMap(([name, value]): [string, string][] => {
    if (!isEvmAddress(value) || isNative(value)) return [];
    const spelled = `0x${value.slice(2).toUpperCase()}`;
    return spelled === value ? [] : [[name, spelled]];
  });
  return Object.fromEntries(addresses);
}

/** All relations between zap requests. */
export const zapRelations: readonly MetamorphicRelation[] = [
  quoteAndBuild,
  zapIdempotencyKey,
  zapCapitals,
  ...QUOTE_RELATIONS,
  estimateGas,
];
