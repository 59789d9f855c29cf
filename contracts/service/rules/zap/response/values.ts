import { listOf, member } from '../../../../wire/json.ts';
import type { Broken, Rule } from '../../../../judging/rule.ts';
import { exchangeRule } from '../../../../judging/rule.ts';
import type { View } from '../../../../judging/view.ts';
import { wholeBytes } from '../../../../rules/whole-bytes.ts';
import { pointerTo } from '../../readings/zap-entry.ts';
import { ROUTED, routeOf } from '../../readings/zap-route.ts';

const base = { level: 'should', api: 'zap', answer: 'success', leastEvidence: 1 } as const;

// Section 2.2: estimatedDuration is how long the step takes; its unit is open, its sign is not.
function negativeDurations(view: View): readonly Broken[] | null {
  const broken: Broken[] = [];
  let judged = false;
  for (const [index, step] of listOf(member(member(view.json, 'data'), 'path')).entries()) {
    const duration = member(step, 'estimatedDuration');
    if (typeof duration !== 'number') continue;
    judged = true;
    if (duration >= 0) continue;
    const pointer = `/data/path/${index}/estimatedDuration`;
    broken.push({ pointer, expected: 'a duration, 0 or more', actual: view.raw(pointer) });
  }
  return judged ? broken : null;
}

// Section 2.2: minReturn is a member of output and dust entries. Of nothing nothing is left to be
// guaranteed. If a service guarantees no output either, that is what is reported.
function unreportedDust(view: View): readonly Broken[] | null {
  const route = routeOf(view);
  if (route?.guaranteed.some(({ list }) => list === 'output') !== true) return null;
  const dust = route.entries.filter(
    ({ list, amountText }) => list === 'dust' && amountText !== undefined && amountText !== '0',
  );
  if (dust.length === 0) return null;
  const expected = 'a minReturn, which output and dust entries carry';
  return dust
    .filter(({ json }) => json.minReturn === undefined)
    .map((entry) => ({ pointer: pointerTo(entry, 'minReturn'), expected, actual: 'absent' }));
}

// Section 2.2 calls the steps execute steps, and observed no other action. Beside it there may be others,
// such as approve, but a client that executes what is to be executed finds something.
function noneExecutes(view: View): readonly Broken[] | null {
  const steps = listOf(member(member(view.json, 'data'), 'steps'));
  const actions = steps.map((step) => member(step, 'action'));
  if (actions.length === 0 || !actions.every((action) => typeof action === 'string')) return null;
  if (actions.includes('execute')) return [];
  const pointer = '/data/steps/0/action';
  return [{ pointer, expected: 'execute, of one of the steps', actual: view.raw(pointer) }];
}

export const zapValueRules: readonly Rule[] = [
  exchangeRule({
    ...base,
    id: 'zap.steps.one-executes',
    source: 'implied by §2.2',
    protects: 'A build says of at least one of its steps that it is to be executed.',
    rulesOut: 'A service with names of its own for what is to be done: a build has steps.',
    operations: ['zap.build-tx'],
    judge: noneExecutes,
  }),
  exchangeRule({
    ...base,
    id: 'zap.path.durations-not-negative',
    source: 'implied by §2.2',
    protects: 'A client can add up how long the steps of a route take.',
    rulesOut: 'A service that says -1 if it knows no duration: the steps have durations.',
    operations: ROUTED,
    judge: negativeDurations,
  }),
  exchangeRule({
    ...base,
    id: 'zap.path.dust-guaranteed',
    source: 'implied by §2.2',
    protects: 'What a route leaves over has a guaranteed minimum, as what it yields has.',
    rulesOut: 'A service that guarantees outputs alone: some step leaves something over.',
    operations: ROUTED,
    judge: unreportedDust,
  }),
  wholeBytes('zap.build-tx', 'implied by §2.2', (view) =>
    listOf(member(member(view.json, 'data'), 'steps')).map(
      (step, index) =>
        [`/data/steps/${index}/data/txnId`, member(member(step, 'data'), 'txnId')] as const,
    ),
  ),
];
