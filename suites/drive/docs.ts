import type { Session } from './session.ts';
import { sendValid } from './session.ts';

const DOCUMENTS: readonly string[] = [
  '/openapi.yaml',
  '/api/openapi.yaml',
  '/llms.txt',
  '/auth.md',
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-authorization-server',
  '/.well-known/api-catalog',
];

const LIFE_CYCLE: readonly string[] = ['register', 'claim', 'revoke'];

/** Fetches every document of the docs host, and asks the agent-auth endpoints for nothing. */
export async function driveDocs(session: Session): Promise<void> {
  // The documents are of several media types.
  const headers = [['Accept', '*/*']] as const;
  for (const path of DOCUMENTS) {
    await sendValid(session, { api: 'docs', method: 'GET', path, headers });
  }
  // Methods and field names are not shown; an empty object claims and revokes nothing.
  for (const name of LIFE_CYCLE) {
    const path = `/.well-known/agent-auth/${name}`;
    const purpose = { kind: 'probe', about: 'agent-auth endpoints' } as const;
    await session.client.send({ api: 'docs', method: 'POST', path, json: {}, purpose });
  }
}

/** The AI runtime shows no endpoints: one request tells whether anything answers there. */
export async function driveAi(session: Session): Promise<void> {
  const purpose = { kind: 'probe', about: 'AI runtime' } as const;
  await session.client.send({ api: 'ai', method: 'GET', path: '/', purpose });
}
