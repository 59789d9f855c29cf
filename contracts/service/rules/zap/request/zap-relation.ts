import type { Comparison, RelationRow } from '../../../../rules/relation-rule.ts';
import type { View } from '../../../../judging/view.ts';
import type { Route } from '../../readings/zap-route.ts';
import { ROUTED, routeOf } from '../../readings/zap-route.ts';

/** The row of a relation between the answers to two zap requests, which compares their routes. */
export interface ZapRelationRow<Digest = unknown> extends RelationRow<Digest> {
  /** What of a route is compared; null when there is nothing to compare. */
  ofRoute(route: Route): Digest | null;
}

/** A row by what it compares of a route. */
export function zapRelation<Digest>(
  row: Comparison<Digest> & Pick<ZapRelationRow<Digest>, 'ofRoute'>,
): ZapRelationRow<Digest> {
  const digest = (view: View): Digest | null => {
    const route = routeOf(view);
    return route && row.ofRoute(route);
  };
  return { ...row, api: 'zap', operations: ROUTED, digest };
}
