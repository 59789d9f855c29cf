import fc from 'fast-check';
import type { AgentAuthForms } from './agent-auth-forms.ts';
import type { CredentialCommand } from './commands.ts';
import { type Commands, type LifeCycleWorld, LONGEST, uuid } from './life-cycle-world.ts';

/** Waiting longer for an approval keeps a person waiting who looks at the run. */
const PATIENCE_MS = 3_000;
const credential = <C extends Omit<CredentialCommand, 'cycle'>>(
  command: C,
): C & { readonly cycle: 'credential' } => ({ cycle: 'credential', ...command });

/** Registers two keys, and asks for one before there can have been an approval. */
export function registrations(forms: AgentAuthForms): readonly CredentialCommand[] {
  return [
    credential({ act: 'register', slot: 0, forms }),
    credential({ act: 'register', slot: 1, forms }),
    credential({ act: 'claim', slot: 0, patienceMs: 0 }),
  ];
}

/**
 * The shortest life of two keys that is evidence for each of its rules: both claimed, one once more,
 * used, and
 * used beside the other; then the other revoked, both used, revoked again and used again.
 */
export function keyLives(world: LifeCycleWorld): Commands<CredentialCommand> {
  const uses = world.tradeBodies.length === 0 ? [{}] : world.tradeBodies;
  return fc.record({ json: fc.constantFrom(...uses), madeUp: uuid }).map(({ json, madeUp }) => {
    const use = (slot: number): CredentialCommand[] =>
      world.tradeBodies.length === 0 ? [] : [credential({ act: 'use', slot, json })];
    const useLike = use(0).map(() => credential({ act: 'use-like', slot: 0, json }));
    const apart = use(0).map(() => credential({ act: 'use-apart', slot: 0, json }));
    const revoke = credential({ act: 'revoke', slot: 1 });
    const claim = (slot: number): CredentialCommand =>
      credential({ act: 'claim', slot, patienceMs: PATIENCE_MS });
    const unknown = credential({ act: 'claim-unknown', slot: 0, madeUp: unknownClaim(madeUp) });
    return [
      // The key that is used last before the other is revoked is not that one.
      ...[claim(0), claim(1), claim(0), unknown, ...apart, ...use(0), ...useLike],
      ...[revoke, ...use(1), ...use(0), revoke, ...use(1)],
    ];
  });
}

/** Any life of a few keys. */
export function credentialCommands(world: LifeCycleWorld): Commands<CredentialCommand> {
  const { forms, tradeBodies } = world;
  if (forms === undefined) return fc.constant([]);
  const slot = fc.constantFrom(0, 1);
  const uses = tradeBodies.map((json) =>
    slot.map((number) => credential({ act: 'use', slot: number, json })),
  );
  const step = fc.oneof<fc.Arbitrary<CredentialCommand>[]>(
    slot.map((number) => credential({ act: 'claim', slot: number, patienceMs: PATIENCE_MS })),
    fc
      .record({ slot, madeUp: uuid })
      .map(({ slot: number, madeUp }) =>
        credential({ act: 'claim-unknown', slot: number, madeUp: unknownClaim(madeUp) }),
      ),
    slot.map((number) => credential({ act: 'revoke', slot: number })),
    ...uses.slice(0, 3),
  );
  const steps = fc.array(step, { minLength: 1, maxLength: world.longest ?? LONGEST, size: 'max' });
  const registered = [0, 1].map((number) => credential({ act: 'register', slot: number, forms }));
  return steps.map((some) => [...registered, ...some]);
}

function unknownClaim(madeUp: string): string {
  return `assay-no-such-claim-${madeUp}`;
}
