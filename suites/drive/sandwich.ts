import type { ClientRequest } from '../../fixtures/target/client.ts';
import type { Session } from './session.ts';

/** A request of a sandwich; its relation is added. */
export type SandwichedRequest = Omit<ClientRequest, 'relations'>;

/**
 * Sends A, then B, then A again, marked as one group of a relation, so that a rule can tell what B
 * changed from what the world changed meanwhile. `kinds` are all relations that the group serves. In
 * every second group B is sent once more before, unmarked: of two replicas that answer in turn the
 * same one would answer A and A2, and always the other one B.
 */
export async function sendSandwich(
  session: Session,
  kinds: readonly string[],
  a: SandwichedRequest,
  b: SandwichedRequest,
): Promise<void> {
  session.sandwiches += 1;
  const group = String(session.sandwiches);
  const isSecond = session.sandwiches % 2 === 0;
  for (const [role, request] of [
    ['A', a],
    ['B', b],
    ['A2', a],
  ] as const) {
    const relations = kinds.map((kind) => ({ kind, group, role }));
    if (role === 'B' && isSecond) await session.client.send(request);
    await session.client.send({ ...request, relations });
  }
}
