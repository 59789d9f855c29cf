import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { createRedactor } from '../../../target/redaction/redactor.ts';
import { K6Failed, problemOf, UnfitOutput } from './k6.ts';
import { type K6Ending, k6EndOf, runK6 } from './k6-process.ts';

const ended = (rest: Partial<K6Ending>): K6Ending => ({
  ...{ code: 0, said: '', cpuSeconds: undefined, wasAsked: false, wasOverdue: false },
  ...rest,
});

test('exit codes are sentences', () => {
  for (const code of [0, 99, 104, 105, 107, 108, 110, 255, 77, null]) {
    expect(k6EndOf(ended({ code })).sentence).toMatch(/\.$/);
  }
  expect([0, 99, 105, 110, 107].map((code) => k6EndOf(ended({ code })).kind)).toEqual([
    ...['complete', 'thresholds', 'interrupted', 'spoilt', 'failed'],
  ]);
  // As on Windows, where it ends at once if it is asked to.
  expect([false, true].map((wasAsked) => k6EndOf(ended({ code: null, wasAsked })).kind)).toEqual([
    ...['failed', 'interrupted'],
  ]);
});

test('an exit code that says nothing of the cause is reported as it is', () => {
  for (const code of [77, 255]) {
    expect(k6EndOf(ended({ code })).sentence).toBe(`k6 ended with exit code ${code}.`);
  }
});

const redactor = createRedactor({});
const problem = (said: string, outputs: readonly string[] = []): string | undefined =>
  problemOf(ended({ code: 255, said }), redactor, outputs);

test('an output that k6 does not take is wrong use, by its name alone', () => {
  const said = `level=error msg="invalid output type 'nonsense', available types are: csv"`;
  expect(() => problem(said, ['json=a.json', 'nonsense'])).toThrow(UnfitOutput);
  expect(() => problem(said, ['nonsense'])).toThrow(
    /^k6 does not take --k6-out 'nonsense' as .*csv/,
  );
  const file = 'level=error msg="open /none/a.json: no such file or directory"';
  expect(() => problem(file, ['json=/none/a.json'])).toThrow(/--k6-out 'json' .*no such file/);
  expect(() => problem('level=error msg="json: no way"', ['json=a.json'])).toThrow(K6Failed);
});

test('a password in what k6 said of a URL is not repeated', () => {
  const said = 'level=error msg="no route to http://user:secret-word@influx.example:8086/db"';
  const url = 'influxdb=http://user:secret-word@influx.example:8086/db';
  for (const outputs of [[url], []]) {
    expect(() => problem(said, outputs)).toThrow(/…@influx\.example/);
    expect(() => problem(said, outputs)).not.toThrow(/secret-word/);
  }
});

test('a k6 that does not end is ended by force, and that is said', async () => {
  const ending = await runK6({
    ...{ file: process.execPath, args: ['-e', 'setInterval(() => 0, 1_000)'], env: {} },
    ...{ cwd: tmpdir(), signal: new AbortController().signal, mostMs: 200 },
    onOutput: () => undefined,
  });
  expect(ending).toMatchObject({ code: null, wasAsked: false, wasOverdue: true });
  expect(k6EndOf(ending).sentence).toContain('Assay ended it by force');
});
