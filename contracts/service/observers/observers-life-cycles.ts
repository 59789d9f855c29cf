import type { Observer } from '../../judging/ledger.ts';
import { answerOf, pathOf } from './observers-http.ts';
import { IDEMPOTENCY } from '../rules/conventions/idempotency.ts';
import { CREDENTIAL_LIFE } from '../rules/auth/credential-life.ts';
import { TRADE_OPERATIONS } from '../rules/shared/operations.ts';
import type { View } from '../../judging/view.ts';
import { isObject } from '../../wire/json.ts';

/** The place of an exchange in a life cycle of a kind. */
function roleIn(view: View, kind: string): string | undefined {
  return view.exchange.relations.find((relation) => relation.kind === kind)?.role;
}

/** What became of a key that was used once or more often, and how a replay is marked. */
function keyUses(view: View): readonly string[] {
  const role = roleIn(view, IDEMPOTENCY)?.replace(/-\d+$/, '');
  if (role === undefined || role.startsWith('bare')) return [];
  const marks = view.responseHeaders.filter(([name]) => /idempoten|replay/i.test(name));
  const reported = marks.map(([name, value]) => `, ${name.toLowerCase()}: ${value}`).join('');
  return [`${pathOf(view)} ${role}: ${answerOf(view)}${reported}`];
}

/** What an agent-auth endpoint answered to whom, and the state that it reported. */
function credentialSteps(view: View): readonly string[] {
  const role = roleIn(view, CREDENTIAL_LIFE);
  if (role === undefined) return [];
  const state = isObject(view.json) && view.succeeded ? view.json.status : undefined;
  const reported = typeof state === 'string' ? ` ${state}` : '';
  return [`${role}: ${answerOf(view)}${reported}`];
}

function usesOf(api: 'zap' | 'trade', operations: readonly string[]): Observer {
  return {
    id: `${api}.idempotency-key.uses`,
    clause: '§1.5 what becomes of an Idempotency-Key that comes again',
    api,
    operations,
    answer: 'answered',
    observe: keyUses,
  };
}

/** Observers of what the document leaves open about life cycles (sections 1.5 and 5.6 to 5.8). */
export const LIFE_CYCLE_OBSERVERS: readonly Observer[] = [
  usesOf('zap', ['zap.quote', 'zap.build-tx']),
  usesOf('trade', TRADE_OPERATIONS),
  {
    id: 'docs.agent-auth.life',
    clause: '§5.6 to §5.8 how credentials are registered, claimed and revoked',
    api: 'docs',
    operations: '*',
    answer: 'answered',
    observe: credentialSteps,
  },
  {
    id: 'trade.key-life',
    clause: '§5.8 what becomes of keys that were claimed or revoked',
    api: 'trade',
    operations: ['trade.build-tx'],
    answer: 'answered',
    observe: credentialSteps,
  },
];
