import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dataOf } from '../../reports/html.testkit.ts';
import { assay, runOf, scratch } from './command-line.ts';

const folder = scratch();
/** What formats escape is around a middle that none does. */
const KEY = 'k_e*y<&"-0f6d2b71c4->]';
const PATH_SECRET = 'p_a*th-9e8d7c6b5a';
const MIDDLES = ['0f6d2b71c4', '9e8d7c6b5a'];

let service: Server;
let url = '';
beforeAll(async () => {
  // It says all that it is sent: as keys, as values, in errors and in header fields.
  service = createServer((request, response) => {
    let sent = '';
    request.on('data', (chunk: Buffer) => (sent += chunk.toString()));
    request.on('end', () => {
      const { authorization = '', 'x-secret': secret = '' } = request.headers;
      const said = `${authorization} ${String(secret)} ${request.url ?? ''} ${sent}`;
      const status = said.length % 3 === 0 ? 500 : 200;
      response.writeHead(status, {
        'content-type': 'application/json',
        'x-echo': encodeURIComponent(said).slice(0, 2_000),
      });
      const base64 = Buffer.from(authorization.replace('Bearer ', '')).toString('base64');
      response.end(
        JSON.stringify({ status: said, code: base64, message: said, data: { [said]: said } }),
      );
    });
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
});
afterAll(() => {
  service.closeAllConnections();
  service.close();
});

test('secrets that a service says back stand in no file of any format, and in nothing that is printed', async () => {
  const dir = folder();
  const summary = `${dir}.md`;
  const env = {
    ...{ ASSAY_TRADE_KEY: KEY, ASSAY_SECRET_PATH: PATH_SECRET },
    ...{ GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary },
  };
  const target = ['--trade-url', url, '--header', 'trade=X-Secret: $ASSAY_SECRET_PATH'];
  const budget = ['--max-requests', '60', '--max-seconds', '30'];
  const checked = await assay(['check', '--out', dir, ...target, ...budget], { env });
  const formats = ['markdown', 'sarif', 'code-quality', 'junit'];
  const files = formats.flatMap((format) => [`--${format}`, join(dir, `report.${format}`)]);
  const reported = await assay(['report', dir, '--annotations', ...files], { env });
  expect(reported.code).toBe(0);
  // Without findings that quote the service nothing would be shown.
  const findings = runOf(dir).rules.flatMap((rule) => rule.findings);
  expect(findings.some(({ actual }) => actual.includes('$ASSAY_SECRET_PATH'))).toBe(true);

  const texts = new Map(
    readdirSync(dir).map((name) => {
      const text = readFileSync(join(dir, name), 'utf8');
      return [name, name.endsWith('.html') ? text + JSON.stringify(dataOf(text)) : text];
    }),
  );
  expect(texts.get('exchanges.ndjson')).toContain('$ASSAY_TRADE_KEY');
  texts.set('summary', readFileSync(summary, 'utf8'));
  for (const [name, { stdout, stderr }] of Object.entries({ checked, reported })) {
    texts.set(name, `${stdout}${stderr}`);
  }
  expect([...texts.keys()]).toEqual(
    expect.arrayContaining(formats.map((name) => `report.${name}`)),
  );
  const base64 = [KEY, PATH_SECRET].map((secret) => Buffer.from(secret).toString('base64'));
  for (const secret of [...MIDDLES, ...base64]) {
    expect([...texts].filter(([, text]) => text.includes(secret)).map(([name]) => name)).toEqual(
      [],
    );
  }
});
