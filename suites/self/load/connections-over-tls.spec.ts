import { once } from 'node:events';
import { createServer as createTlsServer } from 'node:https';
import { createRequire } from 'node:module';
import { type AddressInfo, createServer } from 'node:net';
import type tls from 'node:tls';
import { afterEach, expect, test, vi } from 'vitest';
import { createAgents } from '../../../target/transport/agents.ts';
import type { ConnectionTimes } from '../../../target/transport/measured-connector.ts';
import { PRIVATE_CA, SERVER_CERTIFICATE, SERVER_KEY } from '../private-pki.ts';

const ended: (() => void)[] = [];
afterEach(() => {
  for (const end of ended.splice(0)) end();
});

/** Making the first context of TLS takes a busy machine a while before TCP begins. */
const WAITED_MS = 1_000;

test('the time that TLS takes is set apart from the time that TCP takes', async () => {
  const https = createTlsServer({ cert: SERVER_CERTIFICATE, key: SERVER_KEY }, (_, response) => {
    response.end('{}');
  });
  // TCP is there at once, and what TLS asks is answered later.
  const server = createServer({ pauseOnConnect: true }, (socket) => {
    setTimeout(() => {
      https.emit('connection', socket);
    }, WAITED_MS);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const made: ConnectionTimes[] = [];
  const agents = createAgents({ ca: PRIVATE_CA, onConnection: (times) => void made.push(times) });
  ended.push(
    () => server.close(),
    () => {
      https.closeAllConnections();
    },
  );
  const origin = `https://127.0.0.1:${port}`;
  const { body } = await agents
    .from(undefined, origin)
    .request({ origin, path: '/', method: 'GET' });
  expect(await body.text()).toBe('{}');
  await agents.close();
  expect(made).toHaveLength(1);
  const { connectingMs = NaN, tlsMs = NaN }: Partial<ConnectionTimes> = made[0] ?? {};
  expect(connectingMs).toBeGreaterThanOrEqual(0);
  expect(tlsMs).toBeGreaterThan(0.9 * WAITED_MS);
  expect(connectingMs).toBeLessThan(tlsMs);
});

test('certificates of authorities are not read again for each connection', async () => {
  const https = createTlsServer({ cert: SERVER_CERTIFICATE, key: SERVER_KEY }, (_, response) => {
    response.setHeader('connection', 'close').end('{}');
  }).listen(0, '127.0.0.1');
  await once(https, 'listening');
  const origin = `https://127.0.0.1:${(https.address() as AddressInfo).port}`;
  const made: ConnectionTimes[] = [];
  const agents = createAgents({ ca: PRIVATE_CA, onConnection: (times) => void made.push(times) });
  // What connecting itself calls for a connection that is given no context.
  const builtin = createRequire(import.meta.url)('node:tls') as typeof tls;
  const read = vi.spyOn(builtin, 'createSecureContext');
  ended.push(
    () => https.close(),
    () => {
      read.mockRestore();
    },
  );
  for (let at = 0; at < 3; at += 1) {
    const { body } = await agents
      .from(undefined, origin)
      .request({ origin, path: '/', method: 'GET' });
    await body.text();
  }
  await agents.close();
  expect(made).toHaveLength(3);
  expect(read).not.toHaveBeenCalled();
});
