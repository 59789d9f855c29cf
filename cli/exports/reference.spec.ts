import { expect, test } from 'vitest';
import { listenReference, referenceFetch } from './reference.ts';

const CHAINS = '/v1/config/chains';

test('the service answers as a function, under each of its base URLs', async () => {
  const fetch = referenceFetch({ baseUrls: { zap: 'http://gate.example/zap' } });
  expect((await fetch(`http://gate.example/zap${CHAINS}`)).status).toBe(200);
  expect((await fetch(new URL('http://docs.example/llms.txt'))).status).toBe(200);
  await expect(fetch(`http://zap.example${CHAINS}`)).rejects.toThrow(TypeError);
});

test('it has what is asked for: keys, limits, another world', async () => {
  const limits = { zap: { requests: 1, windowSeconds: 60 }, trade: null, tradeKey: null };
  const fetch = referenceFetch({ limits, apiKeys: ['one-key'], seed: 2 });
  const statuses = [
    await fetch(`http://zap.example${CHAINS}`),
    await fetch(`http://zap.example${CHAINS}`),
  ];
  expect(statuses.map(({ status }) => status)).toEqual([200, 429]);
});

test.each([
  ['at the root', {}, 'http://zap.example'],
  ['below a path', { baseUrls: { zap: 'http://gate.example/zap' } }, 'http://gate.example/zap'],
])('a fault shows %s', async (_, setting, base) => {
  const plain = await (await referenceFetch(setting)(`${base}/v1/pools?limit=3`)).text();
  const faulty = referenceFetch({ ...setting, fault: 'pools-without-envelope' });
  expect(await (await faulty(`${base}/v1/pools?limit=3`)).text()).not.toBe(plain);
});

test('a fault that there is not is wrong use', () => {
  expect(() => referenceFetch({ fault: 'none-such' })).toThrow('there is no fault none-such');
  expect(() => listenReference({ variant: 'none-such' })).toThrow('there is no variant');
});

test('it listens on loopback until it is closed', async () => {
  const service = await listenReference();
  const { zap } = service.urls;
  expect(zap).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect((await fetch(zap + CHAINS)).status).toBe(200);
  await service.close();
  await expect(fetch(zap + CHAINS)).rejects.toThrow(TypeError);
});
