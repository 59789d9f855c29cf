import { createHash } from 'node:crypto';
import type { ExchangeRule, Named, RunRule } from '../../contracts/judging/rule.ts';

/** Names that are known at the most: later ones are compared with these, and no more are kept. */
const MAX_NAMES = 200_000;

/**
 * A rule on names that are to be of one thing, over all answers as they come: memory holds digests alone. Of the
 * rule over a run it has the id, and says that a name was given before, not to what.
 */
export function ruleOfNames(
  rule: RunRule,
  nameOf: NonNullable<RunRule['nameOf']>,
  mostNames: number = MAX_NAMES,
): ExchangeRule {
  const known = new Map<string, string>();
  return {
    ...rule,
    scope: 'exchange',
    judge: (view) => {
      const fact = rule.collect(view);
      if (fact === null) return null;
      const named = nameOf(fact);
      const name = digestOf(named.name);
      const things = thingsOf(named);
      const before = known.get(name);
      if (before !== undefined) {
        // One thing has one name, and so may all that is asked for by one Idempotency-Key.
        if (things.some((thing) => before.includes(thing))) return null;
        return [{ pointer: '', expected: 'a name of this alone', actual: named.name }];
      }
      if (known.size >= mostNames) return null;
      known.set(name, things.join());
      return [];
    },
  };
}

function thingsOf({ of, key }: Named): string[] {
  return [`of ${digestOf(of)}`, ...(key === '' ? [] : [`key ${digestOf(key)}`])];
}

/** 96 bits. */
function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64').slice(0, 16);
}
