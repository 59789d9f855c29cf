import { expect, test } from 'vitest';
import { unreachableNotice } from './unreachable.ts';

test('an API that answered before is not told as one at a wrong address', () => {
  expect(unreachableNotice('zap', 3, 'why')).toMatch(/Check its base URL and whether it is up\.$/);
  expect(unreachableNotice('zap', 3, 'why', true)).toMatch(
    /It answered others before: it went down, or fails for requests like these\.$/,
  );
});
