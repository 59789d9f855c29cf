import { defineConfig, type ViteUserConfig } from 'vitest/config';
import { LOAD_TESTS } from './vitest.load.config.ts';

/** Tests of Assay itself that take long: they wait for rate limits, fill memory, or install. */
const config: ViteUserConfig = defineConfig({
  test: {
    include: ['**/*.slow.spec.ts'],
    exclude: ['node_modules/**', 'dist/**', ...LOAD_TESTS],
    maxWorkers: '100%',
    testTimeout: 240_000,
    // As many as there are cores on the machines that run them.
    maxConcurrency: 2,
    hookTimeout: 240_000,
  },
});
export default config;
