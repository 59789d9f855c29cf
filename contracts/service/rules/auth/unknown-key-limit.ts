import type { Collected, GroupJudgement, Rule } from '../../../judging/rule.ts';
import { runRule } from '../../../judging/rule.ts';
import type { View } from '../../../judging/view.ts';
import { readRateLimitHeaders } from '../../../wire/rate-limit-headers.ts';
import { UNKNOWN_KEY } from './unknown-key.ts';

/** A limit that an answer announces. */
interface Announced {
  readonly family: string;
  readonly windowSeconds: number | undefined;
  readonly limit: number;
}

interface Try {
  readonly group: string;
  readonly role: string;
  readonly kind: 'served' | 'refused';
  readonly announced: Announced | undefined;
}

function tried(view: View): Try | null {
  const place = view.exchange.relations.find(({ kind }) => kind === UNKNOWN_KEY);
  if (place === undefined) return null;
  const { group, role } = place;
  if (view.succeeded) return { group, role, kind: 'served', announced: announcedIn(view) };
  if (view.status !== 401 && view.status !== 403) return null;
  return { group, role, kind: 'refused', announced: undefined };
}

/** The one limit that the header fields state; undefined if they state none, or several. */
function announcedIn(view: View): Announced | undefined {
  const { readings } = readRateLimitHeaders(view.responseHeaders);
  const reported = readings.flatMap(({ family, policies }) =>
    policies.map(({ limit, windowSeconds }): Announced => ({ family, limit, windowSeconds })),
  );
  const [first] = reported;
  const isOne = reported.every(
    ({ limit, windowSeconds }) =>
      limit === first?.limit && (windowSeconds ?? first.windowSeconds) === first.windowSeconds,
  );
  return isOne ? first : undefined;
}

// Sections 5.2 and 8: the limit is higher when an API key is used. What nobody issued is none.
function judgeLimits(tries: readonly Collected<Try>[]): GroupJudgement[] {
  return tries.flatMap(({ fact: b, witness }): GroupJudgement[] => {
    if (b.role !== 'B') return [];
    const others = tries.filter(({ fact }) => fact.group === b.group && fact.role !== 'B');
    if (others.length < 2 || others.some(({ fact }) => fact.kind !== 'served')) return [];
    const witnesses = [witness, ...others.map((one) => one.witness)];
    // What is refused has no limit at all.
    if (b.kind === 'refused') return [{ witnesses, judgement: [] }];
    const { announced: withKey } = b;
    if (withKey === undefined) return [];
    const limits = others.map(({ fact }) => fact.announced);
    const [without] = limits;
    const isSteady = limits.every(
      (one) => one !== undefined && one.limit === without?.limit && isAlike(one, withKey),
    );
    if (without === undefined || !isSteady) return [];
    if (withKey.limit <= without.limit) return [{ witnesses, judgement: [] }];
    const expected = `the limit without a key, ${without.limit}, for a key that nobody issued`;
    const actual = `a limit of ${withKey.limit} in the header fields`;
    return [{ witnesses, judgement: [{ pointer: '', expected, actual }] }];
  });
}

function isAlike(one: Announced, other: Announced): boolean {
  return one.family === other.family && one.windowSeconds === other.windowSeconds;
}

export const unknownKeyLimitRule: Rule = runRule<Try>({
  id: 'trade.auth.unknown-key-raises-no-limit',
  level: 'should',
  source: 'implied by §5.2, §8',
  protects: 'The higher limit is for keys that were issued.',
  rulesOut:
    'A service that takes any bearer for a key: its answer announces the limit of keys, higher than before and after without a key.',
  api: 'trade',
  operations: ['trade.build-tx'],
  answer: 'answered',
  relation: UNKNOWN_KEY,
  leastEvidence: 1,
  collect: tried,
  conclude: judgeLimits,
});
