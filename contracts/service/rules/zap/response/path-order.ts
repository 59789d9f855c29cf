import type { Rule } from '../../../../judging/rule.ts';
import { exchangeRule } from '../../../../judging/rule.ts';
import { pointerTo } from '../../readings/zap-entry.ts';
import { ORDER } from './zap-order.ts';
import { ROUTED } from '../../readings/zap-route.ts';

// Section 2.2: the path holds the ordered steps of the route. What steps do side by side has no order.
export const pathOrderRule: Rule = exchangeRule({
  id: 'zap.path.in-order',
  level: 'must',
  source: '§2.2',
  protects: 'The steps of a route stand in the order in which they are done.',
  rulesOut:
    'A service that lists a deposit before the swap that feeds it, or a bridge after the swap on the other chain: some step takes what only another one yields.',
  api: 'zap',
  operations: ROUTED,
  answer: 'success',
  leastEvidence: 1,
  judge: (view) => {
    const order = view.get(ORDER);
    if (order === null) return null;
    if (order.misplaced === undefined) return [];
    const { entry, feeder } = order.misplaced;
    const expected = `after /data/path/${feeder}, the step that yields the ${entry.key ?? ''} that this one takes`;
    return [
      { pointer: pointerTo(entry), expected, actual: `at /data/path/${entry.step}, before it` },
    ];
  },
});
