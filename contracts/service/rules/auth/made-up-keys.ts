import type { Broken, Collected, GroupJudgement, Rule, Witness } from '../../../judging/rule.ts';
import { runRule } from '../../../judging/rule.ts';
import type { View } from '../../../judging/view.ts';
import { errorCodeOf } from '../../wire/error-body.ts';

/** The kind of relation that the driver marks the exchanges with; the role is a {@link MadeUpKey}. */
export const MADE_UP_KEY = 'made-up-key';

/**
 * What a request is sent with: `none`, or a key that nobody issued. `plain`, `hex`, `uuid` and `short`
 * are made up altogether; `extended`, `shortened` and `other-case` are keys that are known, with
 * characters after them, without their last ones, and with the letter case of all letters changed.
 */
export const MADE_UP_KEYS = [
  'none',
  'plain',
  'hex',
  'uuid',
  'short',
  'extended',
  'shortened',
  'other-case',
] as const;
export type MadeUpKey = (typeof MADE_UP_KEYS)[number];

/** What each is in words. */
const WORDS: Readonly<Record<MadeUpKey, string>> = {
  none: 'no key',
  plain: 'a key made up of words',
  hex: 'a key of hex digits',
  uuid: 'a UUID',
  short: 'a key of a few characters',
  extended: 'a valid key with characters after it',
  shortened: 'a valid key without its last characters',
  'other-case': 'a valid key in the other letter case',
};

/** Each of two answers comes at least this often before they count as different. */
const MIN_KEY_ANSWERS = 2;

export interface KeyTry {
  readonly key: MadeUpKey;
  readonly kind: 'served' | 'refused' | 'other';
  readonly said: string;
}

/** What the answer to a marked request says; null for others. */
export function keyTryOf(view: View): KeyTry | null {
  const place = view.exchange.relations.find(({ kind }) => kind === MADE_UP_KEY);
  const key = MADE_UP_KEYS.find((one) => one === place?.role);
  if (key === undefined || view.throttled || view.status === 0 || view.status >= 500) return null;
  const said = `${view.status} ${errorCodeOf(view.json) ?? ''}`.trim();
  if (view.succeeded) return { key, kind: 'served', said };
  return { key, kind: view.status === 401 || view.status === 403 ? 'refused' : 'other', said };
}

/** The answers to one made-up key, all of one kind. */
interface Steady {
  readonly key: MadeUpKey;
  readonly kind: KeyTry['kind'];
  readonly said: string;
  readonly witnesses: readonly Witness[];
}

function steadyOnes(tries: readonly Collected<KeyTry>[]): Steady[] {
  return MADE_UP_KEYS.flatMap((key): Steady[] => {
    const own = tries.filter(({ fact }) => fact.key === key);
    const [first] = own;
    if (first === undefined || own.some(({ fact }) => fact.kind !== first.fact.kind)) return [];
    const { kind, said } = first.fact;
    return [{ key, kind, said, witnesses: own.map(({ witness }) => witness) }];
  });
}

// Section 7: UNAUTHORIZED is the answer to an invalid credential; RFC 6750 section 3.1: to a token that
// is malformed or invalid for other reasons. A service may take a key that it does not know for none,
// since none is needed. One that refuses some such keys distinguishes keys, and then takes no others.
function judgeKeys(tries: readonly Collected<KeyTry>[]): GroupJudgement[] {
  const steady = steadyOnes(tries);
  if (steady.find(({ key }) => key === 'none')?.kind !== 'served') return [];
  const made = steady.filter(({ key }) => key !== 'none');
  const refused = made.filter(({ kind }) => kind === 'refused');
  const served = made.filter(({ kind }) => kind === 'served');
  if (refused.length === 0 || served.length === 0) {
    // One form alone shows nothing of the others.
    const witnesses = made.flatMap((one) => one.witnesses);
    return refused.length + served.length < 2 ? [] : [{ witnesses, judgement: [] }];
  }
  const often = ({ witnesses }: Steady): boolean => witnesses.length >= MIN_KEY_ANSWERS;
  const control = refused.find(often);
  if (control === undefined) return [];
  const certain = served.filter(often);
  if (certain.length === 0) return [];
  const judgement = certain.map(({ key, said }): Broken => ({
    pointer: '',
    expected: `a refusal of ${WORDS[key]}, as of ${WORDS[control.key]} (${control.said})`,
    actual: `served, ${said}`,
  }));
  const witnesses = [...certain, control].flatMap((one) => one.witnesses);
  return [{ witnesses, judgement }];
}

/** The rule that a service that refuses keys which nobody issued refuses all of them. */
export const madeUpKeysRule: Rule = runRule<KeyTry>({
  id: 'trade.auth.made-up-keys-alike',
  once: true,
  level: 'should',
  source: 'implied by §7, RFC 6750 section 3.1',
  protects: 'If an unknown key is refused, every key that was never issued is.',
  rulesOut:
    'A service that compares the beginning of a key alone, or its form: it refuses one made-up key, and takes another, or a valid one cut short or extended.',
  api: 'trade',
  operations: ['trade.build-tx'],
  answer: 'answered',
  relation: MADE_UP_KEY,
  leastEvidence: 1,
  collect: keyTryOf,
  conclude: judgeKeys,
});
