import type { Collected, GroupJudgement, Rule } from '../../../judging/rule.ts';
import { runRule } from '../../../judging/rule.ts';
import type { View } from '../../../judging/view.ts';
import { errorCodeOf } from '../../wire/error-body.ts';

/** The kind of relation that the driver marks the exchanges with; roles are A, B and A2. */
export const UNKNOWN_KEY = 'unknown-key';
const UNAUTHORIZED = 'UNAUTHORIZED';

interface Try {
  readonly group: string;
  readonly role: string;
  /** `served` or the status and code of the refusal. */
  readonly said: string;
  readonly reportedWhy: boolean;
}

function tried(view: View): Try | null {
  const place = view.exchange.relations.find(({ kind }) => kind === UNKNOWN_KEY);
  if (place === undefined) return null;
  const { group, role } = place;
  if (view.succeeded) return { group, role, said: 'served', reportedWhy: false };
  // An outage says nothing of the key.
  if (view.status >= 500) return null;
  const code = errorCodeOf(view.json);
  const said = `${view.status} ${code ?? 'without a code'}`;
  return { group, role, said, reportedWhy: code === UNAUTHORIZED || view.status === 401 };
}

// Section 7: UNAUTHORIZED is the code of an invalid credential. Whether a key that nobody issued is
// refused at all, if none is needed, is not stated. That the request is refused for no other
// reason is reported by the same request without it, before and after.
function judgeTries(tries: readonly Collected<Try>[]): GroupJudgement[] {
  const withKey = tries.filter(({ fact }) => fact.role === 'B');
  return withKey.flatMap((b): GroupJudgement[] => {
    const others = tries.filter(({ fact }) => fact.group === b.fact.group && fact.role !== 'B');
    if (others.length < 2 || others.some(({ fact }) => fact.said !== 'served')) return [];
    if (b.fact.said === 'served') return [];
    const witnesses = [b, ...others].map(({ witness }) => witness);
    if (b.fact.reportedWhy) return [{ witnesses, judgement: [] }];
    const expected = `401 ${UNAUTHORIZED}, since the request is served without a key`;
    return [{ witnesses, judgement: [{ pointer: '', expected, actual: b.fact.said }] }];
  });
}

export const unknownKeyRule: Rule = runRule<Try>({
  id: 'trade.auth.unknown-key',
  level: 'should',
  source: 'implied by §7',
  protects: 'A key that nobody issued, if it is refused, is refused as such.',
  rulesOut:
    'A service that answers an unknown key with 400 or 403 and a code of its own: the same request is served without the key, before and after.',
  api: 'trade',
  operations: ['trade.build-tx'],
  answer: 'answered',
  relation: UNKNOWN_KEY,
  leastEvidence: 1,
  collect: tried,
  conclude: judgeTries,
});
