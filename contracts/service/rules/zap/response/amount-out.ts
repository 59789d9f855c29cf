import type { Judgement } from '../../../../judging/rule.ts';
import { isBaseUnits } from '../../../../wire/amounts.ts';
import type { Entry } from '../../readings/zap-entry.ts';
import { isPosition, sumOf } from '../../readings/zap-entry.ts';
import type { Asked, Route } from '../../readings/zap-route.ts';

/** The entries that a route yields in the end; none if they cannot be determined. */
function yieldsOf({ steps }: Route, destKey: string): readonly Entry[] {
  const output = steps.at(-1)?.output ?? [];
  const named = output.filter(({ key }) => key === destKey);
  if (named.length > 0) return named;
  return output.length === 1 ? output : [];
}

/** Evidence if another amount of the route might be mistaken for the one that it yields. */
function evidenceOf({ steps }: Route, yielded: string): Judgement {
  const differs = ({ amountText, minReturnText = yielded }: Entry): boolean =>
    amountText !== yielded || minReturnText !== yielded;
  return steps.some(({ input, output }) => input.some(differs) || output.some(differs)) ? [] : null;
}

// Section 2.2: amountOut is the output amount. Where steps run side by side it is what they yield
// together; fees may be taken from it at the end.
export function amountOutFaults(route: Route, { destKey }: Asked): Judgement {
  const text = route.data.amountOut;
  if (!isBaseUnits(text) || destKey === undefined) return null;
  const yielded = yieldsOf(route, destKey);
  const key = yielded[0]?.key;
  if (key === undefined || yielded.some(isPosition)) return null;
  if (yielded.length === 1 && yielded[0]?.amountText === text) return evidenceOf(route, text);
  const stated = BigInt(text);
  const last = sumOf(yielded, key);
  if (last === undefined) return null;
  if (stated === last) return evidenceOf(route, text);
  let all = 0n;
  let fees = 0n;
  for (const { input, output, fee } of route.steps) {
    const [given, taken, paid] = [sumOf(output, key), sumOf(input, key), sumOf(fee, key)];
    if (given === undefined || taken === undefined || paid === undefined) return null;
    all += given - taken;
    fees += paid;
  }
  const most = all > last ? all : last;
  if (stated === all || (fees > 0n && stated < most && stated + fees >= last)) return [];
  const expected = `what the path yields of ${key}, ${last}`;
  return [{ pointer: '/data/amountOut', expected, actual: String(stated) }];
}
