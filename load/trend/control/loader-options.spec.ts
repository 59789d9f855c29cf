import { expect, test } from 'vitest';
import { loaderEnvironment } from './loader-options.ts';

test('of an environment only the loaders of Node are kept', () => {
  const loaders = '--require "/a b/.pnp.cjs" --experimental-loader file:///a%20b/.pnp.loader.mjs';
  const env = {
    ASSAY_TRADE_KEY: 'secret',
    NODE_OPTIONS: `--inspect=9229 ${loaders} --max-old-space-size=100 --import=tsx -r x`,
  };
  expect(loaderEnvironment(env)).toEqual({ NODE_OPTIONS: `${loaders} --import=tsx -r x` });
});

test('without loaders nothing of it is kept', () => {
  expect(loaderEnvironment({ PATH: '/bin', NODE_OPTIONS: '--inspect' })).toEqual({});
  expect(loaderEnvironment({})).toEqual({});
});
