import { expect, test } from 'vitest';
import { unreachableNotice } from './unreachable.ts';

test('the client that sends no more is named, as others may go on', () => {
  expect(unreachableNotice('zap', 3, 'why')).toContain(
    '; the client that drives the run sends it no more requests. Check',
  );
});

test('an API that answered before is not taken for one at a wrong address', () => {
  expect(unreachableNotice('zap', 3, 'why')).toMatch(/Check its base URL and whether it is up\.$/);
  expect(unreachableNotice('zap', 3, 'why', true)).toMatch(
    /It answered others before: it went down, or fails for requests like these\.$/,
  );
});
