import { isObject, listOf, member } from '../../../wire/json.ts';
import { headerOf } from '../../../wire/exchange.ts';
import type { AskedInputs, PlainInput, PlainRow } from './accepted-input.ts';
import { differ, hasDecimals, isLarge, isNative, namesCharset } from './accepted-input.ts';
import { BUILD } from '../readings/trade-build.ts';

function ofBuilds(
  { input, ...row }: PlainRow & { readonly source?: string },
  has: (
    body: Readonly<Record<string, unknown>>,
    entries: readonly unknown[],
    asked: AskedInputs,
  ) => boolean,
): PlainInput {
  const source = 'implied by §2.3 (no service)';
  const place = { api: 'trade', operations: BUILD, source } as const;
  return {
    ...place,
    ...row,
    forms: { given: input },
    formOf: (asked) => {
      const { requestJson } = asked;
      if (!isObject(requestJson)) return null;
      const { gasless, disablePricing, data } = requestJson;
      // If a simulation fails, `disableEstimation` is in every build.
      const isPlain = gasless !== true && disablePricing === undefined;
      return isPlain && has(requestJson, listOf(data), asked) ? 'given' : null;
    },
  };
}

/** Whether any entry has such a value of a field. */
function some(
  entries: readonly unknown[],
  field: string,
  is: (value: unknown) => boolean,
): boolean {
  return entries.some((entry) => is(member(entry, field)));
}

type TradeInputName =
  | 'decimalSlippage'
  | 'largeAmount'
  | 'secondEntry'
  | 'nativeSource'
  | 'nativeDestination'
  | 'otherRefundee'
  | 'charset';

/** Inputs of trade builds (sections 1 and 2.3). */
export const ACCEPTED_TRADE_INPUTS: Readonly<Record<TradeInputName, PlainInput>> = {
  decimalSlippage: ofBuilds(
    {
      id: 'trade.build-tx.decimal-slippage-accepted',
      protects: 'Slippage may have decimals.',
      rulesOut: 'A service that takes slippages in whole numbers only.',
      input: 'a slippage with decimals',
    },
    (_, entries) => some(entries, 'slippage', hasDecimals),
  ),
  largeAmount: ofBuilds(
    {
      id: 'trade.build-tx.large-amount-accepted',
      protects: 'An amount may be larger than a double can hold exactly.',
      rulesOut: 'A service that refuses amounts above 2^53.',
      input: 'an amount above 2^53',
    },
    (_, entries) => some(entries, 'amount', isLarge),
  ),
  // §2.3: one entry per quote pair. The map of quotes and the approval for all tokens are of several.
  // The largest number is not shown, so that a service which says that these are too many may be right.
  secondEntry: ofBuilds(
    {
      id: 'trade.build-tx.second-entry-accepted',
      protects: 'A build may have a second quote pair.',
      rulesOut: 'A service that takes one entry of data and refuses a second.',
      excuse: 'too-many',
      input: 'a second entry',
    },
    (_, entries) => entries.length > 1,
  ),
  nativeSource: ofBuilds(
    {
      id: 'trade.build-tx.native-source-accepted',
      source: 'implied by §1, §2.3 (no service)',
      protects: 'The native token can be the source of a trade.',
      rulesOut: 'A service that does not know the constant of the native token as a source.',
      excuse: 'no-route',
      input: 'the native token as source',
    },
    (_, entries) => some(entries, 'srcToken', isNative),
  ),
  nativeDestination: ofBuilds(
    {
      id: 'trade.build-tx.native-destination-accepted',
      source: 'implied by §1, §2.3 (no service)',
      protects: 'The native token can be the destination of a trade.',
      rulesOut: 'A service that does not know the constant of the native token as a destination.',
      excuse: 'no-route',
      input: 'the native token as destination',
    },
    (_, entries) => some(entries, 'destToken', isNative),
  ),
  otherRefundee: ofBuilds(
    {
      id: 'trade.build-tx.other-refundee-accepted',
      protects: 'Who gets refunds may be another than the sender.',
      rulesOut: 'A service that wants the refundee to be the sender.',
      input: 'a refundee of its own',
    },
    ({ sender, refundee }) => differ(sender, refundee),
  ),
  // RFC 9110 section 8.3: a media type may have parameters, and many clients send this one.
  charset: ofBuilds(
    {
      id: 'trade.build-tx.charset-accepted',
      source: 'implied by §1, RFC 9110 section 8.3 (no service)',
      protects: 'The Content-Type of a request may state its charset.',
      rulesOut: 'A service that compares Content-Type with application/json as a whole.',
      input: 'a charset in Content-Type',
    },
    (_, entries, { headers }) => {
      const has = namesCharset(headerOf(headers, 'content-type'));
      return entries.length > 0 && has;
    },
  ),
};
