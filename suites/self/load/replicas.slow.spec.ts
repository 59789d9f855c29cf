import { beforeAll, describe, expect, test } from 'vitest';
import { serve } from '../command-line.ts';
import {
  needsRedis,
  startRedis,
} from '../../../fixtures/service/reference/limiter/redis-server.testkit.ts';

const LIMIT = ['--zap-limit', '10/60'];

/** Statuses of requests sent to two replicas in turn. */
async function askInTurn(args: readonly string[], count: number): Promise<number[]> {
  const replicas = await Promise.all([serve(args), serve(args)]);
  const statuses: number[] = [];
  for (let at = 0; at < count; at += 1) {
    const url = replicas[at % 2]?.urls.zap ?? '';
    const response = await fetch(`${url}/v1/config/chains`);
    await response.arrayBuffer();
    statuses.push(response.status);
  }
  return statuses;
}

function throttledOf(statuses: readonly number[]): number {
  return statuses.filter((status) => status === 429).length;
}

describe.skipIf(!needsRedis)('replicas that share a Redis', () => {
  let url = '';

  beforeAll(async () => {
    const redis = await startRedis();
    url = redis.url;
    return redis.stop;
  });

  test('share their limits', async () => {
    const statuses = await askInTurn([...LIMIT, '--redis-url', url], 16);
    expect(statuses.slice(0, 10)).toEqual(Array(10).fill(200));
    expect(throttledOf(statuses)).toBe(6);
  });
});

test('replicas that share none have a count each', async () => {
  const statuses = await askInTurn(LIMIT, 24);
  expect(statuses.slice(0, 20)).toEqual(Array(20).fill(200));
  expect(throttledOf(statuses)).toBe(4);
});
