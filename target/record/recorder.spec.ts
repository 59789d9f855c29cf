/** Long because it is a table of what may become of a record. */

import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Exchange } from '../../contracts/wire/exchange.ts';
import { bodyOf, bytesOf } from '../body/body.ts';
import { chainStart, seal } from './record-chain.ts';
import { RecordAltered, RecordCorrupt, RecordExists, RecordRefused } from './record-error.ts';
import { readAllExchanges, readExchanges } from './record-reader.ts';
import { createRecord, EXCHANGES_FILE, openRecorder } from './recorder.ts';
import { lacks } from '../../fixtures/machine-needs.testkit.ts';

const ID = { recordId: 'r1' };

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'assay-record-'));
});
afterEach(() => {
  rmSync(root, { recursive: true });
});

function exchange(id: string, text = '{"data":{}}'): Exchange {
  return {
    id,
    api: 'zap',
    purpose: { kind: 'valid' },
    relations: [],
    request: { method: 'GET', url: 'http://127.0.0.1/', path: '/', headers: [], body: null },
    outcome: {
      kind: 'response',
      response: { status: 200, headers: [['a', 'b']], body: { encoding: 'utf8', text } },
    },
    sentAtMs: 1,
    latencyMs: 2.5,
  };
}

function record(dir: string, ...exchanges: readonly Exchange[]): string {
  const recorder = openRecorder(dir, ID);
  exchanges.forEach(recorder.record);
  recorder.close();
  return join(dir, EXCHANGES_FILE);
}

