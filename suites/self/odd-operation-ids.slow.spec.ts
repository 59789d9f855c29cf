import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createAdaptorServer } from '@hono/node-server';
import { describe, expect, onTestFinished, test } from 'vitest';
import { FORMATS } from '../../cli/report/report-formats.ts';
import { assay, type Ended, runOf, scratch } from './command-line.ts';
import { ODD_DOCUMENT, ODD_OPERATIONS, oddService } from './odd-operation-ids.testkit.ts';

const folder = scratch();

/** Serves odd operations until the test has finished, and a folder with its configuration. */
async function serveOdd(isRight: boolean): Promise<string> {
  const server = createAdaptorServer({ fetch: oddService(isRight) });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const dir = folder();
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, 'odd.json'), JSON.stringify(ODD_DOCUMENT));
  const service = { name: 'odd', apis: { shops: { document: 'odd.json', url } } };
  writeFileSync(join(dir, 'assay.config.json'), JSON.stringify({ service, seed: 1 }));
  return dir;
}

/** A command that has to end so, and says otherwise what it said. */
async function run(cwd: string, code: number, ...args: string[]): Promise<Ended> {
  const ended = await assay(args, { cwd });
  expect([args[0], ended.code, ended.code === code ? '' : ended.said]).toEqual([args[0], code, '']);
  return ended;
}

describe('operation ids of any form go through every command', () => {
  test.each([
    ['right', true, 0],
    ['wrong', false, 1],
  ])('of a service that is %s', async (_, isRight, code) => {
    const dir = await serveOdd(isRight);
    await run(dir, code, 'check', '--out', 'one', '--regressions', 'kept');
    const { rules } = runOf(join(dir, 'one'));
    const shapes = rules.filter(({ id }) => id.endsWith('.response-shape'));
    expect(shapes).toHaveLength(ODD_OPERATIONS);
    expect(new Set(shapes.map(({ verdict }) => verdict))).toEqual(
      new Set([isRight ? 'pass' : 'fail']),
    );
    expect(shapes.map(({ id }) => id)).toEqual(
      expect.arrayContaining([
        ...['getTokenList', 'list_books', 'books.v1.find', 'constructor', 'get-v9-{id}'].map(
          (name) => `shops.${name}.response-shape`,
        ),
        'shops.take.response-shape',
      ]),
    );

    await run(dir, code, 'judge', 'one', '--out', 'again');
    await run(dir, code, 'check', '--out', 'two', '--baseline', 'one', '--regressions', 'kept');
    await run(dir, 0, 'compare', 'one', 'two');
    const files = FORMATS.filter(({ takes }) => takes === 'file').map(({ flag }) => flag);
    const options = files.flatMap((flag) => [`--${flag}`, `report.${flag}`]);
    await run(dir, 0, 'report', 'one', '--baseline', 'two', ...options);
    if (!isRight) {
      for (const flag of files) {
        const report = readFileSync(join(dir, `report.${flag}`), 'utf8');
        expect([flag, report]).toEqual([flag, expect.stringContaining('getTokenList')]);
      }
    }
    // What the others hold is findings.
    const others = FORMATS.filter(({ takes }) => takes !== 'file' && !isRight);
    for (const { flag } of others) await run(dir, 0, 'report', 'one', `--${flag}`);
    await run(dir, 0, 'report', 'one', 'two', '--allure', 'allure');
    expect(readdirSync(join(dir, 'allure')).length).toBeGreaterThan(ODD_OPERATIONS);
    const { stdout } = await run(dir, 0, 'history', '.', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ rows: [{}, {}], notes: [] });
    if (!isRight) return;
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const secret = privateKey.export({ type: 'pkcs8', format: 'pem' });
    writeFileSync(join(dir, 'key.pem'), secret, { mode: 0o600 });
    writeFileSync(join(dir, 'public.pem'), publicKey.export({ type: 'spki', format: 'pem' }));
    const release = ['--release', '1.0.0', '--signing-key', 'key.pem', '--out', 'release'];
    // Errors are not reached: the service makes none.
    const { said } = await run(dir, 1, 'report', 'one', ...release);
    expect(said).toContain('shops.getTokenList.error-shape');
    const certificate = join('release', 'certificate.json');
    const verified = await run(dir, 1, 'verify', certificate, 'one', '--key', 'public.pem');
    expect(verified.said).toContain('verdicts come out the same');
  });

  test('and can be chosen, given a level and waived', async () => {
    const dir = await serveOdd(false);
    const config = JSON.parse(readFileSync(join(dir, 'assay.config.json'), 'utf8')) as object;
    const words = ['shops.getTokenList', 'shops.get-v9-{id}', 'shops.constructor.response-shape'];
    const waiver = { reason: 'known', owner: 'us', expires: '2999-01-01' };
    writeFileSync(
      join(dir, 'assay.config.json'),
      JSON.stringify({
        ...config,
        only: words,
        levels: { 'shops.getTokenList': 'observe' },
        waivers: [{ ...waiver, rule: 'shops.get-v9-{id}.response-shape' }],
      }),
    );
    await run(dir, 1, 'check', '--out', 'one');
    const { rules } = runOf(join(dir, 'one'));
    const shapes = rules.filter(({ id }) => id.endsWith('.response-shape'));
    expect(shapes.map(({ id, verdict }) => [id, verdict])).toEqual([
      ['shops.getTokenList.response-shape', 'observed'],
      ['shops.get-v9-{id}.response-shape', 'waived'],
      ['shops.constructor.response-shape', 'fail'],
    ]);
    await run(dir, 1, 'judge', 'one', '--out', 'again');
  });
});
