import { expect, test } from 'vitest';
import { unansweredNotices } from './run-notices.ts';

const counts = { answered: 0, throttled: 0 };

test.each([
  [661, 55, 1],
  [300, 3, 1],
  [301, 3, 0],
  [20, 2, 0],
  [661, 0, 0],
])('of %i requests %i without a whole answer: %i sentences', (exchanges, failed, sentences) => {
  const notices = unansweredNotices({ counts: { ...counts, exchanges, failed } });
  expect(notices).toHaveLength(sentences);
  if (sentences > 0) expect(notices[0]).toContain(`${failed} of ${exchanges} requests`);
});
