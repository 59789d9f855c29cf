import { expect, test } from 'vitest';
import { sceneOf } from './exhausted.testkit.ts';
import { throttlePattern } from './throttle-pattern.ts';

test.each([
  [121, 'found'],
  [25, 'found'],
  [19, 'not looked for'],
])('with %i s left a pattern of 2 s is %s', async (leftSeconds, found) => {
  let count = 0;
  const { probed, probing, asked } = sceneOf({
    decides: (_, atMs) => {
      count += 1;
      return count > 5 && atMs < 1_000 ? 503 : 200;
    },
  });
  for (let sent = 0; sent < 8; sent += 1) await probing.sender(probed.bucket.plain);
  const reported = asked.map((one) => one.reported);
  const left = { ...probing.budgetLeft.left, seconds: leftSeconds };
  const budgetLeft = { ...probing.budgetLeft, left };
  const pattern = await throttlePattern(
    { ...probed, reported, stopped: 'it answered' },
    { ...probing, budgetLeft },
  );
  expect(pattern === undefined ? 'not looked for' : 'found').toBe(found);
});
