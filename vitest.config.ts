import { defineConfig, type ViteUserConfig } from 'vitest/config';

/** Tests of Assay itself; suites against a service (`*.suite.ts`) run through the command line. */
const config: ViteUserConfig = defineConfig({
  test: {
    include: ['**/*.spec.ts'],
    exclude: ['node_modules/**', 'dist/**'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
export default config;
