import { request } from 'node:http';
import { afterAll, describe, expect, test } from 'vitest';
import { BODIES } from './bodies.ts';
import { BEHAVIOURS } from './catalogue.ts';
import type { HostileSpec, Spoil } from './hostile.ts';
import { openHostile, type HostileService } from './service.ts';
import { lacks } from '../../../fixtures/machine-needs.testkit.ts';

const environment = {
  now: (): number => 0,
  randomUint32: (): number => 7,
  sleep: (): Promise<void> => Promise.resolve(),
};
const opened: HostileService[] = [];
afterAll(async () => {
  await Promise.all(opened.map((service) => service.close()));
});

async function open(spec: HostileSpec): Promise<HostileService> {
  const service = await openHostile(spec, environment);
  opened.push(service);
  return service;
}

interface Got {
  readonly status: number;
  readonly text: string;
}

/** What comes within the time, as far as it came. */
function get(url: string, withinMs: number): Promise<Got | undefined> {
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    let status: number | undefined;
    const done = (): void => {
      clearTimeout(timer);
      asked.destroy();
      const text = Buffer.concat(pieces).toString();
      resolve(status === undefined ? undefined : { status, text });
    };
    const timer = setTimeout(done, withinMs);
    const headers = { authorization: 'Bearer some-Key9' };
    const asked = request(url, { headers }, (response) => {
      status = response.statusCode;
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('error', done);
      response.on('close', done);
    });
    asked.on('error', done);
    asked.end();
  });
}

/** What a behaviour needs to be reported. */
function spoilOf(how: string): Spoil {
  const text = how.startsWith('echo') ? 'hex' : how.endsWith('body') ? 'half-json' : '"x"';
  return { how, size: how.endsWith('bomb') ? 1 : 20, text, members: ['name'] };
}

describe.skipIf(lacks('all of 127.0.0.0/8')).concurrent('a hostile service', () => {
  test.each(Object.keys(BEHAVIOURS).filter((how) => how !== 'file'))(
    'that %s goes on serving, and does not fail itself',
    async (how) => {
      const service = await open({ spoils: [{ ...spoilOf(how), api: 'trade' }] });
      // Beside other work a request may be given up before it is there at all.
      for (let tries = 0; service.report().spoilt === 0 && tries < 30; tries += 1) {
        await get(`${service.urls.trade}/v1/buildTx`, 300);
      }
      const { status } = (await get(`${service.urls.zap}/v1/config/chains`, 20_000)) ?? {};
      expect(status).toBe(200);
      const { seen, spoilt, faults } = service.report();
      expect(spoilt).toBeGreaterThan(0);
      expect(faults).toEqual([]);
      expect(new Set(seen.map(({ host }) => host))).toEqual(new Set(['trade', 'zap']));
      expect(seen[0]).toMatchObject({ authorization: 'Bearer some-Key9' });
    },
  );

  test('spoils only what its options name', async () => {
    const spoil = {
      how: 'fixed',
      text: '{"spoilt":"{trap}"}',
      path: '/v1/config',
      every: 2,
    } as const;
    const { urls } = await open({ spoils: [spoil] });
    const ask = async (path: string): Promise<string> =>
      (await get(`${urls.zap}${path}`, 20_000))?.text ?? '';
    expect(await ask('/v1/pools')).toContain('"pools"');
    expect(await ask('/v1/config/chains')).toContain('"chainId"');
    expect(await ask('/v1/config/chains')).toBe(`{"spoilt":"${urls.trap}"}`);
    expect(urls.trap).toContain('127.0.0.2');
  });

  test('may stand below a path, and have a fault', async () => {
    const { urls } = await open({ spoils: [], prefix: '/a/b', fault: 'zap-min-return-added' });
    expect(urls.zap).toMatch(/\/a\/b$/);
    expect((await get(`${urls.zap}/v1/config/chains`, 20_000))?.status).toBe(200);
  });

  test.each([
    [{ spoils: [{ how: 'dances' }] }, 'behaviour "dances"'],
    [{ spoils: [{ how: 'body', text: 'dance' }] }, 'body "dance"'],
    [{ spoils: [{ how: 'echo-in-body', text: 'dance' }] }, 'form "dance"'],
    [{ spoils: [], fault: 'dances' }, 'fault "dances"'],
  ])('is not opened by what nobody knows', async (spec, words) => {
    await expect(openHostile(spec, environment)).rejects.toThrow(words);
  });
});

test.each(Object.entries(BODIES))('the body %s grows with its size, or has none', (_, make) => {
  const [small, large] = [make(6).length, make(60).length];
  expect(large).toBeGreaterThanOrEqual(small);
});
