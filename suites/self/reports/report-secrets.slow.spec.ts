import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { dataOf } from '../../../reports/html/html.testkit.ts';
import { assay, runOf, scratch, serve } from '../command-line.ts';

const folder = scratch();
/** What formats escape is around a middle that none does. */
const KEY = 'k_e*y<&"-0f6d2b71c4->]';
const PATH_SECRET = 'p_a*th-9e8d7c6b5a';
const MIDDLES = ['0f6d2b71c4', '9e8d7c6b5a'];

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close().closeAllConnections();
});

/** What a request says: the key as it is sent and in base64, the other secret, its path and its body. */
interface Said {
  readonly said: string;
  readonly base64: string;
}

/** Listens and hands over each request with what it says. */
async function listen(
  answer: (request: IncomingMessage, body: string, said: Said, response: ServerResponse) => void,
): Promise<string> {
  const server = createServer((request, response) => {
    let sent = '';
    request.on('data', (chunk: Buffer) => (sent += chunk.toString()));
    request.on('end', () => {
      const { authorization = '', 'x-secret': secret = '' } = request.headers;
      const said = `${authorization} ${String(secret)} ${request.url ?? ''} ${sent}`;
      const base64 = Buffer.from(authorization.replace('Bearer ', '')).toString('base64');
      answer(request, sent, { said, base64 }, response);
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const headersOf = ({ said }: Said): Record<string, string> => ({
  'content-type': 'application/json',
  'x-echo': encodeURIComponent(said).slice(0, 2_000),
});

/** Says all that it is sent: as keys, as values, in errors and in header fields. */
function echo(): Promise<string> {
  return listen((_, __, reported, response) => {
    const { said, base64 } = reported;
    response.writeHead(said.length % 3 === 0 ? 500 : 200, headersOf(reported));
    response.end(
      JSON.stringify({ status: said, code: base64, message: said, data: { [said]: said } }),
    );
  });
}

/** Answers as a service does, and says besides all that it is sent. */
function echoBeside(target: string): Promise<string> {
  return listen(({ method = 'GET', url = '', headers }, body, reported, response) => {
    const { 'content-type': type = 'application/json' } = headers;
    const withBody = method === 'POST' ? { body } : {};
    void fetch(target + url, { method, headers: { 'content-type': type }, ...withBody }).then(
      async (answer) => {
        const text = await answer.text();
        const more = JSON.stringify({ echo: reported.said, code: reported.base64 }).slice(0, -1);
        response.writeHead(answer.status, headersOf(reported));
        response.end(text.startsWith('{"') ? `${more},${text.slice(1)}` : text);
      },
      () => response.destroy(),
    );
  });
}

const env = { ASSAY_TRADE_KEY: KEY, ASSAY_SECRET_PATH: PATH_SECRET };
const SENT = ['--header', 'trade=X-Secret: $ASSAY_SECRET_PATH'];

/** All that a format holds packed, beside its text. */
function unpacked(name: string, text: string): string {
  if (name.endsWith('.html')) return JSON.stringify(dataOf(text));
  if (!name.endsWith('certificate.json')) return '';
  const { payload } = JSON.parse(text) as { payload: string };
  return Buffer.from(payload, 'base64').toString();
}

/** The texts of all files in folders and below, by their paths. */
function textsIn(...folders: readonly string[]): Map<string, string> {
  const files = folders.flatMap((dir) =>
    readdirSync(dir, { recursive: true, encoding: 'utf8' }).map((name) => join(dir, name)),
  );
  const texts = files
    .filter((file) => statSync(file).isFile())
    .map((file): [string, string] => {
      const text = readFileSync(file, 'utf8');
      return [file, text + unpacked(file, text)];
    });
  return new Map(texts);
}

/** The paths and names of texts in which a secret stands, in any form. */
function leaksIn(texts: ReadonlyMap<string, string>): string[] {
  const base64 = [KEY, PATH_SECRET].map((secret) => Buffer.from(secret).toString('base64'));
  return [...MIDDLES, ...base64].flatMap((secret) =>
    [...texts].filter(([, text]) => text.includes(secret)).map(([name]) => name),
  );
}

test('secrets that a service says back stand in no file of any format, and in nothing that is printed', async () => {
  const url = await echo();
  const [dir, allure] = [folder(), folder()];
  const summary = `${dir}.md`;
  const actions = { ...env, GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary };
  const budget = ['--max-requests', '60'];
  const checked = await assay(['check', '--out', dir, '--trade-url', url, ...SENT, ...budget], {
    env: actions,
  });
  const formats = ['markdown', 'sarif', 'code-quality', 'junit', 'html'];
  const files = formats.flatMap((format) => [`--${format}`, join(dir, `shown.${format}`)]);
  const more = ['--annotations', '--allure', allure];
  const reported = await assay(['report', dir, ...more, ...files], { env: actions });
  expect(reported.code).toBe(0);
  // Without findings that quote the service nothing would be shown.
  const findings = runOf(dir).rules.flatMap((rule) => rule.findings);
  expect(findings.some(({ actual }) => actual.includes('$ASSAY_SECRET_PATH'))).toBe(true);
  const texts = textsIn(dir, allure);
  expect(texts.get(join(dir, 'exchanges.ndjson'))).toContain('$ASSAY_TRADE_KEY');
  const names = [...texts.keys()];
  expect(names).toEqual(
    expect.arrayContaining(formats.map((format) => join(dir, `shown.${format}`))),
  );
  expect(names.some((name) => name.startsWith(allure) && name.includes('attachment'))).toBe(true);
  texts.set('summary', readFileSync(summary, 'utf8'));
  for (const [name, { stdout, stderr }] of Object.entries({ checked, reported })) {
    texts.set(name, `${stdout}${stderr}`);
  }
  expect(leaksIn(texts)).toEqual([]);
});

test('so it is of load, which is compared with an earlier night, of limits, and of a release', async () => {
  const [nights, load, limits, built, release] = Array.from({ length: 5 }, folder) as [
    ...[string, string, string, string, string],
  ];
  const { urls } = await serve();
  const [zap, trade] = await Promise.all([echoBeside(urls.zap), echoBeside(urls.trade)]);
  const target = ['--zap-url', zap, '--trade-url', trade, ...SENT];
  const rate = ['load', ...target, '--seconds', '2', '--rate', '20', '--label', 'commit=a1'];
  const first = await assay([...rate, '--out', join(nights, 'one')], { env });
  const second = await assay([...rate, '--history', nights, '--out', load], { env });
  const probed = await assay(['limits', ...target, '--max-requests', '25', '--out', limits], {
    env,
  });
  mkdirSync(built);
  const files = ['markdown', 'sarif', 'junit', 'html'].flatMap((format) => [
    ...[`--${format}`, join(built, `report.${format}`)],
  ]);
  const reported = await assay(['report', load, limits, ...files], { env });
  expect([reported.code, reported.said]).toEqual([0, reported.said]);
  const { privateKey } = generateKeyPairSync('ed25519');
  const ASSAY_SIGNING_KEY = privateKey.export({ format: 'pem', type: 'pkcs8' }) as string;
  const released = await assay(['report', load, '--release', '1', '--out', release], {
    env: { ...env, ASSAY_SIGNING_KEY },
  });
  expect(runOf(load).counts.requests).toBeGreaterThan(10);
  expect(runOf(limits).counts.requests).toBeGreaterThan(5);
  const texts = textsIn(nights, load, limits, built, release);
  for (const name of ['certificate.json', 'release.md']) {
    expect([...texts.keys()], released.said).toContain(join(release, name));
  }
  // The service was sent what is not to be found, and said it.
  const answered = texts.get(join(load, 'exchanges.ndjson')) ?? '';
  expect(answered).toContain('$ASSAY_TRADE_KEY');
  expect(answered).toContain('$ASSAY_SECRET_PATH');
  for (const [name, ended] of Object.entries({ first, second, probed, reported, released })) {
    texts.set(name, `${ended.stdout}${ended.stderr}`);
  }
  expect(leaksIn(texts)).toEqual([]);
});
