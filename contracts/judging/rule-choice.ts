/** Which rules a run judges by, and how bad it is when one is broken: what a user may choose of both. */

import type { Level, Rule } from './rule.ts';

/** All levels that a rule may be given. */
export const LEVELS: readonly Level[] = ['must', 'should', 'observe'];

/** The level from which a broken rule fails a run. */
export type FailOn = 'must' | 'should';

/** What a user chose; plain data. Words are those that {@link isMeant} reads. */
export interface RuleChoice {
  /** Rules that one of these words means are judged, and no others; all of them if it is empty. */
  readonly only: readonly string[];
  /** Rules that one of these words means are left out. */
  readonly skip: readonly string[];
  /** Levels in place of the stated ones, by word; of several that mean a rule the last one holds. */
  readonly levels: readonly { readonly rules: string; readonly level: Level }[];
  readonly failOn: FailOn;
}

/** The choice of who chooses nothing. */
export const EVERY_RULE: RuleChoice = { only: [], skip: [], levels: [], failOn: 'must' };

/** The rules of a run, by a choice. */
export interface ChosenRules {
  readonly rules: readonly Rule[];
  /** Rules that the choice leaves out, by their stated level. */
  readonly leftOut: Readonly<Record<Level, number>>;
}

/** Applies a choice to the rules of a run, which stay in their order. */
export function choose(rules: readonly Rule[], choice: RuleChoice): ChosenRules {
  const leftOut: Record<Level, number> = { must: 0, should: 0, observe: 0 };
  const chosen: Rule[] = [];
  for (const rule of rules) {
    const isAsked = choice.only.length === 0 || choice.only.some((word) => isMeant(rule, word));
    if (!isAsked || choice.skip.some((word) => isLeftOutBy(rule, word))) leftOut[rule.level] += 1;
    else chosen.push(withLevel(rule, choice));
  }
  return { rules: chosen, leftOut };
}

function withLevel(rule: Rule, { levels }: RuleChoice): Rule {
  const level = levels.findLast(({ rules }) => isMeant(rule, rules))?.level ?? rule.level;
  return level === rule.level ? rule : { ...rule, level, statedLevel: rule.level };
}

/** Words of a choice that mean none of the rules, each once. */
export function wordsWithoutRule(rules: readonly Rule[], choice: RuleChoice): string[] {
  const { only, skip, levels } = choice;
  const words = new Set([...only, ...skip, ...levels.map((one) => one.rules)]);
  return [...words].filter((word) => !rules.some((rule) => isMeant(rule, word)));
}

/**
 * Whether a word means a rule: its id, a glob over ids (`*` stands for any characters), a section of
 * the document that its source names (`5` or `§5.3`), an operation that it speaks of by name
 * (`zap.quote`), or its API (`zap`).
 */
export function isMeant({ id, source, operations, api }: Rule, word: string): boolean {
  if (word === id || word === api) return true;
  const section = /^\u00a7?(\d+(?:\.\d+)*)$/.exec(word)?.[1];
  if (section !== undefined) {
    const sections = source.match(/\u00a7[\d.]*\d/g) ?? [];
    return sections.some((one) => one === `§${section}` || one.startsWith(`§${section}.`));
  }
  if (word.includes('*')) return matchesGlob(id, word);
  return operations !== '*' && operations.includes(word);
}

/** A rule on several operations is not left out for one of them. */
function isLeftOutBy(rule: Rule, word: string): boolean {
  if (!isMeant(rule, word)) return false;
  const isByOperation = rule.operations !== '*' && rule.operations.includes(word);
  return !isByOperation || rule.id === word || rule.operations.length === 1;
}

/** Whether a text is what a glob stands for; takes time in proportion to both. */
function matchesGlob(text: string, glob: string): boolean {
  const [first = '', ...others] = glob.split('*');
  const last = others.pop() ?? '';
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  const end = text.length - last.length;
  for (const part of others) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= end;
}
