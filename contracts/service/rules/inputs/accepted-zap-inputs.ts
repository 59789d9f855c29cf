import { isObject, listOf } from '../../../wire/json.ts';
import { headerOf } from '../../../wire/exchange.ts';
import type { AskedInputs, PlainInput, PlainRow } from './accepted-input.ts';
import { differ, hasDecimals, isLarge, isNative, namesCharset } from './accepted-input.ts';
import { ROUTED } from '../readings/zap-route.ts';

/** Optional fields of a zap request except for `amount`, which most routes need (section 2.1). */
const ZAP_OPTIONS = [
  'permit',
  'positionDetails',
  'poolDetails',
  'allowedBridges',
  'allowedDexes',
  'integrator',
  'estimateGas',
] as const;

type ZapOption = (typeof ZAP_OPTIONS)[number];

type ZapRow = PlainRow & {
  readonly source?: string;
  readonly operations?: readonly string[];
  /** The only optional field that a request with the input may have. */
  readonly option?: ZapOption;
};

function ofZaps(
  { option, input, ...row }: ZapRow,
  has: (body: Readonly<Record<string, unknown>>, asked: AskedInputs) => boolean,
): PlainInput {
  const source = 'implied by §2.1 (no service)';
  const place = { api: 'zap', operations: ROUTED, source } as const;
  const others = ZAP_OPTIONS.filter((name) => name !== option);
  return {
    ...place,
    ...row,
    forms: { given: input },
    formOf: (asked) => {
      const { requestJson } = asked;
      if (!isObject(requestJson)) return null;
      const isPlain = others.every((name) => requestJson[name] === undefined);
      return isPlain && has(requestJson, asked) ? 'given' : null;
    },
  };
}

const QUOTE = ['zap.quote'] as const;
const BUILD = ['zap.build-tx'] as const;

function allowedDexes(what: 'quote' | 'build', operation: typeof QUOTE | typeof BUILD): PlainInput {
  return ofZaps(
    {
      id: `${operation[0]}.allowed-dexes-accepted`,
      protects: `A ${what} may say which of the listed DEXs are allowed.`,
      rulesOut: `A service that refuses allowedDexes in a ${what}, or wants allowedBridges too.`,
      operations: operation,
      option: 'allowedDexes',
      input: 'allowedDexes',
    },
    (body) => listOf(body.allowedDexes).length > 0,
  );
}

function allowedBridges(
  what: 'quote' | 'build',
  operation: typeof QUOTE | typeof BUILD,
): PlainInput {
  return ofZaps(
    {
      id: `${operation[0]}.allowed-bridges-accepted`,
      protects: `A ${what} may say which of the listed bridges are allowed.`,
      rulesOut: `A service that refuses allowedBridges in a ${what}, or wants allowedDexes too.`,
      operations: operation,
      option: 'allowedBridges',
      input: 'allowedBridges',
    },
    (body) => listOf(body.allowedBridges).length > 0,
  );
}

type ZapInputName =
  | 'decimalSlippage'
  | 'largeAmount'
  | 'absentAmount'
  | 'nativeSource'
  | 'nativeDestination'
  | 'otherRecipient'
  | 'quoteDexes'
  | 'quoteBridges'
  | 'buildDexes'
  | 'buildBridges'
  | 'estimateGas'
  | 'charset'
  | 'bearer';