describe('a record', () => {
  test('gives back what was recorded, in folders that did not exist', async () => {
    const dir = join(root, 'a/b');
    // Characters that other readers of lines break at.
    const written = [exchange('x00001', 'a\u2028b\u0085c\rd\ne'), exchange('x00002')];
    createRecord(dir);
    record(dir, ...written);
    expect(await readAllExchanges(dir, ID.recordId)).toEqual({ exchanges: written, tornLines: 0 });
  });

  test('is on disk after each exchange', () => {
    const recorder = openRecorder(root, ID);
    recorder.record(exchange('x00001'));
    expect(readFileSync(join(root, EXCHANGES_FILE), 'utf8')).toMatch(/x00001.*\n$/);
    recorder.close();
  });

  test('is never overwritten', () => {
    record(root, exchange('x00001'));
    expect(() => openRecorder(root, ID)).toThrow(RecordExists);
    expect(() => {
      createRecord(root);
    }).toThrow(/--out/);
    expect(readFileSync(join(root, EXCHANGES_FILE), 'utf8')).toContain('x00001');
  });

  test('that was begun, or judged, is not begun again', () => {
    createRecord(root);
    expect(() => {
      createRecord(root);
    }).toThrow(RecordExists);
    const judged = join(root, 'judged');
    mkdirSync(judged);
    writeFileSync(join(judged, 'run.json'), '{}');
    expect(() => {
      createRecord(judged);
    }).toThrow(RecordExists);
  });

  test.each([
    [
      'a file',
      (dir: string) => {
        writeFileSync(dir, 'x');
      },
      '',
    ],
    [
      'below a file',
      (dir: string) => {
        writeFileSync(dir, 'x');
      },
      '/a/b',
    ],
  ])('cannot be %s', (_what, make, below) => {
    const dir = join(root, 'there');
    make(dir);
    expect(() => {
      createRecord(dir + below);
    }).toThrow(RecordRefused);
  });

  test.skipIf(lacks('/proc'))(
    'cannot be if the system makes no folders, and that is said at once',
    () => {
      expect(() => {
        createRecord('/proc/none/such');
      }).toThrow(/\/proc\/none\/such cannot hold the record of a run/);
    },
  );

  test('grows no further than it may; what would pass that is not written', async () => {
    // An offset takes a few digits more on a busy machine.
    const offsetMs = 100_000;
    const one = JSON.stringify({ ...exchange('x00001'), offsetMs });
    const line = seal(one, chainStart('r1')).line.length;
    const recorder = openRecorder(root, { ...ID, maxRecordBytes: 2 * line });
    recorder.record(exchange('x00001'));
    recorder.record(exchange('x00002'));
    expect(() => {
      recorder.record(exchange('x00003'));
    }).toThrow(`the budget of ${2 * line} bytes for the record is used up. --max-record-bytes`);
    recorder.close();
    expect((await readAllExchanges(root, 'r1')).exchanges).toHaveLength(2);
  });

  test('says so when the system takes no more', () => {
    rmSync(join(root, EXCHANGES_FILE), { force: true });
    symlinkSync('/dev/full', join(root, EXCHANGES_FILE));
    const recorder = openRecorder(root, ID);
    expect(() => {
      recorder.record(exchange('x00001'));
    }).toThrow(/exchanges.ndjson could not be written: the disk is full/);
    recorder.close();
  });

  test('with a torn last line is read up to there, wherever it is torn', async () => {
    const file = record(root, exchange('x00001'), exchange('x00002', 'é'.repeat(20)));
    const whole = readFileSync(file);
    const firstLine = whole.indexOf('\n') + 1;
    for (let length = firstLine + 1; length < whole.length - 1; length += 7) {
      writeFileSync(file, whole);
      truncateSync(file, length);
      const { exchanges, tornLines } = await readAllExchanges(root, ID.recordId);
      expect(exchanges.map(({ id }) => id)).toEqual(['x00001']);
      expect(tornLines).toBe(1);
    }
  });

  test('of a killed process is readable', async () => {
    const script = `
      import { openRecorder } from ${JSON.stringify(join(import.meta.dirname, 'recorder.ts'))};
      const recorder = openRecorder(${JSON.stringify(root)}, { recordId: 'r1' });
      for (let at = 1; at <= 50; at += 1) recorder.record({ ...${JSON.stringify(exchange('x'))}, id: 'x' + at });
      process.kill(process.pid, 'SIGKILL');
    `;
    const runner = `
      const { runnerImport } = await import('vite');
      await runnerImport(process.argv[1], { configFile: false });
    `;
    const file = join(root, 'killed.ts');
    writeFileSync(file, script);
    const child = spawnSync(process.execPath, ['--input-type=module', '-e', runner, file], {
      cwd: import.meta.dirname,
    });
    expect(child.signal).toBe('SIGKILL');
    const { exchanges, tornLines } = await readAllExchanges(root, ID.recordId);
    expect(exchanges).toHaveLength(50);
    expect(tornLines).toBe(0);
  });

  test.each([
    ['no JSON', '{"id":}', /line 2: this is no exchange: this is not JSON/],
    ['another object', '{"id":"x1"}', /line 2: this is no exchange: its api/],
  ])('with %s in its chain is refused', async (_what, json, message) => {
    const file = record(root, exchange('x00001'));
    const before = JSON.parse(readFileSync(file, 'utf8')) as { chain: string };
    appendFileSync(file, seal(json, before.chain).line);
    const reading = readAllExchanges(root, 'r1');
    await expect(reading).rejects.toThrow(RecordCorrupt);
    await expect(reading).rejects.toThrow(message);
  });

  test.each<[string, (lines: string[]) => string[], number]>([
    ['altered', ([a = '', ...rest]) => [a.replace('200', '201'), ...rest], 1],
    ['removed', (lines) => lines.toSpliced(1, 1), 2],
    ['swapped', ([a = '', b = '', c = '']) => [b, a, c], 1],
    ['added', (lines) => [...lines, lines[2] ?? ''], 4],
    ['without a digest', () => [JSON.stringify(exchange('x00001'))], 1],
  ])('with a line %s is refused, and the line is named', async (_what, alter, line) => {
    const file = record(root, exchange('x00001'), exchange('x00002'), exchange('x00003'));
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    writeFileSync(file, `${alter(lines).join('\n')}\n`);
    const reading = readAllExchanges(root, 'r1');
    await expect(reading).rejects.toThrow(RecordAltered);
    await expect(reading).rejects.toThrow(`line ${line} does not continue the chain`);
  });

  test.each(['\n', '\r\n'])(
    'whose lines end in %j is distinguished from one that was altered',
    async (end) => {
      const file = record(root, exchange('x00001'), exchange('x00002'));
      writeFileSync(file, readFileSync(file, 'utf8').replaceAll('\n', end));
      const reading = readAllExchanges(root, 'r1');
      if (end === '\n') expect((await reading).exchanges).toHaveLength(2);
      else await expect(reading).rejects.toThrow(/line 1 ends in CR LF.* Restore .*-text/);
    },
  );

  test('of another run is refused', async () => {
    record(root, exchange('x00001'));
    await expect(readAllExchanges(root, 'r2')).rejects.toThrow(/line 1 .* those of another run/);
  });

  test('that is no plain file is not waited for', async () => {
    symlinkSync('/dev/zero', join(root, EXCHANGES_FILE));
    await expect(readAllExchanges(root, 'r1')).rejects.toThrow(/no plain file/);
  });

  test('is read one exchange at a time', async () => {
    const big = 'x'.repeat(1_000_000);
    record(root, ...Array.from({ length: 60 }, (_, at) => exchange(`x${at}`, big)));
    const before = process.memoryUsage().rss;
    let count = 0;
    for await (const { id } of readExchanges(root, ID.recordId)) {
      expect(id).toBe(`x${count}`);
      count += 1;
      if (count === 3) break;
    }
    expect(count).toBe(3);
    expect(process.memoryUsage().rss - before).toBeLessThan(40_000_000);
  });
});

describe('bodies', () => {
  test('give back their bytes, as text wherever they are text', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const body = JSON.parse(JSON.stringify(bodyOf(bytes))) as ReturnType<typeof bodyOf>;
        expect(Buffer.from(bytesOf(body)).equals(bytes)).toBe(true);
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(bodyOf(Buffer.from(text))).toEqual({ encoding: 'utf8', text });
      }),
    );
  });

  test('keep a byte order mark', () => {
    expect(bodyOf(Buffer.from([0xef, 0xbb, 0xbf, 0x7b, 0x7d])).text).toBe('\ufeff{}');
  });
});
