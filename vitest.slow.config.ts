import { defineConfig, type ViteUserConfig } from 'vitest/config';

/** Tests of Assay itself that take long: they wait for rate limits, fill memory, or install. */
const config: ViteUserConfig = defineConfig({
  test: {
    include: ['**/*.slow.spec.ts'],
    exclude: ['node_modules/**', 'dist/**'],
    maxWorkers: '100%',
    testTimeout: 240_000,
    // As many as there are cores on the machines that run them.
    maxConcurrency: 2,
    hookTimeout: 240_000,
  },
});
export default config;
