import { defineConfig, type ViteUserConfig } from 'vitest/config';
import { FIXED_SEED, RETRIES } from './vitest.config.ts';

/** Tests that put a service under load, some of them with a real k6: they want a machine for themselves. */
export const LOAD_TESTS: string[] = [
  'load/engines/**/*.slow.spec.ts',
  'tools/k6-build/service/*.slow.spec.ts',
  'load/merge/*.slow.spec.ts',
  'load/run/*.slow.spec.ts',
  'suites/self/load/load-*.slow.spec.ts',
];

const config: ViteUserConfig = defineConfig({
  resolve: FIXED_SEED,
  test: {
    retry: RETRIES,
    include: LOAD_TESTS,
    exclude: ['node_modules/**', 'dist/**', 'build/**'],
    fileParallelism: false,
    // Of the tests that say that they may run beside others, as they mostly wait.
    maxConcurrency: 3,
    testTimeout: 600_000,
    hookTimeout: 240_000,
  },
});
export default config;
