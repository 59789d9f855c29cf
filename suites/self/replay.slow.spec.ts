import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RunJson } from '../../contracts/run/run.ts';
import { assay, runOf, scratch, serve } from './command-line.ts';

const folder = scratch();
const RULE = 'zap.path.min-return-honours-slippage';
/** It is found, kept and tried again among its neighbours as among all rules. */
const checkPaths = ['check', '--only', 'zap.path.*'];

function rowOf(run: RunJson, rule: string): RunJson['rules'][number] | undefined {
  return run.rules.find(({ id }) => id === rule);
}

test('a finding is kept, tried first next time, and reported; one that is mended is reported as such', async () => {
  const { targets } = await serve(['--fault', 'zap-min-return-of-ten-times-slippage']);
  const mended = await serve();
  const [first, next, gone, again, kept] = [folder(), folder(), folder(), folder(), folder()];
  await assay([...checkPaths, '--regressions', kept, '--out', first, ...targets]);
  const found = rowOf(runOf(first), RULE)?.counterexample;
  expect(found).toMatchObject({ differsIn: [], reproduced: { times: 3, of: 3 } });
  const [file = ''] = readdirSync(kept);
  expect(file).toMatch(new RegExp(`^${RULE}\\.[0-9a-f]{8}\\.json$`));
  const { requests } = JSON.parse(readFileSync(join(kept, file), 'utf8')) as {
    requests: { request: { path: string } }[];
  };

  const name = file.replace('.json', '');
  const { said } = await assay([...checkPaths, '--regressions', kept, '--out', next, ...targets]);
  expect(runOf(next).regressions).toEqual([{ name, rule: RULE, verdict: 'shown' }]);
  expect(said).toContain(`Earlier counterexamples ✗ still shown ${name}`);
  const [, sent] = readFileSync(join(next, 'exchanges.ndjson'), 'utf8').split('\n');
  const { request } = JSON.parse(sent ?? '') as { request: { path: string } };
  expect(request.path).toBe(requests[0]?.request.path);

  await assay([...checkPaths, '--regressions', kept, '--out', gone, ...mended.targets]);
  expect(runOf(gone).regressions?.[0]).toEqual({ name, rule: RULE, verdict: 'not-shown' });

  const replay = found?.replay ?? '';
  const ended = await assay(['check', '--replay', replay, '--out', again, ...mended.targets]);
  expect(ended.said).toContain(`✓ not shown again: ${RULE}`);
  expect(ended.said).not.toContain('conforms');
  expect(ended.code).toBe(0);
  expect((await assay(['judge', again])).code).toBe(0);
});
