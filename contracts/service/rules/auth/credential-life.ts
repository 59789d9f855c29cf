/** Long because its rules judge the life of one credential by the same facts. */

import type { Collected, GroupJudgement, Rule, RuleNeeds } from '../../../judging/rule.ts';
import { exchangeRule, runRule } from '../../../judging/rule.ts';
import type { View } from '../../../judging/view.ts';
import { errorCodeOf } from '../../wire/error-body.ts';
import { credentialIn } from '../docs/agent-auth-fields.ts';
import { AGENT_AUTH_OPERATIONS } from '../shared/operations.ts';

/** The kind of relation that the driver marks the exchanges with; a group is the life of one key. */
export const CREDENTIAL_LIFE = 'credential-life';

/**
 * What a request is in the life of a key. At an agent-auth endpoint: `register`, `claim`,
 * `claim-again` (claimed before), `claim-unknown` (nothing that was given out), `revoke`,
 * `revoke-again` (revoked before). At the trade API: `use` of a claimed key, `use-beside` after
 * another one was revoked, `use-revoked` after it was revoked itself, `use-unknown` of a key that
 * nobody issued, `use-none` without one.
 */
export type CredentialRole =
  | 'register'
  | 'claim'
  | 'claim-again'
  | 'claim-unknown'
  | 'revoke'
  | 'revoke-again'
  | 'use'
  | 'use-beside'
  | 'use-revoked'
  | 'use-unknown'
  | 'use-none';

const NEEDS: RuleNeeds = {
  apis: ['docs', 'trade'],
  also: 'a service of your own, on loopback or under a reserved name, at which registering for a key disturbs nobody, and approvals within seconds',
};

/** At least this many answers, over so long a time, are no matter of a change that is on its way. */
const MIN_USES = 4;
export const SETTLED_MS = 10_000;
/** At least this often in a row a mistake is answered as an error of the service before it counts. */
export const MIN_FAILURES = 3;

const MISTAKES: readonly string[] = ['claim-again', 'claim-unknown', 'revoke-again'];

/** Where a request stands in the life of a key; undefined for others. */
function placeOf(view: View): { group: string; role: string } | undefined {
  return view.exchange.relations.find(({ kind }) => kind === CREDENTIAL_LIFE);
}

/** What the trade API made of a key. */
export interface UseFact {
  readonly group: string;
  readonly role: string;
  /** `unknown`: refused as a credential (401) · `forbidden`: known, and not permitted (403). */
  readonly kind: 'served' | 'unknown' | 'forbidden' | 'other';
  readonly said: string;
  readonly sentAtMs: number;
}

/** What the answer to a marked trade request says; null for others. */
export function useFactOf(view: View): UseFact | null {
  const place = placeOf(view);
  if (place === undefined || view.throttled || view.status === 0) return null;
  const said = `${view.status} ${errorCodeOf(view.json) ?? ''}`.trim();
  const { sentAtMs } = view.exchange;
  return { group: place.group, role: place.role, kind: useKind(view), said, sentAtMs };
}

function useKind({ succeeded, status }: View): UseFact['kind'] {
  if (succeeded) return 'served';
  if (status === 401) return 'unknown';
  return status === 403 ? 'forbidden' : 'other';
}

/** Whether the last uses are all of these kinds, for so long that nothing is on its way any more. */
export function isSettled(uses: readonly UseFact[], kinds: readonly UseFact['kind'][]): boolean {
  const last = uses.slice(-MIN_USES);
  const [first, end] = [last[0], last.at(-1)];
  if (first === undefined || end === undefined || last.length < MIN_USES) return false;
  return (
    last.every(({ kind }) => kinds.includes(kind)) && end.sentAtMs - first.sentAtMs >= SETTLED_MS
  );
}

type Uses = readonly Collected<UseFact>[];
const factsOf = (uses: Uses): UseFact[] => uses.map(({ fact }) => fact);

function inRole(uses: Uses, role: CredentialRole): Uses {
  return uses.filter(({ fact }) => fact.role === role);
}

