import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { EXAMPLE_LOAD } from '../../contracts/run/load/load-run.testkit.ts';
import { RecordCorrupt, RecordNotWritten } from '../../target/record/record-error.ts';
import { LOAD_FILE, readLoad, writeLoad } from './load-record.ts';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'assay-load-record-'));
});
afterEach(() => {
  rmSync(dir, { recursive: true });
});

test('a record without the file is none of a load run', () => {
  expect(readLoad(dir)).toBeUndefined();
});

test('a load run that was killed left nothing but that it was one', () => {
  writeLoad(dir, {});
  expect(readLoad(dir)).toEqual({});
});

test('what load came to is read as it was written', () => {
  writeLoad(dir, { load: EXAMPLE_LOAD });
  expect(readLoad(dir)).toEqual({ load: EXAMPLE_LOAD });
});

test('statuses that count as throttled are read as they were written, also of a run that was killed', () => {
  writeLoad(dir, { throttleStatuses: [403, 503] });
  expect(readLoad(dir)).toEqual({ throttleStatuses: [403, 503] });
  writeLoad(dir, { load: EXAMPLE_LOAD, throttleStatuses: [503] });
  expect(readLoad(dir)).toEqual({ load: EXAMPLE_LOAD, throttleStatuses: [503] });
});

test.each([
  [
    'statuses of no errors',
    '{"schemaVersion":1,"throttleStatuses":[200]}',
    /no statuses of errors/,
  ],
  ['something else', '{"schemaVersion":1,"load":{"scenario":"x"}}', /must have required/],
  [
    'another member',
    JSON.stringify({ schemaVersion: 1, load: { ...EXAMPLE_LOAD, a: 1 } }),
    /additional/,
  ],
  ['another version', '{"schemaVersion":2}', /what load came to/],
  ['no object', '[]', /what load came to/],
])('a file that holds %s is refused', (_what, text, message) => {
  writeFileSync(join(dir, LOAD_FILE), text);
  expect(() => readLoad(dir)).toThrow(RecordCorrupt);
  expect(() => readLoad(dir)).toThrow(message);
});

test('a folder that takes no file is reported', () => {
  expect(() => {
    writeLoad(join(dir, 'gone'), {});
  }).toThrow(RecordNotWritten);
});
