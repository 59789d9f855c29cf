/** Gas as answers write it. */

import { isHexData } from '../../../document/hex.ts';

/** Gas that every EVM transaction takes, and the least that one byte of its data takes. */
const TRANSACTION_GAS = 21_000;
const MIN_BYTE_GAS = 4;

/** The gas below which no chain takes a transaction with the data (EIP-2028); undefined for unreadable data. */
export function intrinsicGas(data: unknown): bigint | undefined {
  if (typeof data !== 'string' || !isHexData(data)) return undefined;
  return BigInt(TRANSACTION_GAS + MIN_BYTE_GAS * (data.length / 2 - 1));
}

const PLAIN = /^[0-9]{1,80}$/;
const OTHERWISE = /^(?:0x[0-9a-fA-F]+|[+-]?[0-9]+(?:\.[0-9]*)?(?:e[+-]?[0-9]+)?)$/i;
const MAX_CHARACTERS = 100;

/** Whether a text is a decimal integer. */
export function isInDecimal(gas: string): boolean {
  return PLAIN.test(gas);
}

/** Whether a text is a number that is written differently. */
export function isQuantityOtherwise(gas: string): boolean {
  return gas.length <= MAX_CHARACTERS && OTHERWISE.test(gas);
}
