import type { Judgement, Rule } from '../../../../judging/rule.ts';
import { exchangeRule } from '../../../../judging/rule.ts';
import type { View } from '../../../../judging/view.ts';
import { ORDER } from './zap-order.ts';
import type { Asked, Route } from '../../readings/zap-route.ts';
import { ROUTED, routeOf } from '../../readings/zap-route.ts';

/** What becomes of a client of a route that is not what it says. */
export type Harm = 'loses money' | 'transaction fails' | 'no service';

/** What is said of a rule on a route beside the plain request that it answers. */
export interface RouteRule {
  readonly id: string;
  readonly protects: string;
  readonly rulesOut: string;
  readonly harm: Harm;
  /** The section that states it; it is implied when absent. */
  readonly stated?: string;
  /** Whether it also speaks of routes whose steps are out of order, which have a rule of their own. */
  readonly inAnyOrder?: true;
  readonly judge: (route: Route, asked: Asked) => Judgement;
}

/** A rule on a route beside the plain request that it answers. */
export function onRoute(rule: RouteRule): Rule {
  const { id, protects, rulesOut, harm, stated, inAnyOrder, judge } = rule;
  return exchangeRule({
    id,
    level: 'must',
    source: stated ?? `implied by §2.1, §2.2 (${harm})`,
    protects,
    rulesOut,
    api: 'zap',
    operations: ROUTED,
    answer: 'success',
    leastEvidence: 1,
    judge: (view: View) => {
      const route = routeOf(view);
      if (route?.asked?.isPlain !== true) return null;
      if (inAnyOrder !== true && view.get(ORDER)?.misplaced !== undefined) return null;
      return judge(route, route.asked);
    },
  });
}
