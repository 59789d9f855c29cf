import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { assay, runOf, scratch, serve } from './command-line.ts';
import { PRIVATE_CA, SERVER_CERTIFICATE, SERVER_KEY } from './private-pki.ts';

const folder = scratch();
const GATE_SECRET = 'gate-secret-9f81c2';
const PROXY_PASSWORD = 'proxy-word-77ad01';

const open: Server[] = [];
afterEach(() => {
  for (const server of open.splice(0)) server.close().closeAllConnections();
});

async function portOf(server: Server): Promise<number> {
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** Hands requests on to a service if they carry the secret of the gate; others are refused. */
function gate(target: string): Parameters<typeof createServer>[1] & object {
  return (request, response) => {
    if (request.headers['x-gate'] !== GATE_SECRET) {
      response.writeHead(403, { 'Content-Type': 'application/json' });
      response.end('{"status":403,"code":"FORBIDDEN","message":"no gate","requestId":"g"}');
      return;
    }
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = 'GET', url = '/', headers } = request;
      const kept = Object.entries(headers).filter(([name]) =>
        /^(?:content-type|authorization|accept|idempotency-key)$/.test(name),
      );
      const body = Buffer.concat(chunks);
      void fetch(target + url, {
        method,
        headers: kept as [string, string][],
        redirect: 'manual',
        ...(body.length === 0 || method === 'GET' || method === 'HEAD' ? {} : { body }),
      }).then(
        async (answer) => {
          const text = Buffer.from(await answer.arrayBuffer());
          // The bytes are decoded by now.
          const reported = [...answer.headers].filter(
            ([name]) =>
              !/^(?:content-(?:encoding|length)|transfer-encoding|connection)$/.test(name),
          );
          response.writeHead(answer.status, Object.fromEntries(reported));
          response.end(text);
        },
        () => response.destroy(),
      );
    });
  };
}

interface Proxy {
  readonly port: number;
  readonly seen: string[];
}

/** A proxy that tunnels, and hands plain requests on, for who gives its credentials. */
async function proxy(): Promise<Proxy> {
  const seen: string[] = [];
  const wanted = `Basic ${Buffer.from(`worker:${PROXY_PASSWORD}`).toString('base64')}`;
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    if (request.headers['proxy-authorization'] !== wanted) {
      response.writeHead(407, { 'Proxy-Authenticate': 'Basic' }).end();
      return;
    }
    void fetch(request.url ?? '', {
      headers: { 'x-gate': String(request.headers['x-gate']) },
    }).then(
      async (answer) => {
        response.writeHead(answer.status, { 'Content-Type': 'application/json' });
        response.end(await answer.text());
      },
      () => response.destroy(),
    );
  });
  server.on('connect', (request, client) => {
    seen.push(`CONNECT ${request.url}`);
    if (request.headers['proxy-authorization'] !== wanted) {
      client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
      return;
    }
    const [host = '', port = ''] = (request.url ?? '').split(':');
    const upstream = connect(Number(port), host, () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      upstream.pipe(client).pipe(upstream);
    });
    for (const one of [upstream, client]) one.on('error', () => upstream.destroy());
  });
  return { port: await portOf(server), seen };
}

function expectNoSecret(dir: string, ...texts: readonly string[]): void {
  const files = readdirSync(dir).map((name) => readFileSync(join(dir, name), 'utf8'));
  const spellings = [GATE_SECRET, PROXY_PASSWORD].flatMap((secret) => [
    secret,
    Buffer.from(secret).toString('base64'),
  ]);
  spellings.push(Buffer.from(`worker:${PROXY_PASSWORD}`).toString('base64'));
  for (const text of [...texts, ...files]) {
    for (const spelling of spellings) expect(text).not.toContain(spelling);
  }
}

test('a service behind a proxy, a private authority and a gate is checked, and no secret is reported', async () => {
  const { urls } = await serve();
  const tls = createTlsServer(
    { cert: SERVER_CERTIFICATE, key: SERVER_KEY },
    gate(urls.zap),
  ) as unknown as Server;
  const port = await portOf(tls);
  const { port: proxyPort, seen } = await proxy();
  const dir = folder();
  const ca = `${folder()}.pem`;
  writeFileSync(ca, PRIVATE_CA);
  const args = ['check', '--out', dir, '--zap-url', `https://127.0.0.1:${port}`, '--ca', ca];
  const env = {
    HTTPS_PROXY: `http://worker:${PROXY_PASSWORD}@127.0.0.1:${proxyPort}`,
    ASSAY_SECRET_GATE: GATE_SECRET,
  };
  const header = ['--header', 'zap=X-Gate: $ASSAY_SECRET_GATE', '--label', 'commit=4f2a91c'];
  const ended = await assay([...args, ...header, '--only', 'zap.path.*'], { env });
  expect(ended.stderr).not.toContain('Error');
  expect(ended.code).toBe(0);
  expect(seen).toContain(`CONNECT 127.0.0.1:${port}`);
  expect(runOf(dir).labels).toEqual({ commit: '4f2a91c' });
  expectNoSecret(dir, ended.stdout, ended.stderr);
});

test('what fails on the way is reported with what to do, and reveals no secret', async () => {
  const tls = createTlsServer(
    { cert: SERVER_CERTIFICATE, key: SERVER_KEY },
    gate('http://127.0.0.1:1'),
  ) as unknown as Server;
  const port = await portOf(tls);
  const { port: proxyPort } = await proxy();
  const url = ['--zap-url', `https://127.0.0.1:${port}`];
  const through = (password: string): string => `http://worker:${password}@127.0.0.1:${proxyPort}`;

  const untrusted = await assay(['check', '--out', folder(), ...url]);
  expect(untrusted.code).toBe(3);
  expect(untrusted.stdout.replaceAll(/\s+/g, ' ')).toContain('name the file of that with --ca');

  const dir = folder();
  const refused = await assay(['check', '--out', dir, ...url], {
    env: { HTTPS_PROXY: through('another-word-01') },
  });
  expect(refused.code).toBe(3);
  expect(refused.stdout.replaceAll(/\s+/g, ' ')).toContain(
    'the proxy answers 407; give credentials',
  );

  const missing = await assay(['check', ...url, '--header', 'X-Gate: $ASSAY_SECRET_GATE']);
  expect(missing.code).toBe(2);
  expect(missing.stderr).toContain('ASSAY_SECRET_GATE, which is not set');
});

test('http goes to the proxy as it is asked for, and hosts of NO_PROXY do not', async () => {
  const { urls } = await serve();
  const { port, seen } = await proxy();
  const env = {
    HTTP_PROXY: `http://worker:${PROXY_PASSWORD}@127.0.0.1:${port}`,
    ASSAY_SECRET_GATE: GATE_SECRET,
  };
  const args = ['check', '--zap-url', urls.zap, '--max-requests', '3', '--out'];
  const dir = folder();
  const through = await assay([...args, dir], { env });
  expect(seen).toContain(`GET ${urls.zap}/v1/config/chains`);
  expectNoSecret(dir, through.stdout, through.stderr);
  seen.length = 0;
  await assay([...args, folder()], { env: { ...env, NO_PROXY: '127.0.0.1' } });
  await assay(['check', '--embedded', '--max-requests', '3', '--out', folder()], { env });
  expect(seen).toEqual([]);
});
