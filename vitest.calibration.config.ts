import { defineConfig, type ViteUserConfig } from 'vitest/config';

/** How well the limit probe does over many limiters: minutes for each file. */
const config: ViteUserConfig = defineConfig({
  test: {
    include: ['**/*.calibration.spec.ts'],
    exclude: ['node_modules/**', 'dist/**'],
    testTimeout: 600_000,
    hookTimeout: 240_000,
  },
});
export default config;
