import { defineConfig, type ViteUserConfig } from 'vitest/config';

/**
 * Tests of Assay itself but for the slow ones, which `npm run test:slow` and `npm run
 * test:calibration` run. Suites against a
 * service (`*.suite.ts`) run through the command line.
 */
const config: ViteUserConfig = defineConfig({
  test: {
    include: ['**/*.spec.ts'],
    exclude: ['node_modules/**', 'dist/**', '**/*.{slow,calibration}.spec.ts'],
    maxWorkers: '100%',
    // Generous: beside other work a run of the command line takes ten times as long.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
export default config;
