import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileFunction } from 'node:vm';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { expect, onTestFinished, test } from 'vitest';
import { writeEarlierRecord } from '../../fixtures/records/earlier-records.testkit.ts';
import { compiledModule, departureFrom } from './run-schema.ts';

/** The functions that the build writes, run from their text. */
function builtNow(): Record<'run' | 'load', ValidateFunction> {
  const exported = {} as Record<'run' | 'load', ValidateFunction>;
  const { text } = compiledModule();
  const module = compileFunction(text, ['exports', 'require']) as (...args: unknown[]) => void;
  module(exported, createRequire(import.meta.url));
  return exported;
}

test('what the build compiles takes a summary of a run, and says where another departs from the schema', () => {
  const { run, load } = builtNow();
  const dir = mkdtempSync(join(tmpdir(), 'assay-schema-'));
  onTestFinished(() => {
    rmSync(dir, { recursive: true });
  });
  writeEarlierRecord('load', dir);
  const read = (name: string): object =>
    JSON.parse(readFileSync(join(dir, name), 'utf8')) as object;
  const summary = read('run.json');
  expect([run(summary), run.errors]).toEqual([true, null]);
  expect(run({ ...summary, startedAt: 'noon' })).toBe(false);
  expect(departureFrom(run)).toBe('/startedAt must match format "date-time"');
  expect(load({})).toBe(false);
  expect(departureFrom(load)).toMatch(/^it must have required property/);
});