/** Each group's uses in a role. */
function groupsIn(uses: Uses, role: CredentialRole): Uses[] {
  const groups = new Map<string, Collected<UseFact>[]>();
  for (const one of inRole(uses, role)) {
    const known = groups.get(one.fact.group);
    if (known === undefined) groups.set(one.fact.group, [one]);
    else known.push(one);
  }
  return [...groups.values()];
}

function judgement(uses: Uses, expected?: string): GroupJudgement {
  const [last] = uses.slice(-1);
  const witnesses = uses.slice(-MIN_USES).map(({ witness }) => witness);
  if (expected === undefined || last === undefined) return { witnesses, judgement: [] };
  const actual = `${last.fact.said} ${uses.length} times`;
  return { witnesses, judgement: [{ pointer: '', expected, actual }] };
}

/** Whether builds are served without a key, so that a refusal is for the key. */
function servedWithout(uses: Uses): boolean {
  const last = inRole(uses, 'use-none').at(-1);
  return last?.fact.kind === 'served';
}

/** What was made of a key that nobody issued. */
function kindOfUnknown(uses: Uses): UseFact['kind'] | undefined {
  return inRole(uses, 'use-unknown').at(-1)?.fact.kind;
}

/** Whether an answer to a key is another than to one that nobody issued, so that it shows something of the key. */
function isEvidence(kind: UseFact['kind'], unknown: UseFact['kind'] | undefined): boolean {
  return (unknown === 'unknown' || unknown === 'forbidden') && kind !== unknown;
}

// Sections 5.2 and 5.7: what is claimed is what the trade API takes. 403 says that it is known and
// not permitted, which the type of a credential may decide.
function judgeClaimed(uses: Uses): GroupJudgement[] {
  const unknown = kindOfUnknown(uses);
  return groupsIn(uses, 'use').flatMap((own): GroupJudgement[] => {
    const known = own.find(({ fact }) => fact.kind === 'served' || fact.kind === 'forbidden');
    if (known !== undefined) return isEvidence(known.fact.kind, unknown) ? [judgement(own)] : [];
    if (!isSettled(factsOf(own), ['unknown']) || !servedWithout(uses)) return [];
    return [judgement(own, 'a claimed key that the trade API knows')];
  });
}

// Section 5.8: a credential is revoked, that is the one which was given.
function judgeBeside(uses: Uses): GroupJudgement[] {
  const unknown = kindOfUnknown(uses);
  return groupsIn(uses, 'use-beside').flatMap((own): GroupJudgement[] => {
    const before = inRole(uses, 'use').filter(({ fact }) => fact.group === own[0]?.fact.group);
    if (!before.some(({ fact }) => fact.kind === 'served')) return [];
    if (own.at(-1)?.fact.kind === 'served') {
      return isEvidence('served', unknown) ? [judgement(own)] : [];
    }
    if (!isSettled(factsOf(own), ['unknown', 'forbidden']) || !servedWithout(uses)) return [];
    return [judgement(own, 'a key that still works, since another one was revoked')];
  });
}

// Section 5.8: a revoked key is none any more. If unknown keys are served as none at all, it does
// not show. That some seconds pass until all know of it is usual (RFC 7009 section 2).
function judgeRevoked(uses: Uses): GroupJudgement[] {
  if (!['unknown', 'forbidden'].includes(kindOfUnknown(uses) ?? '')) return [];
  return groupsIn(uses, 'use-revoked').flatMap((own): GroupJudgement[] => {
    if (['unknown', 'forbidden'].includes(own.at(-1)?.fact.kind ?? '')) return [judgement(own)];
    if (!isSettled(factsOf(own), ['served'])) return [];
    return [judgement(own, 'a refusal of the revoked key, as of one that nobody issued')];
  });
}

function tradeRule(
  row: Pick<Rule, 'id' | 'level' | 'source' | 'protects' | 'rulesOut'>,
  conclude: (uses: Uses) => GroupJudgement[],
): Rule {
  return runRule<UseFact>({
    ...row,
    api: 'trade',
    operations: ['trade.build-tx'],
    answer: 'answered',
    relation: CREDENTIAL_LIFE,
    needs: NEEDS,
    leastEvidence: 1,
    collect: useFactOf,
    conclude,
  });
}

