import { BrokenList } from '../../../../rules/broken-list.ts';
import type { Judgement, Rule } from '../../../../judging/rule.ts';
import { exchangeRule } from '../../../../judging/rule.ts';
import type { View } from '../../../../judging/view.ts';
import { listOf, member } from '../../../../wire/json.ts';
import { judgeTarget } from '../../shared/call-target.ts';

function judge(view: View): Judgement {
  const broken = new BrokenList();
  let isStated = false;
  for (const [index, step] of listOf(member(member(view.json, 'data'), 'steps')).entries()) {
    const found = judgeTarget(
      member(member(step, 'data'), 'callTo'),
      `/data/steps/${index}/data/callTo`,
    );
    if (found === null) continue;
    isStated = true;
    for (const one of found) broken.add(() => one);
  }
  return isStated ? broken.all() : null;
}

export const callTargetRule: Rule = exchangeRule({
  id: 'zap.steps.call-a-contract',
  level: 'must',
  source: 'implied by §2.2 (loses money)',
  protects: 'No step sends its call, and its value, to the zero address.',
  rulesOut: 'A service that leaves what is called at zero.',
  api: 'zap',
  operations: ['zap.build-tx'],
  answer: 'success',
  leastEvidence: 1,
  judge,
});
