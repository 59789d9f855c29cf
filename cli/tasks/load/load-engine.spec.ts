import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tool } from '../../package.ts';
import { engineVersion } from './load-engine.ts';

test('the version of an engine is that of the program that sends', () => {
  const { version } = JSON.parse(readFileSync('node_modules/autocannon/package.json', 'utf8')) as {
    readonly version: string;
  };
  expect(engineVersion({ name: 'autocannon' })).toBe(version);
  expect(engineVersion({ name: 'k6', k6: { file: 'k6', version: '1.8.1' } })).toBe('1.8.1');
  expect(engineVersion({ name: 'open-loop' })).toBe(tool().version);
});