interface Mistake {
  readonly group: string;
  readonly failed: boolean;
  readonly said: string;
}

function mistakeOf(view: View): Mistake | null {
  const place = placeOf(view);
  if (place === undefined || !MISTAKES.includes(place.role)) return null;
  const said = `${view.status} ${errorCodeOf(view.json) ?? ''}`.trim();
  return { group: `${place.group} ${place.role}`, failed: view.status >= 500, said };
}

// RFC 9110 section 15.6: 5xx says that the server erred. Claiming or revoking what is not there, or
// not there any more, is a mistake of the client, or none (RFC 7009 section 2.2).
function judgeMistakes(mistakes: readonly Collected<Mistake>[]): GroupJudgement[] {
  const groups = [...new Set(mistakes.map(({ fact }) => fact.group))];
  return groups.flatMap((group): GroupJudgement[] => {
    const own = mistakes.filter(({ fact }) => fact.group === group);
    const [last] = own.slice(-1);
    const witnesses = own.map(({ witness }) => witness);
    if (!last?.fact.failed) return [{ witnesses, judgement: [] }];
    if (own.length < MIN_FAILURES || !own.every(({ fact }) => fact.failed)) return [];
    const expected = 'an answer to what is no error of the service, and not 5xx';
    return [{ witnesses, judgement: [{ pointer: '', expected, actual: last.fact.said }] }];
  });
}

/** Rules on the life of a credential (sections 5.6 to 5.8). */
export const credentialLifeRules: readonly Rule[] = [
  tradeRule(
    {
      id: 'trade.auth.claimed-key-is-known',
      level: 'must',
      source: 'implied by §5.2, §5.7 (no service)',
      protects: 'A key that was claimed is one that the trade API knows.',
      rulesOut:
        'A service whose trade API has another list of keys than its claims: a key that was claimed is served, or known and forbidden, while a made-up one is refused.',
    },
    judgeClaimed,
  ),
  tradeRule(
    {
      id: 'trade.auth.revocation-leaves-others',
      level: 'must',
      source: 'implied by §5.8 (no service)',
      protects: 'Revoking a key ends that one, and leaves others in use.',
      rulesOut:
        'A service that revokes by owner, or the key used last: the other key is served afterwards, while a made-up one is refused.',
    },
    judgeBeside,
  ),
  tradeRule(
    {
      id: 'trade.auth.revoked-key-is-refused',
      level: 'should',
      source: 'implied by §5.8',
      protects: 'A key that was revoked, for being stolen perhaps, is of no use any more.',
      rulesOut:
        'A service that takes note of a revocation and goes on serving the key, while a made-up one is refused.',
    },
    judgeRevoked,
  ),
  exchangeRule({
    id: 'docs.claim.unknown-gives-nothing',
    level: 'should',
    source: 'implied by §5.7',
    protects: 'Who has registered nothing claims no credential.',
    rulesOut: 'A service that gives a new key, or the last one, for whatever it is asked to claim.',
    api: 'docs',
    operations: '*',
    answer: 'answered',
    relation: CREDENTIAL_LIFE,
    needs: NEEDS,
    leastEvidence: 1,
    judge: (view) => {
      if (placeOf(view)?.role !== 'claim-unknown') return null;
      if (!view.succeeded || credentialIn(view.json) === undefined) return [];
      return [{ pointer: '', expected: 'no credential', actual: 'one, for a claim of nothing' }];
    },
  }),
  runRule<Mistake>({
    id: 'docs.agent-auth.mistakes-are-no-server-errors',
    level: 'should',
    source: 'implied by §5.7, §5.8, RFC 9110 section 15.6',
    protects: 'Claiming or revoking once too often does not make the service fail.',
    rulesOut:
      'A service that fails over what it cannot find: a claim or revocation is sent twice, and one of what never was.',
    api: 'docs',
    operations: AGENT_AUTH_OPERATIONS,
    answer: 'answered',
    relation: CREDENTIAL_LIFE,
    needs: NEEDS,
    leastEvidence: 1,
    collect: mistakeOf,
    conclude: judgeMistakes,
  }),
];
