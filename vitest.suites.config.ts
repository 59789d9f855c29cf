import { defineConfig, type ViteUserConfig } from 'vitest/config';

/** `npm run suites`: tests a service, not Assay; results for Allure go to reports/out/allure-suites. */
const config: ViteUserConfig = defineConfig({
  test: {
    include: ['suites/**/*.suite.ts'],
    setupFiles: ['allure-vitest/setup'],
    reporters: ['default', ['allure-vitest/reporter', { resultsDir: 'reports/out/allure-suites' }]],
  },
});
export default config;
