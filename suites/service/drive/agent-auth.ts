import { NO_ENDPOINT } from '../../../contracts/service/rules/docs/agent-auth-endpoints.ts';
import { isWebPage } from '../../../contracts/wire/web-page.ts';
import type { Exchange } from '../../../contracts/wire/exchange.ts';
import { unknownKey } from '../session/keys-of-nobody.ts';
import type { Session } from '../session/session.ts';

const LIFE_CYCLE: readonly string[] = ['register', 'claim', 'revoke'];

/**
 * Asks the agent-auth endpoints for nothing. Methods and field names of register, claim and revoke are
 * not shown. No body, an empty object and a key that nobody issued register, claim and revoke nothing.
 */
export async function driveAgentAuth(session: Session): Promise<void> {
  const purpose = { kind: 'probe', about: 'agent-auth endpoints' } as const;
  const missed: string[] = [];
  for (const name of LIFE_CYCLE) {
    const request = { api: 'docs', path: `/.well-known/agent-auth/${name}`, purpose } as const;
    await session.client.send({ ...request, method: 'OPTIONS' });
    const got = await session.client.send({ ...request, method: 'GET' });
    const posted = await session.client.send({ ...request, method: 'POST', json: {} });
    if (isNotFound(got) && isNotFound(posted)) missed.push(name);
  }
  await driveMissed(session, missed);
  await session.client.send({
    api: 'docs',
    method: 'POST',
    path: '/.well-known/agent-auth/revoke',
    json: {},
    credential: unknownKey(session),
    purpose: { kind: 'probe', about: 'revocation of a key that nobody issued' },
  });
}

/** Looks for endpoints that were not found by all other methods, and beside them if nothing is. */
async function driveMissed(session: Session, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  const purpose = { kind: 'probe', about: 'an agent-auth endpoint that is not found' } as const;
  const headers = [['Content-Type', 'application/json']] as const;
  for (const name of names) {
    const request = { api: 'docs', path: `/.well-known/agent-auth/${name}`, purpose } as const;
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      await session.client.send({ ...request, method, json: {} });
    }
    await session.client.send({ ...request, method: 'POST', headers, rawBody: '{"' });
  }
  const beside = { api: 'docs', path: NO_ENDPOINT, purpose } as const;
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    await session.client.send({ ...beside, method, json: {} });
  }
  await session.client.send({ ...beside, method: 'GET' });
  await session.client.send({ ...beside, method: 'OPTIONS' });
}

/** Whether an answer may be that of a path at which nothing is, hosts of pages included. */
function isNotFound({ outcome }: Exchange): boolean {
  if (outcome.kind === 'failure') return false;
  const { status, body } = outcome.response;
  return [404, 405, 501].includes(status) || (status < 300 && isWebPage(body.text));
}
