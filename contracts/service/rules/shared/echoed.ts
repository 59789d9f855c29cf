import type { Collected, GroupJudgement, Rule } from '../../../judging/rule.ts';
import { runRule } from '../../../judging/rule.ts';
import type { View } from '../../../judging/view.ts';

/** A value of a request, and what the answer says of it. */
export interface Echo {
  readonly asked: string | number | boolean;
  readonly answered: string | number | boolean;
  /** The answer's value as it stands in the body. */
  readonly raw: string;
}

/**
 * The rule that an answer says what the request said. One that says the same always is right by chance
 * where only that was asked for. So answers are evidence once two different values were asked for.
 *
 * @param echoIn null if one of the two cannot be read
 */
export function echoRule(
  row: Omit<Rule, 'scope' | 'leastEvidence' | 'judge' | 'collect' | 'conclude'>,
  { pointer, expected }: { pointer: string; expected: (asked: Echo['asked']) => string },
  echoIn: (view: View) => Echo | null,
): Rule {
  return runRule<Echo>({
    ...row,
    leastEvidence: 2,
    collect: echoIn,
    conclude: (facts: readonly Collected<Echo>[]): GroupJudgement[] => {
      const isEvidence = new Set(facts.map(({ fact }) => fact.asked)).size > 1;
      return facts.map(({ fact: { asked, answered, raw }, witness }) => {
        const held = isEvidence ? [] : null;
        const broken = [{ pointer, expected: expected(asked), actual: raw }];
        return { witnesses: [witness], judgement: asked === answered ? held : broken };
      });
    },
  });
}
