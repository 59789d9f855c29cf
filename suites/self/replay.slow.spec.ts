import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assay, runOf, scratch, serve } from './command-line.ts';

const folder = scratch();
const RULE = 'zap.path.min-return-honours-slippage';

test('a finding is small, kept, replayed, and tried first next time', async () => {
  const { targets } = await serve(['--fault', 'zap-min-return-of-ten-times-slippage']);
  const [first, again, next, kept] = [folder(), folder(), folder(), folder()];
  const check = (...args: string[]): ReturnType<typeof assay> =>
    assay(['check', '--seed', '3', '--regressions', kept, ...targets, ...args]);

  const { said } = await check('--out', first);
  const row = runOf(first).rules.find(({ id }) => id === RULE);
  expect(row?.counterexample).toMatchObject({ differsIn: [], reproduced: { times: 3, of: 3 } });
  const replay = row?.counterexample?.replay ?? '';
  expect(said).toContain(`--seed 3 --replay ${replay}`);

  const [file = ''] = readdirSync(kept);
  expect(file).toMatch(new RegExp(`^${RULE}\\.[0-9a-f]{8}\\.json$`));
  const { requests } = JSON.parse(readFileSync(join(kept, file), 'utf8')) as {
    requests: { request: { path: string } }[];
  };

  await check('--out', again, '--replay', replay);
  const replayed = runOf(again);
  expect(replayed.replay).toBe(replay);
  expect(replayed.rules.map(({ id, verdict }) => [id, verdict])).toEqual([[RULE, 'fail']]);
  expect(replayed.counts.requests).toBeLessThan(runOf(first).counts.requests / 2);

  await check('--out', next);
  const [sent] = readFileSync(join(next, 'exchanges.ndjson'), 'utf8').split('\n');
  const { request } = JSON.parse(sent ?? '') as { request: { path: string } };
  expect(request.path).toBe(requests[0]?.request.path);
});
