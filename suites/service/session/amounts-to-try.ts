import type { Session } from './session.ts';
import type { TokenAt } from './world.ts';

/** About so many USD are moved if prices are known. */
const WORTH_USD = 250;
/** However little a token is worth: thousandths of tokens. */
const MAX_WHOLE = 1e30;
/** Powers of ten that are tried if the decimals of a token are not known. */
const GUESSED_POWERS: readonly number[] = [18, 6, 8, 3];

/** Beyond this a float holds not every whole number. */
const FLOAT_EXACT = 2n ** 53n;
/** In base 2 ones and zeros in turn: whatever a float drops of an amount, this shows it. */
const LOW_DIGITS = 0b1_0101_0101_0101n;

/** A large amount with low digits that show where precision is lost. */
function withLowDigits(amount: bigint): string {
  return String(amount > FLOAT_EXACT ? amount + LOW_DIGITS : amount);
}

/**
 * Amounts to try for a token, in base units: one if its decimals are known, else a few guesses
 * that between them suit most tokens.
 */
export function amountsToTry(session: Session, token: TokenAt): string[] {
  const decimals = session.world.decimalsOf(token);
  if (decimals === undefined)
    return GUESSED_POWERS.map((power) => withLowDigits(10n ** BigInt(power)));
  const price = session.world.priceOf(token) ?? 1;
  const whole = Math.min(MAX_WHOLE, Math.max(1, Math.round((WORTH_USD / price) * 1_000)));
  const amount = (BigInt(whole) * 10n ** BigInt(decimals)) / 1_000n;
  return [withLowDigits(amount > 0n ? amount : 1n)];
}
