/** Rules that somebody wrote: what they give is looked at before it is believed. */

import type {
  Broken,
  ExchangeRule,
  GroupJudgement,
  Judgement,
  Rule,
  RunRule,
} from '../../contracts/judging/rule.ts';

/** A rule of one's own that throws if it gives what no rule gives, which is reported as its fault. */
export function guarded(rule: Rule): Rule {
  return rule.scope === 'exchange' ? guardedExchange(rule) : guardedRun(rule);
}

function guardedExchange(rule: ExchangeRule): Rule {
  const guard: Rule = {
    ...rule,
    isOwn: true,
    judge: (view) => judgementOf(rule.judge(view), 'judge'),
  };
  return written(guard, rule, ['judge']);
}

function guardedRun(rule: RunRule): Rule {
  const guard: Rule = {
    ...rule,
    isOwn: true,
    conclude: (facts) => groupsOf(rule.conclude(facts)),
  };
  return written(guard, rule, ['conclude']);
}

/** A guard reads as the function that it guards, so that a digest of the rule is one of what was written. */
function written(guard: Rule, rule: Rule, names: readonly string[]): Rule {
  const [guards, functions] = [guard, rule] as unknown as Record<string, () => unknown>[];
  for (const name of names) {
    const [mine, theirs] = [guards?.[name], functions?.[name]];
    if (mine !== undefined)
      Object.defineProperty(mine, 'toString', { value: () => String(theirs) });
  }
  return guard;
}

function judgementOf(given: unknown, name: string): Judgement {
  if (given === null || (Array.isArray(given) && given.every(isBroken))) return given;
  throw new TypeError(
    `${name} gives null, or a list of { pointer, expected, actual }, all of them texts; this gave ${shown(given)}`,
  );
}

function isBroken(one: unknown): one is Broken {
  if (typeof one !== 'object' || one === null) return false;
  const { pointer, expected, actual, times } = one as Partial<Record<keyof Broken, unknown>>;
  const areTexts = [pointer, expected, actual].every((text) => typeof text === 'string');
  return areTexts && (times === undefined || (Number.isSafeInteger(times) && Number(times) >= 1));
}

function groupsOf(given: unknown): readonly GroupJudgement[] {
  if (!Array.isArray(given)) {
    throw new TypeError(
      `conclude gives a list of { witnesses, judgement }; this gave ${shown(given)}`,
    );
  }
  for (const group of given as readonly unknown[]) {
    const { witnesses, judgement } = (group ?? {}) as Partial<
      Record<keyof GroupJudgement, unknown>
    >;
    if (!Array.isArray(witnesses) || !witnesses.every(isWitness)) {
      throw new TypeError('each group of conclude has witnesses, those that came with the facts');
    }
    if (judgement !== 'inconclusive') judgementOf(judgement, 'each judgement of conclude');
  }
  return given as readonly GroupJudgement[];
}

function isWitness(one: unknown): boolean {
  if (typeof one !== 'object' || one === null) return false;
  return typeof (one as { readonly id?: unknown }).id === 'string' && 'request' in one;
}

function shown(given: unknown): string {
  if (given instanceof Promise) return 'a promise';
  return Array.isArray(given) ? 'a list of something else' : typeof given;
}
