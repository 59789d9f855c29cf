import type { Judgement, Rule } from '../rule.ts';
import { baseUnitsOf } from '../wire/amounts.ts';
import { onRoute } from './2-2-path-ends.ts';
import { chainOf, isNativeKey } from './zap-entry.ts';
import type { Asked, Route } from './zap-route.ts';

// Section 2.2: the path holds the steps of the route, so one that leads elsewhere has a step. To wrap
// the native token, one for one, may take none.
function notEmpty({ steps, data }: Route, { sourceKey, destKey, amount }: Asked): Judgement {
  const out = baseUnitsOf(data.amountOut);
  if (sourceKey === undefined || destKey === undefined || sourceKey === destKey) return null;
  if (out === undefined || out === 0n) return null;
  if (steps.length > 0) return [];
  const staysHere = chainOf(sourceKey) === chainOf(destKey);
  const mayWrap = staysHere && (isNativeKey(sourceKey) || isNativeKey(destKey));
  // Where no amount was asked for, what it was is not known.
  if (mayWrap && (amount === undefined || out === amount)) return null;
  const expected = `at least one step, which turns ${sourceKey} into ${out} of ${destKey}`;
  return [{ pointer: '/data/path', expected, actual: '[]' }];
}

export const emptyPathRule: Rule = onRoute(
  'zap.path.not-empty',
  'A route that yields another token than it takes has a step that says how.',
  notEmpty,
);
