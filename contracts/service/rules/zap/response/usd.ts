import type { Broken, Rule } from '../../../../judging/rule.ts';
import { exchangeRule } from '../../../../judging/rule.ts';
import type { Entry } from '../../readings/zap-entry.ts';
import { pointerTo } from '../../readings/zap-entry.ts';
import { ROUTED, routeOf } from '../../readings/zap-route.ts';

/** Prices in one answer may come from two sources of about one time. */
const TOLERANCE = 0.05;
/** A value in whole cents. */
const CENT = 0.01;
/** Less than this may be reported as nothing. */
const SMALLEST_JUDGED = 2 * CENT;
const OTHER_STANDARD = /^ERC(?!20$)/;
const NUMBER = /^[0-9]*\.?([0-9]*)(?:[eE]([+-]?[0-9]+))?$/;
const POWERS: readonly number[] = Array.from({ length: 80 }, (_, power) => 10 ** power);

/**
 * Whether an entry's amountUSD is so near to amount / 10^decimals · price that no rounding matters;
 * false also if there is nothing to compute with.
 */
function isNear({ amountText, asset, json: { amountUSD } }: Entry): boolean {
  if (amountText === undefined || asset?.type !== 'ERC20') return false;
  const { decimals, price } = asset;
  if (typeof price !== 'string' || typeof amountUSD !== 'string') return false;
  const power = typeof decimals === 'number' ? POWERS[decimals] : undefined;
  if (power === undefined) return false;
  const value = roughly(amountUSD);
  const worth = (roughly(amountText) / power) * roughly(price);
  return value > 0 && worth > SMALLEST_JUDGED && Math.abs(value - worth) < NEAR * worth;
}

/** Well within the tolerance. */
const NEAR = 0.04;

/** A plain decimal text as a number, right to 12 digits; NaN for any other text. */
function roughly(text: string): number {
  let digits = 0;
  let point = -1;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x2e && point < 0) point = at;
    else if (code >= 0x30 && code <= 0x39) digits = digits * 10 + (code - 0x30);
    else return NaN;
  }
  return point < 0 ? digits : digits / (POWERS[text.length - 1 - point] ?? NaN);
}

/**
 * How far an entry's amountUSD lies from amount / 10^decimals · price, given the digits that price
 * and value are written with. Undefined if there is nothing to compute with.
 */
function deviationOf({
  amount,
  asset,
  json,
}: Entry): { worth: number; isOff: boolean } | undefined {
  const { decimals, price, type } = asset ?? {};
  const { amountUSD } = json;
  // What an amount of another token standard counts is not stated.
  if (
    amount === undefined ||
    (type !== 'ERC20' && typeof type === 'string' && OTHER_STANDARD.test(type))
  )
    return undefined;
  if (typeof price !== 'string' || typeof amountUSD !== 'string') return undefined;
  if (typeof decimals !== 'number' || !Number.isInteger(decimals)) return undefined;
  const power = POWERS[decimals];
  const unit = Number(price);
  const value = Number(amountUSD);
  // A price of 0 says that none is known.
  if (power === undefined || !(unit > 0) || !Number.isFinite(value)) return undefined;
  const tokens = Number(amount) / power;
  const worth = tokens * unit;
  const off = Math.abs(value - worth);
  if (off <= TOLERANCE * worth + CENT) return { worth, isOff: false };
  return { worth, isOff: off > TOLERANCE * worth + CENT + tokens * lastDigitOf(price) };
}

/**
 * One unit of the last digit of a decimal text, what its rounding may hide. Nothing for a whole
 * number, to which no service rounds a price of a few USD.
 */
function lastDigitOf(price: string): number {
  const [, fraction = '', exponent = '0'] = NUMBER.exec(price) ?? [];
  return fraction === '' ? 0 : 10 ** (Number(exponent) - fraction.length);
}

/** Of an entry that is worth more than what may be reported as nothing. */
const NO_DEVIATION = { worth: Infinity, isOff: false };

// Section 2.2: amountUSD is the USD value of the amount, price the USD price of the asset.
export const usdRule: Rule = exchangeRule({
  id: 'zap.path.amount-usd-follows-price',
  level: 'should',
  source: 'implied by §2.2',
  protects: 'The USD value of an amount is what the amount is worth at the price beside it.',
  rulesOut:
    'A service that values an amount with other decimals, or at nothing: the amount is worth more than two cents.',
  api: 'zap',
  operations: ROUTED,
  answer: 'success',
  leastEvidence: 1,
  judge: (view) => {
    const route = routeOf(view);
    if (route === null) return null;
    let judged = false;
    const broken: Broken[] = [];
    for (const entry of route.entries) {
      const deviation = isNear(entry) ? NO_DEVIATION : deviationOf(entry);
      if (deviation === undefined) continue;
      if (deviation.worth > SMALLEST_JUDGED || deviation.isOff) judged = true;
      if (!deviation.isOff) continue;
      const expected = `about ${deviation.worth.toPrecision(6)}, amount / 10^decimals · price`;
      const actual = String(entry.json.amountUSD);
      broken.push({ pointer: pointerTo(entry, 'amountUSD'), expected, actual });
    }
    return judged ? broken : null;
  },
});
