/** Slippage tolerance: a percentage number, `1` means one percent (document, section 1, convention 4). */

interface Fraction {
  /** What remains of `whole` when all of the tolerance is used. */
  readonly kept: bigint;
  readonly whole: bigint;
}

const DECIMAL = /^([0-9]+)(?:\.([0-9]+))?(?:e([+-]?[0-9]+))?$/;

/** Smaller tolerances are too close to none to be distinguished in any amount. */
const MAX_DIGITS = 100;

const MAX_KNOWN = 256;
const known = new Map<number, Fraction | undefined>();

/** The part that a tolerance leaves, exact also if it has no finite binary form, such as 0.3. */
function fractionOf(slippagePercent: number): Fraction | undefined {
  if (known.has(slippagePercent)) return known.get(slippagePercent);
  if (known.size >= MAX_KNOWN) known.clear();
  const fraction = computed(slippagePercent);
  known.set(slippagePercent, fraction);
  return fraction;
}

function computed(slippagePercent: number): Fraction | undefined {
  if (!(slippagePercent >= 0 && slippagePercent <= 100)) return undefined;
  const [, integer = '', decimals = '', exponent = '0'] =
    DECIMAL.exec(String(slippagePercent)) ?? [];
  const scale = decimals.length - Number(exponent);
  if (scale > MAX_DIGITS) return { kept: 1n, whole: 1n };
  const digits = BigInt(integer + decimals) * 10n ** BigInt(Math.max(0, -scale));
  const whole = 100n * 10n ** BigInt(Math.max(0, scale));
  return { kept: whole - digits, whole };
}

/**
 * The least of an amount that a tolerance accepts, rounded down.
 *
 * @param amount base units
 * @returns undefined when the tolerance is no percentage from 0 to 100
 */
export function leastReturn(amount: bigint, slippagePercent: number): bigint | undefined {
  const fraction = fractionOf(slippagePercent);
  return fraction && (amount * fraction.kept) / fraction.whole;
}
