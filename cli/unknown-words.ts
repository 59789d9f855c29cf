import type { RuleChoice } from '../contracts/judging/rule-choice.ts';
import { choose, wordsWithoutRule } from '../contracts/judging/rule-choice.ts';
import type { Rule } from '../contracts/judging/rule.ts';
import type { Service } from '../contracts/service-type.ts';
import type { Waiver } from '../contracts/judging/verdict.ts';
import { UsageError } from './exit-code.ts';
import { didYouMean } from './near.ts';
import { SERVICE } from './service.ts';

/**
 * A word that chooses rules and means none is a mistake, by which more or less would be
 * judged than somebody wants.
 *
 * @throws UsageError when there is one, or no rule is left
 */
export function refuseUnknownWords(
  judged: readonly Rule[],
  choice: RuleChoice,
  service: Pick<Service, 'rules'> = SERVICE,
): void {
  const rules = withOtherRules(judged, service);
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

/**
 * A waiver of no rule waives nothing, and somebody believes that it does: a mistake, or a rule
 * that has another name now. It names one rule by its id, so that it never covers what is broken later.
 *
 * @param operations ids of those of the contract
 * @throws UsageError when there is one, or one of no operation
 */
export function refuseUnknownWaivers(
  judged: readonly Rule[],
  waivers: readonly Waiver[],
  operations: readonly string[],
  service: Pick<Service, 'rules'> = SERVICE,
): void {
  const known = withOtherRules(judged, service).map(({ id }) => id);
  for (const { operation, rule, owner } of waivers) {
    if (operation === undefined || operations.includes(operation)) continue;
    throw new UsageError(
      `The waiver of "${rule}" (owner ${owner}) waives nothing: the contract has no operation "${operation}".${didYouMean(operation, operations)}`,
    );
  }
  const unknown = waivers.find(({ rule }) => !known.includes(rule));
  if (unknown === undefined) return;
  const { rule, owner } = unknown;
  throw new UsageError(
    `The waiver of "${rule}" (owner ${owner}) waives nothing: no rule has this id.${didYouMean(rule, known)} "assay rules" lists all.`,
  );
}

/** One configuration may serve all commands, and only some of them judge rate limits or load. */
function withOtherRules(
  rules: readonly Rule[],
  { rules: { onlyLimits, onlyLoad } }: Pick<Service, 'rules'>,
): Rule[] {
  return [...rules, ...onlyLimits, ...onlyLoad];
}
