import { fileURLToPath } from 'node:url';
import { defineConfig, type ViteUserConfig } from 'vitest/config';

const LEFT_OUT = ['node_modules/**', 'dist/**', '**/*.{slow,calibration}.spec.ts'];

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
 * Rooms whose specs leave nothing behind that another spec would meet: they share a process, and so what
 * they import, which takes half the time.
 */
const SHARING = [
  'contracts/**/*.spec.ts',
  'fixtures/arbitraries/**/*.spec.ts',
  'fixtures/service/generators/**/*.spec.ts',
  'load/**/*.spec.ts',
  'reports/**/*.spec.ts',
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
        test: { name: 'alone', include: ['**/*.spec.ts'], exclude: [...LEFT_OUT, ...SHARING] },
      },
      {
        extends: true,
        test: { name: 'sharing', include: SHARING, exclude: LEFT_OUT, isolate: false },
      },
    ],
  },
});
export default config;
