import type * as NodeFs from 'node:fs';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { exchangeOf } from '../../contracts/judging/exchange.testkit.ts';
import type { RecordLine } from '../../contracts/run/record-lines.ts';
import { chainStart } from './record-chain.ts';
import { RecordNotWritten } from './record-error.ts';
import { appendLine, createRecord, openRecorder } from './recorder.ts';

/** Whether the disk takes ten more bytes and no others. */
const disk = vi.hoisted(() => ({ isFull: false }));

vi.mock('node:fs', async (importOriginal) => {
  const fs = await importOriginal<typeof NodeFs>();
  const refuse = (): never => {
    throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
  };
  return {
    ...fs,
    writeSync: (descriptor: number, line: Buffer, from: number): number => {
      if (!disk.isFull) return fs.writeSync(descriptor, line, from);
      return from > 0 ? refuse() : fs.writeSync(descriptor, line, 0, 10);
    },
    writeFileSync: (file: number | string, text: Uint8Array | string): void => {
      if (!disk.isFull) {
        fs.writeFileSync(file, text);
        return;
      }
      fs.writeSync(file as number, Buffer.from(text), 0, 10);
      refuse();
    },
  };
});

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'assay-full-'));
});
afterEach(() => {
  disk.isFull = false;
  rmSync(dir, { recursive: true });
});

const lines = (): string => readFileSync(join(dir, 'exchanges.ndjson'), 'utf8');

test('an exchange that a full disk takes half of is taken back', () => {
  createRecord(dir);
  const recorder = openRecorder(dir, { recordId: 'r1' });
  recorder.record(exchangeOf({ id: 'x00001' }));
  const before = lines();
  disk.isFull = true;
  expect(() => {
    recorder.record(exchangeOf({ id: 'x00002' }));
  }).toThrow(RecordNotWritten);
  expect([lines(), recorder.recorded().exchanges]).toEqual([before, 1]);
  recorder.close();
});

test('so is a line on the run', () => {
  createRecord(dir);
  const line: RecordLine = { judged: { sha256: 'a' } };
  const head = appendLine(dir, chainStart('r1'), line);
  const before = lines();
  disk.isFull = true;
  expect(() => appendLine(dir, head, line)).toThrow(RecordNotWritten);
  expect(lines()).toBe(before);
});
