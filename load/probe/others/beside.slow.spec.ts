import { expect, test } from 'vitest';
import { besideOthers, LIMIT } from './beside.testkit.ts';

const OTHERS = ['clock-window', 'sliding-log', 'token-bucket', 'sliding-counter'] as const;

test.each(OTHERS)('a request of somebody else before does not hide a %s', async (name) => {
  const { limits } = await besideOthers(name, 'before');
  expect(limits[0]?.row).toMatchObject({
    verdict: 'identified',
    ...{ algorithms: [name], limit: LIMIT },
  });
});

test.each(OTHERS)('requests of somebody else beside make no composite of a %s', async (name) => {
  const { limits } = await besideOthers(name, 'beside');
  expect(limits[0]?.row.verdict).not.toBe('composite');
});

test('a limit that somebody else uses as well is not said to fit no class', async () => {
  const { limits } = await besideOthers('sliding-log', 'beside');
  expect(limits[0]?.row).toMatchObject({ verdict: 'ambiguous' });
  expect(limits[0]?.row.why).toContain('others may use it up as well');
});
