import { describe, expect, test } from 'vitest';
import type { TargetConfig } from '../../target/config/config.ts';
import type { OwnService } from '../../target/config/own-service.ts';
import { readConfig } from '../config.ts';
import { UsageError } from '../exit-code.ts';
import { otherAddressOf, probedApis, requireAllowed, requireLimited } from './limits-allowed.ts';
import { budgetLeftOf, resolveLimits } from './limits-setting.ts';
import { keysOf } from './limits-target.ts';

const configOf = (flags: Record<string, string>): Promise<TargetConfig> =>
  readConfig({ flags, env: {}, cwd: '/nowhere', defaultSeed: 1 });

describe('whom it is let loose on', () => {
  test.each(['http://127.0.0.1:1', 'http://127.9.9.9', 'http://localhost:1', 'http://[::1]:1'])(
    '%s is loopback',
    async (zapUrl) => {
      expect(requireAllowed(await configOf({ zapUrl }), [])).toBe(true);
    },
  );

  test.each(['http://service.test', 'http://127.0.0.1.service.test', 'http://localhost.test'])(
    '%s needs leave',
    async (zapUrl) => {
      const config = await configOf({ zapUrl });
      expect(() => requireAllowed(config, ['other.test'])).toThrow(UsageError);
      expect(requireAllowed(config, [new URL(zapUrl).hostname])).toBe(false);
    },
  );

  test('each of two hosts needs it', async () => {
    const config = await configOf({ zapUrl: 'http://a.test', tradeUrl: 'http://b.test' });
    expect(() => requireAllowed(config, ['a.test'])).toThrow('--allow-limits b.test');
  });
});

test('the second address is one of loopback, or the one that is named', async () => {
  const [near, far] = [
    await configOf({ zapUrl: 'http://127.0.0.1:1' }),
    await configOf({ zapUrl: 'http://service.test' }),
  ];
  const [ours, nobodys] = [() => Promise.resolve(true), () => Promise.resolve(false)];
  expect(await otherAddressOf({}, near, ours)).toEqual({ address: '127.0.0.2' });
  expect(await otherAddressOf({}, far, ours)).toEqual({});
  expect(await otherAddressOf({ otherAddress: false }, near, ours)).toEqual({});
  const named = { otherSourceIp: '10.0.0.3' };
  expect(await otherAddressOf(named, far, ours)).toEqual({ address: '10.0.0.3' });
  await expect(otherAddressOf(named, far, nobodys)).rejects.toThrow('not an address of this');
  await expect(otherAddressOf({ otherSourceIp: 'here' }, far)).rejects.toThrow(UsageError);
});

test('where loopback has one address, the second one is missed with a remedy', async () => {
  const nobodys = (): Promise<boolean> => Promise.resolve(false);
  const near = await configOf({ zapUrl: 'http://127.0.0.1:1' });
  const { address, notice } = await otherAddressOf({}, near, nobodys);
  expect(address).toBeUndefined();
  expect(notice).toMatch(/not known: .* no second address.*ifconfig lo0 alias.*--other-source-ip/);
  const six = await configOf({ zapUrl: 'http://[::1]:1' });
  const ours = (): Promise<boolean> => Promise.resolve(true);
  expect((await otherAddressOf({}, six, ours)).notice).toContain('Name the target as 127.0.0.1');
});

describe('what is there to probe', () => {
  const service = (limits: OwnService['limits']): OwnService => ({
    ...{ name: 'library', apis: ['books', 'loans'], documents: [], urls: {} },
    limits,
  });
  const request = { method: 'GET', path: '/books' };

  test('is what the service says', async () => {
    const both = await configOf({ zapUrl: 'http://127.0.0.1:1', docsUrl: 'http://127.0.0.1:2' });
    expect(probedApis(both)).toEqual(['zap']);
    requireLimited(both);
    const docs = await configOf({ docsUrl: 'http://127.0.0.1:2' });
    expect(() => {
      requireLimited(docs);
    }).toThrow('only the zap and the trade API have limits to find');
    requireLimited(await configOf({}));
  });

  test('of a service of its own is what requests are named for', async () => {
    const [booksUrl, loansUrl] = ['http://127.0.0.1:1', 'http://127.0.0.1:2'];
    const plain = await configOf({});
    const own = { ...plain, booksUrl, loansUrl };
    expect(probedApis({ ...own, service: service({ loans: { request } }) })).toEqual(['loans']);
    expect(() => {
      requireLimited({ ...own, service: service({}) });
    }).toThrow("books: { document, limits: { request: 'GET /…' } }");
    expect(() => {
      requireLimited({ ...plain, booksUrl, service: service({ loans: { request } }) });
    }).toThrow('of the service library the limits of loans can be found');
  });
});

test('keys come from the environment; the embedded service has its own', () => {
  const secrets = { ASSAY_TRADE_KEY: 'one', ASSAY_TRADE_KEY_2: 'two' };
  expect(keysOf(secrets, false).map(({ name }) => name)).toEqual(Object.keys(secrets));
  expect(keysOf({}, false)).toEqual([]);
  expect(keysOf({}, true)).toHaveLength(1);
});

test('a budget that somebody named holds; else it grows with the buckets', async () => {
  const input = { env: { ASSAY_MAX_REJECTS: '40' }, cwd: '/nowhere', defaultSeed: 1 };
  const { said } = await resolveLimits({ ...input, flags: { maxRequests: '7' } });
  expect(said).toEqual({ maxRequests: 7, maxRejects: 40 });
  expect(budgetLeftOf(said, 3, { isLoopback: false, long: false })).toEqual({
    maxRequests: 7,
    maxRejects: 40,
    maxSeconds: 1000,
    maxRatePerSecond: 20,
  });
});
