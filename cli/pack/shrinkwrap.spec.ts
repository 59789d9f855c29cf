import { expect, test } from 'vitest';
import { shrinkwrapOf } from './shrinkwrap.ts';

test('a shrinkwrap has what the package runs on, and nothing that only developing takes', () => {
  const lockfile = {
    lockfileVersion: 3,
    packages: {
      '': { dependencies: { ajv: '8.20.0' }, devDependencies: { eslint: '10.0.0' } },
      'node_modules/ajv': { version: '8.20.0' },
      'node_modules/eslint': { version: '10.0.0', dev: true },
      'node_modules/fsevents': { version: '2.3.3', optional: true },
    },
  };
  expect(shrinkwrapOf(lockfile)).toEqual({
    lockfileVersion: 3,
    packages: {
      '': { dependencies: { ajv: '8.20.0' } },
      'node_modules/ajv': { version: '8.20.0' },
      'node_modules/fsevents': { version: '2.3.3', optional: true },
    },
  });
});
