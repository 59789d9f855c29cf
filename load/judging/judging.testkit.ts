import { exchangeOf } from '../../contracts/judging/exchange.testkit.ts';
import { exchangeRule, type Rule } from '../../contracts/judging/rule.ts';
import type { Exchange, Relation } from '../../contracts/wire/exchange.ts';

/** A rule that is broken by answers that name it under `breaks`, and speaks of those with `of` alone. */
export function namedRule(name: string): Rule {
  return exchangeRule({
    ...{ id: `zap.${name}`, level: 'must', source: 'card', protects: 'Nothing.', api: 'zap' },
    ...{ operations: '*', answer: 'success', leastEvidence: 1 },
    judge: ({ json }) => {
      const { of: names = [name], breaks = [] } = json as { of?: string[]; breaks?: string[] };
      if (!names.includes(name)) return null;
      return breaks.includes(name) ? [{ pointer: '', expected: 'a', actual: 'b' }] : [];
    },
  });
}

/** The answer to the n-th request of a run at 100 a second. */
export function answerAt(
  number: number,
  answered: object = {},
  relations: readonly Relation[] = [],
): Exchange {
  const id = `x${String(number).padStart(6, '0')}`;
  return { ...exchangeOf({ id, answered }), relations, sentAtMs: number * 10 };
}
