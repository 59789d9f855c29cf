import { expect, test } from 'vitest';
import { EXAMPLE_LOAD } from '../../contracts/run/load/load-run.testkit.ts';
import { releaseOf } from '../../contracts/release/release-outcome.ts';
import { KNOWN, runOf, same } from '../../contracts/release/release.testkit.ts';
import { measuredBlocks } from './release-parts.ts';

test.each([
  { record: 'of this version', nothing: { count: 0 } },
  {
    record: 'of an earlier version',
    nothing: { count: 0, p50Ms: 0, p95Ms: 0, p99Ms: 0, p999Ms: 0, worstMs: 0 },
  },
])('a load $record of which nothing was served has no latencies in a release', ({ nothing }) => {
  const { whole } = EXAMPLE_LOAD;
  const load = {
    ...EXAMPLE_LOAD,
    whole: { ...whole, counts: { ...whole.counts, served: 0 }, latency: nothing },
  };
  const release = releaseOf({
    ...{ release: '1.2', issuedAt: '2026-01-03T00:00:00.000Z', known: KNOWN, scope: ['zap'] },
    runs: [same(runOf('r1', { load }))],
  });
  expect(release.runs[0]?.load?.figures).not.toHaveProperty('p50Ms');
  expect(measuredBlocks(release).join('\n')).toMatch(
    /\| stress \| 200 \| 0\.0 \| 8 \| 20 \| – \| – \| – \|/,
  );
});
