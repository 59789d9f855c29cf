import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { exchangeOf } from '../../contracts/judging/exchange.testkit.ts';
import type { Exchange } from '../../contracts/wire/exchange.ts';
import { RecordAltered } from '../../target/record/record-error.ts';
import { readExchanges } from '../../target/record/record-reader.ts';
import { createRecord, openRecorder } from '../../target/record/recorder.ts';
import { sealTask } from './seal.ts';

const INPUT = {
  ...{ recordId: 'r1', apis: ['zap'], end: { cutShort: false, notices: [] } },
  ...{ endedAt: new Date('2026-01-02T03:04:05Z'), lengthMs: 60_000 },
};
const UNANSWERED: Exchange = {
  ...exchangeOf({ id: 'x00003' }),
  outcome: { kind: 'failure', failure: 'timeout', message: 'no answer' },
};
const EXCHANGES = [
  exchangeOf({ id: 'x00001' }),
  exchangeOf({ id: 'x00002', status: 429 }),
  UNANSWERED,
];

let dir = '';
beforeEach(() => {
  dir = join(mkdtempSync(join(tmpdir(), 'assay-seal-')), 'record');
  createRecord(dir);
  const recorder = openRecorder(dir, { recordId: INPUT.recordId });
  EXCHANGES.forEach(recorder.record);
  recorder.close();
});
afterEach(() => {
  rmSync(join(dir, '..'), { recursive: true });
});

test('a seal counts what was recorded, and ends where the chain does', async () => {
  writeFileSync(join(dir, 'counterexamples.ndjson'), '');
  const reader = readExchanges(dir, INPUT.recordId);
  for await (const exchange of reader) expect(exchange.api).toBe('zap');
  expect(await sealTask({ dir, ...INPUT })).toEqual({
    record: {
      id: 'r1',
      exchanges: 3,
      head: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      files: { 'counterexamples.ndjson': expect.stringMatching(/^[0-9a-f]{64}$/) as string },
    },
    counts: { requests: 3, exchanges: 3, answered: 1, throttled: 1, failed: 1 },
    endedAt: '2026-01-02T03:04:05.000Z',
    tail: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
  });
});

test('a record whose last line is torn has no seal', async () => {
  appendFileSync(join(dir, 'exchanges.ndjson'), '{"id":"x00004"');
  expect(await sealTask({ dir, ...INPUT })).toBeUndefined();
});

test('what is no chain of its run has none either', async () => {
  await expect(sealTask({ dir, ...INPUT, recordId: 'r2' })).rejects.toThrow(RecordAltered);
});
