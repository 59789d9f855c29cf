import { describe, expect, test } from 'vitest';
import { exchangeOf } from '../../../judging/exchange.testkit.ts';
import { judge } from '../../../judging/judge.ts';
import { loadContract } from '../../load-contract.ts';
import { credentialIn, textsIn } from '../docs/agent-auth-fields.ts';
import type { CredentialRole } from './credential-life.ts';
import { CREDENTIAL_LIFE, credentialLifeRules, SETTLED_MS } from './credential-life.ts';

const contract = await loadContract();

interface Step {
  readonly role: CredentialRole;
  readonly status: number;
  readonly group?: string;
  readonly answered?: unknown;
  /** Milliseconds after the first. */
  readonly atMs?: number;
}

function verdict(id: string, steps: readonly Step[]): string {
  const rules = credentialLifeRules.filter((rule) => rule.id === id);
  const exchanges = steps.map(({ role, status, group = 'key-1', answered, atMs = 0 }, at) => {
    const isUse = role.startsWith('use');
    const what = role.startsWith('claim') ? 'claim' : 'revoke';
    const base = exchangeOf({
      id: `x${at}`,
      api: isUse ? 'trade' : 'docs',
      method: 'POST',
      path: isUse ? '/v1/buildTx' : `/.well-known/agent-auth/${what}`,
      status,
      answered: answered ?? { status: 'some' },
    });
    const relations = [{ kind: CREDENTIAL_LIFE, group, role }];
    return { ...base, relations, sentAtMs: atMs };
  });
  const [result] = judge(rules, contract, exchanges);
  return result?.verdict ?? 'no such rule';
}

/** Four uses in a role, the last when all is settled. */
function settled(role: CredentialRole, status: number, lastMs = SETTLED_MS): Step[] {
  return [0, 1_000, 4_000, lastMs].map((atMs) => ({ role, status, atMs }));
}

const later = (step: Step): Step => ({ ...step, atMs: (step.atMs ?? 0) + 60_000 });

const NONE: Step = { role: 'use-none', status: 200 };
const UNKNOWN: Step = { role: 'use-unknown', status: 401 };
const USED: Step = { role: 'use', status: 200 };

