import { createHash } from 'node:crypto';
import type { ExchangeRule, RunRule } from '../../contracts/judging/rule.ts';

/** Names that are known at the most, some 5 MB: later ones are compared with these, and no more are kept. */
const MAX_NAMES = 50_000;

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
      const of = digestOf(named.of);
      const key = named.key === '' ? '' : digestOf(named.key);
      const before = known.get(name);
      if (before !== undefined) {
        // One thing has one name, and so may all that is asked for by one Idempotency-Key.
        const isSame = before.startsWith(of) || (key !== '' && before.slice(OF_ONE) === key);
        if (isSame) return null;
        return [{ pointer: '', expected: 'a name of this alone', actual: named.name }];
      }
      if (known.size >= mostNames) return null;
      known.set(name, flat(of + key));
      return [];
    },
  };
}

/** 96 bits, in so few characters that V8 copies them, and holds nothing of the longer text. */
const OF_ONE = 12;

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest().toString('latin1', 0, OF_ONE);
}

/** Without the parts that it was put together from, which V8 would keep. */
function flat(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1');
}
