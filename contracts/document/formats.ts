import type { Format } from 'ajv';
import { isDecimal, isNumberText } from '../wire/decimal-text.ts';
import { isHex } from './hex.ts';
import { isEvmAddress } from '../wire/addresses.ts';
import { isBaseUnits, isWithinWord } from '../wire/amounts.ts';
import { TextMemo } from '../wire/text-memo.ts';

// Chains other than EVM write addresses in base58, bech32 or longer hex; none holds white space.
const ANY_ADDRESS = /^(?:0x[0-9a-fA-F]+|(?!0x)[^\s]+)$/;

/** Longer texts are not kept. */
const MAX_CHARACTERS = 200;
const MAX_KNOWN = 4_096;

/** The `format` values of the built-in contract. All are of strings. */
export const FORMATS: Readonly<Record<string, Format>> = {
  /** A plain non-negative decimal integer (section 1, convention 2) that fits an EVM word. */
  'base-units': (text: string) => isBaseUnits(text) && isWithinWord(text),
  /** 0x and 40 hex digits, in any letter case. */
  'evm-address': isEvmAddress,
  'any-address': (text: string) => isEvmAddress(text) || ANY_ADDRESS.test(text),
  /** Hex digits of any number, after 0x or not; `0x` alone is empty data. */
  'hex-string': isHex,
  /** Hex digits of whole bytes, after 0x or not; `0x` alone is empty data. */
  'hex-bytes': (text: string) => text.length % 2 === 0 && isHex(text),
  /** A decimal number without exponent. */
  'decimal-string': isDecimal,
  /** A decimal number, with an exponent or without. */
  'number-text': isNumberText,
  'absolute-url': remembered((text) => URL.canParse(text)),
};

/** A test of texts that come again and again: logos of the same few assets. */
function remembered(test: (text: string) => boolean): (text: string) => boolean {
  const known = new TextMemo<boolean>(MAX_KNOWN);
  return (text) => {
    if (text.length > MAX_CHARACTERS) return test(text);
    return known.find(text) ?? known.add(text, test(text));
  };
}
