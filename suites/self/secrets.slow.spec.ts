import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { headerOf } from '../../contracts/wire/exchange.ts';
import { dataOf } from '../../reports/html/html.testkit.ts';
import { assay, exchangesOf, runOf, scratch, serve } from './command-line.ts';

const folder = scratch();
const KEY = 'key-0f6d2b71c4';

test('the key of the trade API is sent, and stands nowhere but under its name', async () => {
  const { targets } = await serve([], { env: { ASSAY_SERVE_KEYS: KEY } });
  const dir = folder();
  const ended = await assay(['check', '--out', dir, ...targets], { env: { ASSAY_TRADE_KEY: KEY } });
  expect(ended.code).toBe(0);

  const spellings = [KEY, Buffer.from(KEY).toString('base64')];
  const files = readdirSync(dir).map((name) => {
    const text = readFileSync(join(dir, name), 'utf8');
    return name.endsWith('.html') ? text + JSON.stringify(dataOf(text)) : text;
  });
  expect(files.length).toBe(5);
  for (const text of [ended.stdout, ended.stderr, ...files]) {
    for (const spelling of spellings) expect(text).not.toContain(spelling);
  }
  expect(runOf(dir).target.credentials).toEqual(['ASSAY_TRADE_KEY']);
  const builds = exchangesOf(dir).filter(
    ({ api, purpose }) => api === 'trade' && purpose.kind === 'valid',
  );
  expect(builds.length).toBeGreaterThan(5);
  // Some are sent without the key on purpose.
  const sent = builds.map(({ request }) => headerOf(request.headers, 'authorization'));
  const withKey = sent.filter((value) => value !== undefined);
  expect(withKey.length).toBeGreaterThan(sent.length / 2);
  expect([...new Set(withKey)]).toEqual(['Bearer $ASSAY_TRADE_KEY']);
  // The service took the key: with another it refuses, as below.
  const refused = builds.filter(
    ({ outcome }) => outcome.kind === 'response' && outcome.response.status === 401,
  );
  expect(refused).toEqual([]);
});

test('a key that the service does not know is refused', async () => {
  const { targets } = await serve();
  const dir = folder();
  const args = ['check', '--only', 'trade.*', '--out', dir, ...targets];
  await assay(args, { env: { ASSAY_TRADE_KEY: KEY } });
  const answers = exchangesOf(dir).filter(
    ({ api, purpose, outcome }) =>
      api === 'trade' &&
      purpose.kind === 'valid' &&
      outcome.kind === 'response' &&
      outcome.response.status === 401,
  );
  expect(answers.length).toBeGreaterThan(0);
});

test('a key too short to be kept out of records is refused', async () => {
  const { code, said, stderr } = await assay(['check', '--out', folder()], {
    env: { ASSAY_TRADE_KEY: 'abc' },
  });
  expect(said).toContain('ASSAY_TRADE_KEY is shorter than 8 characters');
  expect(stderr).not.toContain('    at ');
  expect(code).toBe(2);
});
