import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ConfigError, resolveConfig, type ConfigInput, type TargetConfig } from './config.ts';
import { lacks } from '../../fixtures/machine-needs.testkit.ts';

let cwd = '';
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'assay-config-'));
});
afterEach(() => {
  rmSync(cwd, { recursive: true });
});

function resolve(input: Partial<ConfigInput> = {}): Promise<TargetConfig> {
  const apis = ['zap', 'trade', 'docs', 'ai'];
  return resolveConfig({ flags: {}, env: {}, cwd, apis, defaultSeed: 7, ...input });
}

async function errorOf(input: Partial<ConfigInput>): Promise<ConfigError> {
  const error: unknown = await resolve(input).catch((reason: unknown) => reason);
  if (!(error instanceof ConfigError)) throw new Error(`no ConfigError: ${String(error)}`);
  return error;
}

function file(name: string, content: string): void {
  writeFileSync(join(cwd, name), content);
}

describe('mistakes', () => {
  test.each<[string, Record<string, unknown>, RegExp]>([
    [
      'no scheme',
      { zapUrl: 'localhost:8080' },
      /zapUrl, flag --zap-url: localhost:8080\n.*http or https URL/,
    ],
    ['another scheme', { aiUrl: 'ftp://h' }, /--ai-url/],
    ['a query', { zapUrl: 'http://h/?a=1' }, /without a query/],
    ['an empty query', { zapUrl: 'http://h/?' }, /without a query/],
    ['nothing', { zapUrl: 'http://' }, /http or https URL/],
    [
      'a word for a number',
      { timeoutMs: 'soon' },
      /timeoutMs, flag --timeout-ms: soon\n.*whole number/,
    ],
    ['a fraction', { maxRequests: '1.5' }, /whole number from 1/],
    ['zero', { maxRequests: 0 }, /whole number from 1/],
    ['hex', { maxRequests: '0x10' }, /whole number/],
    ['a negative rate', { maxRate: '-1' }, /number above 0/],
    ['an infinite time', { maxSeconds: Infinity }, /number above 0/],
    ['a name for an address', { sourceIp: 'eth0' }, /IP address/],
    ['a blank folder', { out: ' ' }, /path of a folder/],
    ['an API that is none', { contracts: ['swap=a.yaml'] }, /api one of zap, trade, docs, ai/],
    ['waivers as a flag', { waivers: 'x' }, /waivers in a configuration file/],
  ])('%s', async (_what, flags, message) => {
    expect((await errorOf({ flags })).message).toMatch(message);
  });

  test.each([
    ['a number as text', 'seed: "5"', /seed, file assay.config.yaml: 5\n.*whole number/],
    ['a text that is a number', 'zapUrl: 5', /zapUrl/],
    ['an unknown key', 'zapURL: http://h', /zapURL, file assay.config.yaml\n.*zapUrl, tradeUrl/],
    ['a list', '- a', /an object/],
    ['bad YAML', 'a: [', /config, file assay.config.yaml.*\n/],
    ['a key twice', 'seed: 1\nseed: 2', /Map keys must be unique at line 2, column 1/],
    ['deep YAML', 'a: '.concat('['.repeat(50_000)), /more than 200 levels deep at line 1/],
    [
      'aliases of aliases',
      Array.from({ length: 40 }, (_, at) => `a${at}: &a${at} [*a${at - 1}, *a${at - 1}]`)
        .join('\n')
        .replaceAll('*a-1', 'x'),
      /aliases stand for more than 1000000/,
    ],
    ['a key twice', 'seed: 1\nseed: 2', /unique/],
    [
      'a day that is none',
      'waivers: [{rule: r, reason: x, owner: o, expires: 2030-02-30}]',
      /2030-02-30/,
    ],
    ['a waiver without an owner', 'waivers: [{rule: r, reason: x, expires: 2030-01-01}]', /owner/],
    [
      'a waiver with more',
      'waivers: [{rule: r, reason: x, owner: o, expires: 2030-01-01, a: 1}]',
      /nothing named a/,
    ],
    ['a chain without an id', 'known: {chains: [{tokens: []}]}', /id a whole number/],
  ])('in the file: %s', async (_what, content, message) => {
    file('assay.config.yaml', content);
    expect((await errorOf({})).message).toMatch(message);
  });

  test('all at once, from wherever they are, also if a flag wins', async () => {
    file('assay.config.yaml', 'seed: x\ntypo: 1\n');
    const { problems } = await errorOf({
      flags: { seed: 5, zapUrl: 'h' },
      env: { ASSAY_MAX_RATE: 'fast' },
    });
    expect(problems.map(({ key, from }) => `${key} ${from}`).sort()).toEqual([
      'maxRate variable ASSAY_MAX_RATE',
      'seed file assay.config.yaml',
      'typo file assay.config.yaml',
      'zapUrl flag --zap-url',
    ]);
  });

  test('a trade key belongs in the environment, and is not repeated', async () => {
    file('assay.config.json', '{"tradeKey": "sk-from-file"}');
    const { message, problems } = await errorOf({ flags: { tradeKey: 'sk-from-flag' } });
    expect(problems).toHaveLength(2);
    expect(message).toContain('ASSAY_TRADE_KEY');
    expect(message).not.toMatch(/sk-from/);
  });

  test('credentials in a URL are refused, and not repeated', async () => {
    const { message } = await errorOf({ flags: { zapUrl: 'http://user:hush@h/p' } });
    expect(message).toContain('without credentials');
    expect(message).not.toContain('hush');
    expect((await errorOf({ flags: { zapUrl: 'http://user@h' } })).problems).toHaveLength(1);
  });

  test('nothing secret of a configuration that cannot be read or used is repeated', async () => {
    const url = 'http://user:hu"sh@host';
    for (const [name, text] of [
      ['assay.config.json', `{"zapUrl": "http://user:hush@host" x`],
      ['assay.config.yaml', `zapUrl: "http://user:hush@host\nseed: 1`],
      ['assay.config.yaml', `zapUrl: http://user:hush@host\nzapUrl: x`],
      ['assay.config.yaml', `contracts: ['foo=http://user:hush@host']`],
      ['assay.config.yaml', `maxRate: http://user:hush@host`],
      ['assay.config.yaml', `docsUrl: http://host/?key=hush`],
      ['assay.config.mjs', `throw new Error('cannot ${url.replace('"', '')} at all')`],
    ] as const) {
      file(name, text);
      expect((await errorOf({})).message, text).not.toContain('hush');
      rmSync(join(cwd, name));
    }
  });

  test('hosts that contracts may refer to: a flag, a variable or a key', async () => {
    const hosts = ['schemas.example', '127.0.0.1:8080'];
    expect(await resolve({ flags: { allowRef: hosts } })).toMatchObject({ allowRefs: hosts });
    expect(await resolve({ env: { ASSAY_ALLOW_REF: hosts.join(',') } })).toMatchObject({
      allowRefs: hosts,
      warnings: [],
    });
    file('assay.config.yaml', `allowRefs: [${hosts.join(', ').toUpperCase()}]`);
    expect(await resolve()).toMatchObject({ allowRefs: hosts });
    for (const host of ['http://schemas.example', 'a/b', 'me@schemas.example', ' ']) {
      const { message } = await errorOf({ flags: { allowRef: [host] } });
      expect(message).toMatch(/flag --allow-ref/);
    }
  });

  test('two files, or none under the name', async () => {
    file('assay.config.json', '{}');
    file('assay.config.yaml', '');
    expect((await errorOf({})).message).toMatch(/one configuration file/);
    expect((await errorOf({ flags: { config: 'gone.yaml' } })).message).toMatch(/gone.yaml/);
    file('odd.toml', '');
    expect((await errorOf({ flags: { config: 'odd.toml' } })).message).toMatch(/must end in/);
  });

  test.skipIf(lacks('mkfifo')).each(['pipe.yaml', 'pipe.mjs'])(
    'a named pipe is refused, not waited for: %s',
    async (name) => {
      execFileSync('mkfifo', [join(cwd, name)]);
      const { message } = await errorOf({ flags: { config: name } });
      expect(message).toContain('it is a named pipe');
    },
  );

  test('a module without a default export', async () => {
    file('assay.config.mjs', 'export const seed = 1;');
    expect((await errorOf({})).message).toMatch(/default export/);
  });
});
