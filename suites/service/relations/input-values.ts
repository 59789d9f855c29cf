import { LARGEST_EXACT } from '../../../contracts/service/rules/inputs/accepted-input.ts';

/** Slippages with decimals, percent; all between two whole ones that must be served. */
const DECIMAL_SLIPPAGES: readonly number[] = [1.5, 1.3, 1.9];
/** The whole ones. */
export const LESS = 1;
export const MORE = 2;

/** A slippage with decimals, by turns. */
export function decimalOf(index: number): number {
  return DECIMAL_SLIPPAGES[index % DECIMAL_SLIPPAGES.length] ?? 1.5;
}

/** The amounts on both sides of the largest that a double holds exactly: two base units apart. */
export const AMOUNTS: Readonly<Record<'exact' | 'inexact', string>> = {
  exact: String(LARGEST_EXACT),
  inexact: String(LARGEST_EXACT + 2n),
};
/** Of a token of so many decimals such an amount is neither nothing nor more than there is. */
export const MANY_DECIMALS = 16;
