import type { Judgement, Rule } from '../../../../judging/rule.ts';
import { baseUnitsOf } from '../../../../wire/amounts.ts';
import type { Asked, Route } from '../../readings/zap-route.ts';
import { onRoute } from './zap-rule.ts';
import { leavesAnyPart, mayWrap } from './zap-wrap.ts';

// Section 2.2: the path holds the steps of the route, so one that leads elsewhere has a step. To wrap
// the native token, one for one except for an integrator's fee, may take none.
function notEmpty({ steps, data }: Route, asked: Asked): Judgement {
  const { sourceKey, destKey, amount } = asked;
  const out = baseUnitsOf(data.amountOut);
  if (sourceKey === undefined || destKey === undefined || sourceKey === destKey) return null;
  if (out === undefined || out === 0n) return null;
  if (steps.length > 0) return [];
  if (mayWrap(sourceKey, destKey)) {
    // If no amount was asked for, what it was is not known.
    if (amount === undefined || out === amount) return null;
    if (out < amount && leavesAnyPart(asked)) return null;
  }
  const expected = `at least one step, which turns ${sourceKey} into ${out} of ${destKey}`;
  return [{ pointer: '/data/path', expected, actual: '[]' }];
}

export const emptyPathRule: Rule = onRoute({
  id: 'zap.path.not-empty',
  protects: 'A route that yields another token than it takes has a step that says how.',
  rulesOut:
    'A service that answers an amount without a way to it: the request is for another token, which yields something.',
  harm: 'loses money',
  inAnyOrder: true,
  judge: notEmpty,
});
