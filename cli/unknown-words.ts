import type { RuleChoice } from '../contracts/rule-choice.ts';
import { choose, wordsWithoutRule } from '../contracts/rule-choice.ts';
import type { Rule } from '../contracts/rule.ts';
import { UsageError } from './exit-code.ts';
import { didYouMean } from './near.ts';

/**
 * A word that chooses rules and means none is a slip of the hand, by which more or less would be
 * judged than somebody wants.
 *
 * @throws UsageError when there is one, or no rule is left
 */
export function refuseUnknownWords(rules: readonly Rule[], choice: RuleChoice): void {
  const [word] = wordsWithoutRule(rules, choice);
  if (word !== undefined) {
    const operations = rules.flatMap((rule) => (rule.operations === '*' ? [] : rule.operations));
    const known = [...rules.map(({ id }) => id), ...new Set(operations)];
    throw new UsageError(
      `"${word}" chooses no rule: it is no id, glob, section, operation or API.${didYouMean(word, known)} "assay rules" lists all.`,
    );
  }
  if (choose(rules, choice).rules.length === 0) {
    throw new UsageError('--only and --skip leave no rule to judge by.');
  }
}
