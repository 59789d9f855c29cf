import { chainOf, isNativeKey } from '../../readings/zap-entry.ts';
import type { Asked, Step } from '../../readings/zap-route.ts';

/** Whether two assets may be the native token of a chain and the token that wraps it. */
export function mayWrap(from: string | undefined, to: string | undefined): boolean {
  if (from === undefined || to === undefined || chainOf(from) !== chainOf(to)) return false;
  return isNativeKey(from) || isNativeKey(to);
}

/**
 * Whether a route takes an integrator's fee, which leaves any part of an amount. Neither how much it
 * is nor where a route states it is shown (section 2.1).
 */
export function leavesAnyPart(asked: Asked | undefined): boolean {
  return asked?.body.integrator !== undefined;
}

/**
 * Whether a step but wraps or unwraps the native token, which takes no exchange: one for one, less
 * the fees that it states, each of them rounded, and less an integrator's.
 */
export function wraps({ input, output, fee }: Step, asked: Asked | undefined): boolean {
  const [from, to] = [input[0], output[0]];
  if (from === undefined || to === undefined || !mayWrap(from.key, to.key)) return false;
  if (from.amountText === to.amountText) return true;
  if (from.amount === undefined || to.amount === undefined) return false;
  const lost = from.amount - to.amount;
  if (lost < 0n) return false;
  if (leavesAnyPart(asked)) return true;
  let fees = 0n;
  for (const { key, amount = 0n } of fee) {
    if (key === from.key || key === to.key) fees += amount;
  }
  const off = lost > fees ? lost - fees : fees - lost;
  return off <= BigInt(fee.length);
}