/** Inputs of zap quotes and builds (sections 1 and 2.1). */
export const ACCEPTED_ZAP_INPUTS: Readonly<Record<ZapInputName, PlainInput>> = {
  decimalSlippage: ofZaps(
    {
      id: 'zap.requests.decimal-slippage-accepted',
      protects: 'Slippage may have decimals, as a float has.',
      rulesOut: 'A service that takes slippages in whole numbers only.',
      input: 'a slippage with decimals',
    },
    ({ slippage }) => hasDecimals(slippage),
  ),
  largeAmount: ofZaps(
    {
      id: 'zap.requests.large-amount-accepted',
      protects: 'An amount may be larger than a double can hold exactly.',
      rulesOut: 'A service that refuses amounts above 2^53.',
      input: 'an amount above 2^53',
    },
    ({ amount }) => isLarge(amount),
  ),
  // What a zap without an amount swaps is not stated, and a swap without one may be refused. A service
  // that refuses all, deposits too, does not have the field as optional.
  absentAmount: ofZaps(
    {
      id: 'zap.requests.absent-amount-accepted',
      level: 'should',
      source: '§2.1',
      protects: 'The optional amount may be left out, of one kind of zap at least.',
      rulesOut: 'A service that requires amount in every request, of deposits and of swaps.',
      input: 'no amount',
    },
    (body) => isWhole(body) && body.amount === undefined,
  ),
  nativeSource: ofZaps(
    {
      id: 'zap.requests.native-source-accepted',
      source: 'implied by §1, §2.1 (no service)',
      protects: 'The native token can be the source of a zap.',
      rulesOut: 'A service that does not know the constant of the native token as a source.',
      excuse: 'no-route',
      input: 'the native token as source',
    },
    ({ srcToken }) => isNative(srcToken),
  ),
  nativeDestination: ofZaps(
    {
      id: 'zap.requests.native-destination-accepted',
      source: 'implied by §1, §2.1 (no service)',
      protects: 'The native token can be the destination of a zap.',
      rulesOut: 'A service that does not know the constant of the native token as a destination.',
      excuse: 'no-route',
      input: 'the native token as destination',
    },
    ({ destToken }) => isNative(destToken),
  ),
  otherRecipient: ofZaps(
    {
      id: 'zap.requests.other-recipient-accepted',
      protects: 'The recipient may be another than the account.',
      rulesOut: 'A service that wants the recipient to be the account.',
      input: 'a recipient of its own',
    },
    ({ recipient, account }) => differ(recipient, account),
  ),
  quoteDexes: allowedDexes('quote', QUOTE),
  quoteBridges: allowedBridges('quote', QUOTE),
  buildDexes: allowedDexes('build', BUILD),
  buildBridges: allowedBridges('build', BUILD),
  estimateGas: ofZaps(
    {
      id: 'zap.build-tx.estimate-gas-accepted',
      protects: 'A build may say that no gas is to be estimated.',
      rulesOut: 'A service that does not know estimateGas, or takes it only as true.',
      operations: BUILD,
      option: 'estimateGas',
      input: 'estimateGas false',
    },
    ({ estimateGas }) => estimateGas === false,
  ),
  // RFC 9110 section 8.3: a media type may have parameters, and many clients send this one.
  charset: ofZaps(
    {
      id: 'zap.requests.charset-accepted',
      source: 'implied by §1, RFC 9110 section 8.3 (no service)',
      protects: 'The Content-Type of a request may state its charset.',
      rulesOut: 'A service that compares Content-Type with application/json as a whole.',
      input: 'a charset in Content-Type',
    },
    (body, { headers }) => {
      const has = namesCharset(headerOf(headers, 'content-type'));
      return isWhole(body) && has;
    },
  ),
  // Section 4.1, rule 3: no authentication is required. A gateway that looks at each credential may
  // refuse one that it does not know: a warning.
  bearer: ofZaps(
    {
      id: 'zap.requests.bearer-accepted',
      level: 'should',
      source: 'implied by §4.1, §5',
      protects: 'Who sends a bearer token, though none is needed, is served all the same.',
      rulesOut: 'A service that refuses any Authorization that it does not know.',
      input: 'a bearer token',
    },
    (body, { headers }) => {
      const has = /^bearer ./i.test(headerOf(headers, 'authorization') ?? '');
      return isWhole(body) && has;
    },
  ),
};

/** Whether a body has the tokens of a zap, so that it is not a wrong one that was taken. */
function isWhole({ srcToken, destToken }: Readonly<Record<string, unknown>>): boolean {
  return typeof srcToken === 'string' && typeof destToken === 'string';
}