describe.each<[id: string, rows: readonly (readonly [string, string, readonly Step[]])[]]>([
  [
    'trade.auth.claimed-key-is-known',
    [
      ['served', 'pass', [USED, UNKNOWN]],
      ['served as any unknown key', 'not-reached', [USED, { ...UNKNOWN, status: 200 }]],
      ['served, who knows why', 'not-reached', [USED]],
      ['forbidden', 'pass', [{ role: 'use', status: 403 }, UNKNOWN]],
      [
        'forbidden as any unknown key',
        'not-reached',
        [
          { role: 'use', status: 403 },
          { ...UNKNOWN, status: 403 },
        ],
      ],
      ['unknown at first', 'pass', [{ role: 'use', status: 401 }, USED, UNKNOWN]],
      ['unknown for good', 'fail', [...settled('use', 401), NONE]],
      ['unknown for a moment', 'not-reached', [...settled('use', 401, 5_000), NONE]],
      [
        'unknown for a moment, long after the run began',
        'not-reached',
        [...settled('use', 401, 5_000).map(later), NONE],
      ],
      ['nothing is served', 'not-reached', [...settled('use', 401), { ...NONE, status: 401 }]],
    ],
  ],
  [
    'trade.auth.revocation-leaves-others',
    [
      ['still served', 'pass', [USED, UNKNOWN, { role: 'use-beside', status: 200 }]],
      ['served as any key', 'not-reached', [USED, { role: 'use-beside', status: 200 }]],
      ['refused for good', 'fail', [USED, ...settled('use-beside', 401), NONE]],
      ['forbidden for good', 'fail', [USED, ...settled('use-beside', 403), NONE]],
      ['refused for a moment', 'not-reached', [USED, ...settled('use-beside', 401, 5_000), NONE]],
      ['never served before', 'not-reached', [...settled('use-beside', 401), NONE]],
    ],
  ],
  [
    'trade.auth.revoked-key-is-refused',
    [
      ['refused', 'pass', [UNKNOWN, { role: 'use-revoked', status: 401 }]],
      ['served for good', 'warn', [UNKNOWN, ...settled('use-revoked', 200)]],
      ['served for a moment', 'not-reached', [UNKNOWN, ...settled('use-revoked', 200, 5_000)]],
      [
        'refused after a moment',
        'pass',
        [UNKNOWN, { role: 'use-revoked', status: 200 }, { role: 'use-revoked', status: 403 }],
      ],
      [
        'served as any unknown key',
        'not-reached',
        [{ ...UNKNOWN, status: 200 }, ...settled('use-revoked', 200)],
      ],
    ],
  ],
  [
    'docs.claim.unknown-gives-nothing',
    [
      ['refused', 'pass', [{ role: 'claim-unknown', status: 401 }]],
      ['pending', 'pass', [{ role: 'claim-unknown', status: 202 }]],
      [
        'a key',
        'warn',
        [{ role: 'claim-unknown', status: 200, answered: { api_key: '$ASSAY_AGENT_KEY_1' } }],
      ],
      [
        'a key for what was registered',
        'not-reached',
        [{ role: 'claim', status: 200, answered: { api_key: '$ASSAY_AGENT_KEY_1' } }],
      ],
    ],
  ],
  [
    'docs.agent-auth.mistakes-are-no-server-errors',
    [
      ['refused', 'pass', [{ role: 'claim-again', status: 409 }]],
      ['taken', 'pass', [{ role: 'revoke-again', status: 200 }]],
      [
        'failing',
        'warn',
        Array.from({ length: 3 }, () => ({ role: 'revoke-again', status: 500 }) as const),
      ],
      [
        'failing at last',
        'not-reached',
        [401, 500, 500].map((status) => ({ role: 'claim-unknown', status }) as const),
      ],
      [
        'failing at times',
        'pass',
        [500, 500, 401].map((status) => ({ role: 'claim-unknown', status }) as const),
      ],
    ],
  ],
])('%s', (id, rows) => {
  test.each(rows)('%s: %s', (_is, expected, steps) => {
    expect(verdict(id, steps)).toBe(expected);
  });
});

describe('a credential in a message', () => {
  test.each<[unknown, string | undefined]>([
    [{ credential: 'ask_0123456789ab' }, 'ask_0123456789ab'],
    [{ status: 'ok', data: { apiKey: 'ask_0123456789ab' } }, 'ask_0123456789ab'],
    [{ credential: { value: 'ask_0123456789ab' } }, 'ask_0123456789ab'],
    [{ credentials: { 'access-token': 'ask_0123456789ab' } }, 'ask_0123456789ab'],
    [{ credential: 'api_key' }, undefined],
    [{ message: 'no such credential', code: 'UNKNOWN' }, undefined],
    ['ask_0123456789ab', undefined],
  ])('%j', (json, credential) => {
    expect(credentialIn(json)).toBe(credential);
  });

  test('texts are found in objects in it', () => {
    expect(textsIn({ a: 'x', b: { c: 'y' }, d: ['z'], e: 1 })).toEqual([
      { name: 'a', text: 'x' },
      { name: 'c', text: 'y' },
    ]);
  });
});

test('two errors of the service after one mistake are not yet each time', () => {
  const mistakes = (count: number): Step[] =>
    Array.from({ length: count }, () => ({ role: 'claim-unknown', status: 500 }));
  const id = 'docs.agent-auth.mistakes-are-no-server-errors';
  expect(verdict(id, mistakes(2))).toBe('not-reached');
  expect(verdict(id, mistakes(3))).toBe('warn');
});
