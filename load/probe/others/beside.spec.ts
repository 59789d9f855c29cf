import { expect, test } from 'vitest';
import { besideOthers, LIMIT, SECONDS } from './beside.testkit.ts';

test('a request of somebody else, a second before, hides no ordinary limit', async () => {
  const { limits, cutShort, said } = await besideOthers('fixed-window', 'before');
  expect(limits[0]?.row).toMatchObject({
    verdict: 'identified',
    algorithms: ['fixed-window'],
    ...{ limit: LIMIT, windowSeconds: SECONDS },
  });
  expect(cutShort).toBe(false);
  expect(said.join('\n')).toMatch(/once more after \d+ s of silence/);
});
