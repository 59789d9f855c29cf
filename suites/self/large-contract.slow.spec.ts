import { mkdirSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { stringify } from 'yaml';
import {
  largeDocument,
  modelsDocument,
} from '../../contracts/document/large/large-contract.testkit.ts';
import { assay, type Ended, runOf, scratch } from './command-line.ts';

const folder = scratch();
/** As the REST description of a large public service, all schemas if they are used. */
const documentOf = (operations: number): object => largeDocument({ operations, schemas: 60 });
const IN_LARGE = 100;
/** What it is filled up to with space. */
const LARGE_BYTES = 8_700_000;
const IN_FULL = 750;

let dir = '';
beforeAll(() => {
  dir = folder();
  mkdirSync(dir, { recursive: true });
  // One is larger than usual, the other holds more than usual.
  writeFileSync(
    join(dir, 'large.json'),
    JSON.stringify(documentOf(IN_LARGE), undefined, 8).padEnd(LARGE_BYTES),
  );
  writeFileSync(join(dir, 'full.json'), JSON.stringify(documentOf(IN_FULL), undefined, 1));
});

/** A service whose things have an id that is no number. */
async function serve(): Promise<string> {
  const app = new Hono();
  app.get('/owners/:owner/:thing', (context) => context.json({ group_0: { id: 'one' } }));
  const server = createAdaptorServer({ fetch: app.fetch });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test.each([
  ['large.json', IN_LARGE],
  ['full.json', IN_FULL],
] as const)('%s is checked, and its record read again', async (file, operations) => {
  const run = (...args: string[]): Promise<Ended> => assay(args, { cwd: dir });
  const url = await serve();
  const check = ['check', '--ai-url', url, '--ai-contract', file, '--max-requests', '100'];
  const refused = await run(...check);
  expect(refused.code).toBe(2);
  expect(refused.said).toContain('--max-contract-bytes above 8388608 allows more');

  const large = ['--max-contract-bytes', '25165824'];
  const [one, two] = [`${file}-one`, `${file}-two`];
  const checked = await run(...check, ...large, '--out', one);
  expect([checked.code, checked.stderr]).toEqual([1, expect.not.stringContaining('failed')]);
  const { rules } = runOf(join(dir, one));
  const shapes = rules.filter(({ id }) => /^ai\..*\.response-shape$/.test(id));
  expect(shapes).toHaveLength(operations);
  expect(shapes.filter(({ verdict }) => verdict === 'fail').length).toBeGreaterThan(20);

  // The record says by which limits its contract was read.
  if (file === 'full.json') {
    const reported = await run('report', one, '--sarif', `${file}.sarif`);
    expect(reported.code, reported.said).toBe(0);
    return;
  }
  expect((await run('judge', one)).code).toBe(1);
  expect((await run(...check, ...large, '--out', two, '--baseline', one)).code).toBe(1);
  // Neither run had requests for all operations.
  expect((await run('compare', one, two)).code).toBe(3);
});

test('a document within the usual bounds whose models inherit from each other is read as it is', async () => {
  const document = modelsDocument({ models: 1_200, operations: 1_000 });
  writeFileSync(join(dir, 'models.yaml'), stringify(document, { aliasDuplicateObjects: false }));
  const args = ['--ai-url', await serve(), '--ai-contract', 'models.yaml', '--max-requests', '5'];
  const { code, said } = await assay(['check', ...args, '--out', 'models'], { cwd: dir });
  expect([1, 3], said).toContain(code);
  expect(said).not.toContain('memory');
});
