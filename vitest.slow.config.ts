import { defineConfig, type ViteUserConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { FIXED_SEED, RETRIES } from './vitest.config.ts';
import { LOAD_TESTS } from './vitest.load.config.ts';

/** Begun before all others, so that none of them is still at work when the others have ended. */
const LONGEST = [
  ...[
    'unserved',
    'ci-files',
    'throttled',
    'release',
    'pasted',
    'check-against',
    'package',
    'exports',
    'limit-replicas',
    'compare-runs',
    'odd-operation-ids',
    'large-contract',
  ],
  ...[
    'documents',
    'real-evm',
    'interrupted',
    'planted',
    'misbehaving',
    'classes',
    'report-page',
    'limits',
    'allure',
  ],
].map((name) => `/${name}.slow.spec.ts`);

/** Vitest goes by the size of a file where it knows no better, as in a fresh checkout. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification): number => {
      const place = LONGEST.findIndex((name) => moduleId.endsWith(name));
      return place < 0 ? LONGEST.length : place;
    };
    return (await super.sort(files)).sort((a, b) => placeOf(a) - placeOf(b));
  }
}

/** Tests of Assay itself that take long: they wait for rate limits, fill memory, or install. */
const config: ViteUserConfig = defineConfig({
  resolve: FIXED_SEED,
  test: {
    retry: RETRIES,
    include: ['**/*.slow.spec.ts'],
    exclude: ['node_modules/**', 'dist/**', 'build/**', ...LOAD_TESTS],
    globalSetup: ['suites/self/packed-install.setup.ts'],
    sequence: { sequencer: LongestFirst },
    // One more than the cores of the machines that run them: some file mostly waits at any time.
    maxWorkers: 3,
    // Generous: beside other work a run of the command line takes ten times as long.
    testTimeout: 1_200_000,
    // As many as there are cores on the machines that run them.
    maxConcurrency: 2,
    hookTimeout: 1_200_000,
  },
});
export default config;
