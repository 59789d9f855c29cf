import { fileURLToPath } from 'node:url';
import { defineConfig, type ViteUserConfig } from 'vitest/config';

const LEFT_OUT = ['node_modules/**', 'dist/**', 'build/**', '**/*.{slow,calibration}.spec.ts'];

/**
 * In CI a test may be tried once more: some hold figures that other work on the machine can spoil. Which ones
 * needed it stands at the end of what `.ci/run` prints.
 */
export const RETRIES: number = process.env.CI === undefined ? 0 : 1;

/** All tests draw their random cases from one seed, so that a commit has one result. */
export const FIXED_SEED: NonNullable<ViteUserConfig['resolve']> = {
  alias: [
    {
      find: /^fast-check$/,
      replacement: fileURLToPath(new URL('suites/self/fixed-seed.ts', import.meta.url)),
    },
  ],
};

/**
 * Specs of what a process does once, such as learning the secrets of its environment, specs that put something
 * else in the place of a module, and specs that start the command line, whose processes end with the file. Each
 * has a process of its own. All others share processes, and so what they import, which takes half the time: they
 * leave nothing behind.
 */
const ALONE = [
  'cli/open-files.spec.ts',
  'cli/output.spec.ts',
  'cli/record/record.spec.ts',
  'cli/run/actions.spec.ts',
  'cli/show.spec.ts',
  'cli/tasks/history/read-history.spec.ts',
  'cli/tasks/load/compare-load.spec.ts',
  'target/record/full-disk.spec.ts',
  'suites/self/{check,serve}.spec.ts',
  'tools/house/{ci-guide,rules-command}.spec.ts',
];

/**
 * Tests of Assay itself except for the slow ones, which `npm run test:slow`, `npm run test:load` and
 * `npm run test:calibration` run. Suites against a service (`*.suite.ts`) run through the command line.
 */
const config: ViteUserConfig = defineConfig({
  resolve: FIXED_SEED,
  test: {
    retry: RETRIES,
    maxWorkers: '100%',
    // Generous: beside other work a run of the command line takes ten times as long.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    projects: [
      {
        extends: true,
        test: { name: 'alone', include: ALONE },
      },
      {
        extends: true,
        test: {
          name: 'sharing',
          include: ['**/*.spec.ts'],
          exclude: [...LEFT_OUT, ...ALONE],
          isolate: false,
        },
      },
    ],
  },
});
export default config;
