import { NO_ENDPOINT } from '../../../contracts/service/rules/5-authentication/5-agent-auth-endpoints.ts';
import type { Exchange } from '../../../contracts/wire/exchange.ts';
import { unknownKey } from '../session/keys-of-nobody.ts';
import type { Session } from '../session/session.ts';
import { sendValid } from '../../drive/session.ts';
import { driveHead } from '../../drive/transport.ts';

const DISCOVERY: readonly string[] = [
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-authorization-server',
  '/.well-known/api-catalog',
];

const CONTRACT = '/openapi.yaml';
/** What is wanted rather than a page, which only who asks for one should get. */
const WANTED: Readonly<Record<string, string>> = {
  '/llms.txt': 'text/markdown, text/plain;q=0.9, */*;q=0.1',
  '/auth.md': 'text/markdown, text/plain;q=0.9, */*;q=0.1',
  '/.well-known/api-catalog': 'application/linkset+json, application/json;q=0.9, */*;q=0.1',
};

const DOCUMENTS: readonly string[] = [
  CONTRACT,
  '/api/openapi.yaml',
  '/llms.txt',
  '/auth.md',
  ...DISCOVERY,
];

const LIFE_CYCLE: readonly string[] = ['register', 'claim', 'revoke'];

/**
 * Fetches every document of the docs host.
 *
 * @returns the answer that held the published contract
 */
export async function driveDocuments(session: Session): Promise<Exchange | undefined> {
  let published: Exchange | undefined;
  const stopListening = session.client.listen((exchange) => {
    if (exchange.api === 'docs' && exchange.request.path === CONTRACT) published = exchange;
  });
  try {
    for (const path of DOCUMENTS) {
      // The documents are of several media types.
      const headers = [['Accept', WANTED[path] ?? '*/*']] as const;
      await sendValid(session, { api: 'docs', method: 'GET', path, headers });
    }
  } finally {
    stopListening();
  }
  for (const path of DISCOVERY) await driveHead(session, 'docs', path);
  return published;
}

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

/** Looks for endpoints that were not found by all other methods, and beside them where nothing is. */
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
  await session.client.send({ ...beside, method: 'POST', json: {} });
  await session.client.send({ ...beside, method: 'OPTIONS' });
}

function isNotFound({ outcome }: Exchange): boolean {
  return outcome.kind === 'response' && outcome.response.status === 404;
}

/** The AI runtime shows no endpoints: a few requests tell whether anything answers there, and how. */
export async function driveAi(session: Session): Promise<void> {
  const purpose = { kind: 'probe', about: 'AI runtime' } as const;
  for (const method of ['GET', 'OPTIONS', 'HEAD']) {
    await session.client.send({ api: 'ai', method, path: '/', purpose });
  }
}
