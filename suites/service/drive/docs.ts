import type { Exchange } from '../../../contracts/wire/exchange.ts';
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

/** The AI runtime shows no endpoints: a few requests show whether anything answers there, and how. */
export async function driveAi(session: Session): Promise<void> {
  const purpose = { kind: 'probe', about: 'AI runtime' } as const;
  for (const method of ['GET', 'OPTIONS', 'HEAD']) {
    await session.client.send({ api: 'ai', method, path: '/', purpose });
  }
}
