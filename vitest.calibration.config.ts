import { defineConfig, type ViteUserConfig } from 'vitest/config';
import { FIXED_SEED } from './vitest.config.ts';

/** How well the limit probe does over many limiters: minutes for each file. */
const config: ViteUserConfig = defineConfig({
  resolve: FIXED_SEED,
  test: {
    include: ['**/*.calibration.spec.ts'],
    exclude: ['node_modules/**', 'dist/**', 'build/**'],
    testTimeout: 600_000,
    hookTimeout: 240_000,
  },
});
export default config;
