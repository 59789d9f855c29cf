/** A decimal number without rounding: `digits` times ten to the power of `exponent`. */
export interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

/** Numbers with more digits, or a larger exponent, are not looked at digit by digit. */
const MAX_DIGITS = 400;

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,6}))?$/;

/**
 * Reads a number as JSON or JavaScript writes it.
 *
 * @returns undefined for what is no number, or has more than 400 digits written out
 */
export function decimalOf(text: string): Decimal | undefined {
  if (text.length > 2 * MAX_DIGITS) return undefined;
  const [, sign = '', whole = '', fraction = '', power = '0'] = NUMBER.exec(text) ?? [];
  if (whole === '') return undefined;
  const exponent = Number(power) - fraction.length;
  const size = whole.length + fraction.length + Math.abs(exponent);
  if (size > 2 * MAX_DIGITS) return undefined;
  return { digits: BigInt(`${sign}${whole}${fraction}`), exponent };
}

/** Both with the exponent of the smaller one. */
function aligned(a: Decimal, b: Decimal): readonly [bigint, bigint] {
  const exponent = Math.min(a.exponent, b.exponent);
  const scaled = (one: Decimal): bigint => one.digits * 10n ** BigInt(one.exponent - exponent);
  return [scaled(a), scaled(b)];
}

/** Negative, zero or positive, as the first is smaller, equal or larger. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  const [one, other] = aligned(a, b);
  return one < other ? -1 : Number(one > other);
}

/** Whether the first is a whole multiple of the second, which is not zero. */
export function isMultiple(a: Decimal, b: Decimal): boolean {
  const [one, other] = aligned(a, b);
  return other !== 0n && one % other === 0n;
}

/** Whether it has no fraction. */
export function isWhole({ digits, exponent }: Decimal): boolean {
  return exponent >= 0 || digits % 10n ** BigInt(-exponent) === 0n;
}

/** The same text for equal numbers. */
export function plainText({ digits, exponent }: Decimal): string {
  if (digits === 0n) return '0';
  const text = String(digits);
  const zeros = /0*$/.exec(text)?.[0].length ?? 0;
  return `${text.slice(0, text.length - zeros)}e${exponent + zeros}`;
}

/** What a token of a number says, if a double does not hold it. */
export function lostNumber(token: string): Decimal | undefined {
  if (!/^-?\d/.test(token)) return undefined;
  const exact = decimalOf(token);
  if (exact === undefined) return undefined;
  const held = decimalOf(String(Number(token)));
  return held !== undefined && compareDecimals(exact, held) === 0 ? undefined : exact;
}
