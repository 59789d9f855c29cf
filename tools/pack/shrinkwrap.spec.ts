import { expect, test } from 'vitest';
import { lockfileWith, shrinkwrapOf } from './shrinkwrap.ts';

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

test('what runs is what an install has and what is bundled, each with those dependencies that are loaded', () => {
  const lockfile = {
    packages: {
      '': { dependencies: { jiti: '2.7.0' } },
      'node_modules/jiti': { version: '2.7.0' },
      'node_modules/ajv': {
        ...{ version: '8.20.0', dev: true },
        dependencies: { 'fast-uri': '^3.0.0', 'require-from-string': '^2.0.0' },
      },
      'node_modules/ajv/node_modules/fast-uri': { version: '3.1.9', dev: true },
      'node_modules/fast-uri': { version: '2.0.0', dev: true },
      'node_modules/require-from-string': { version: '2.0.2', dev: true },
    },
  };
  const bundled = ['node_modules/ajv', 'node_modules/ajv/node_modules/fast-uri'];
  expect(lockfileWith(lockfile, bundled).packages).toEqual({
    '': { dependencies: { jiti: '2.7.0' } },
    'node_modules/jiti': { version: '2.7.0' },
    'node_modules/ajv': { version: '8.20.0', dependencies: { 'fast-uri': '^3.0.0' } },
    'node_modules/ajv/node_modules/fast-uri': { version: '3.1.9', dependencies: {} },
  });
});
