import { expect, test } from 'vitest';
import { assay, runOf, scratch, serve, verdictsOf } from '../command-line.ts';

const folder = scratch();

test('a service with narrow limits conforms, and is not pressed', async () => {
  const { targets } = await serve(['--zap-limit', '10/1', '--trade-limit', '10/1']);
  const dir = folder();
  const { code, said } = await assay(['check', '--out', dir, ...targets]);
  const run = runOf(dir);
  expect(code).toBe(0);
  expect(run).toMatchObject({ outcome: 'conforms', complete: true });
  expect(run.counts.throttled).toBeGreaterThan(0);
  expect(run.counts.throttled).toBeLessThanOrEqual(40);
  expect(said).toContain(`${run.counts.throttled} of them throttled`);
  // What was throttled was asked again: nothing is left out for it. Builds are executed by nodes alone.
  const { ...verdicts } = verdictsOf(run);
  const unreached = Object.entries(verdicts).filter(
    ([id, verdict]) => verdict === 'not-reached' && !id.includes('.simulated.'),
  );
  expect(unreached).toEqual([]);
});
