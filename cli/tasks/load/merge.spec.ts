import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { exchangeOf } from '../../../contracts/judging/exchange.testkit.ts';
import type { RunLoad } from '../../../contracts/run/load/load-run.ts';
import { EVERY_RULE } from '../../../contracts/judging/rule-choice.ts';
import type { Exchange } from '../../../contracts/wire/exchange.ts';
import { RecordAltered } from '../../../target/record/record-error.ts';
import { readAllExchanges, readExchanges } from '../../../target/record/record-reader.ts';
import { createRecord, openRecorder } from '../../../target/record/recorder.ts';
import { NotAHistogram } from '../../../load/samples/hdr-text.ts';
import { partLoad } from '../../load/load-part.testkit.ts';
import { LOAD_PLOT_FILE, readLoad } from '../../record/load-record.ts';
import { mergeExchangesTask, mergeLoadsTask, type PartRecord } from './merge.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-merge-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const setting = { startedAt: new Date('2026-01-02T03:04:05Z'), waivers: [], choice: EVERY_RULE };

function merged(thresholds: readonly string[], ...loads: readonly RunLoad[]): Promise<RunLoad> {
  const parts = loads.map((load, at) => ({ index: at + 1, load }));
  return mergeLoadsTask({ parts, contractsOf: folder, thresholds, setting, apis: ['zap'] });
}

test('thresholds are decided on the sum', async () => {
  const quick = partLoad(1, 2, 10);
  const slow = partLoad(2, 2, 400);
  const load = await merged(
    ['p50<100ms', 'p99<300ms', 'dropped==0', 'violations==0', 'rate>14/s'],
    quick,
    slow,
  );
  expect(load.thresholds.map(({ held }) => held)).toEqual([true, false, true, true, true]);
  expect(load.thresholds[4]?.measured).toBe(15);
  expect(load.whole.counts.sent).toBe(60);
  expect(load.invalid).toEqual([]);
});

test('wrong answers of all parts fail the run by the level of their rule', async () => {
  const violation = (rule: string): Partial<RunLoad> => ({
    violations: [
      {
        ...{ rule, count: 2, firstStep: 1, firstExchange: 'x00001' },
        bySteps: [
          { judged: 5, broken: 0 },
          { judged: 5, broken: 2 },
        ],
      },
    ],
  });
  const must = violation('zap.pools.within-limit');
  const should = violation('zap.limits.herd-drains');
  const load = await merged(
    ['violations==0'],
    { ...partLoad(1, 2), ...must },
    { ...partLoad(2, 2), ...should },
  );
  expect(load.thresholds).toEqual([{ expression: 'violations==0', measured: 2, held: false }]);
  expect(load.violations.map(({ firstExchange }) => firstExchange)).toEqual([
    'p1-x00001',
    'p2-x00001',
  ]);
});

test('a part that does not count makes the whole not count, and is named', async () => {
  const invalid = ['It was late.'];
  const load = await merged([], { ...partLoad(1, 2), invalid }, partLoad(2, 2));
  expect(load.invalid).toEqual(['Part 1: It was late.']);
});

test('figures that count of each part may not count of the whole', async () => {
  // A lag of 90 ms is a small part of the slow part's latencies, and more than a fifth of those of the whole.
  const late = partLoad(1, 3, 400);
  const load = await merged(
    [],
    { ...late, generator: { ...late.generator, fireLagP99Ms: 90 } },
    ...[2, 3].map((index) => partLoad(index, 3, 10)),
  );
  expect(load.invalid.join()).toMatch(/One request in 100 left 90 ms or more after its time/);
});

test('what is no histogram is reported', async () => {
  const load = partLoad(1, 2);
  const odd = { ...load, whole: { ...load.whole, histogram: 'AAAA' } };
  await expect(merged([], odd, partLoad(2, 2))).rejects.toThrow(NotAHistogram);
});

/** Exchanges that ended at such times. */
function endedAt(...times: readonly number[]): Exchange[] {
  const answered = { status: 'success', data: {} };
  return times.map((sentAtMs, at) => ({
    ...exchangeOf({ id: `x0000${at + 1}`, path: '/v1/config/providers', answered }),
    sentAtMs,
  }));
}

async function write(
  change: (records: PartRecord[]) => void,
  maxRecordBytes = 1e6,
): Promise<{
  readonly end: Awaited<ReturnType<typeof mergeExchangesTask>>;
  readonly ids: string[];
}> {
  const records: PartRecord[] = [];
  for (const [at, exchanges] of [endedAt(5, 7), endedAt(1, 6)].entries()) {
    const [dir, recordId] = [join(folder, `part-${at + 1}`), `record-${at + 1}`];
    createRecord(dir);
    const recorder = openRecorder(dir, { recordId });
    for (const exchange of exchanges) recorder.record(exchange);
    recorder.close();
    const reader = readExchanges(dir, recordId);
    for await (const { id } of reader) expect(id).toMatch(/^x/);
    records.push({ index: at + 1, dir, recordId, head: reader.head });
  }
  change(records);
  const recordDir = join(folder, 'whole');
  createRecord(recordDir);
  const load = partLoad(1, 2);
  const end = await mergeExchangesTask(
    { recordDir, recordId: 'whole', maxRecordBytes, parts: records, load },
    { signal: new AbortController().signal },
  );
  expect(readLoad(recordDir)).toEqual({ load });
  expect(readFileSync(join(recordDir, LOAD_PLOT_FILE), 'utf8')).toContain('</svg>');
  const { exchanges } = await readAllExchanges(recordDir, 'whole');
  return { end, ids: exchanges.map(({ id }) => id) };
}

test('the record of the whole has the exchanges of all parts, in a chain of its own', async () => {
  const { end, ids } = await write(() => undefined);
  expect(end).toMatchObject({ cutShort: false, notices: [], recorded: { exchanges: 4 } });
  expect(ids).toEqual(['p2-x00001', 'p1-x00001', 'p2-x00002', 'p1-x00002']);
});

test('a record that is full says so', async () => {
  const { end, ids } = await write(() => undefined, 1500);
  expect(ids).toHaveLength(3);
  expect(end).toMatchObject({
    cutShort: true,
    notices: [expect.stringMatching(/full at 1500 bytes.*--max-record-bytes/)],
  });
});

test.each([
  [
    'a byte was changed',
    ({ dir }: PartRecord) => {
      const file = join(dir, 'exchanges.ndjson');
      writeFileSync(file, readFileSync(file, 'utf8').replace('"success', '"succeSs'));
    },
  ],
  [
    'lines were added that fit the chain of another',
    ({ dir }: PartRecord) => {
      const text = readFileSync(join(dir, '..', 'part-1', 'exchanges.ndjson'), 'utf8');
      appendFileSync(join(dir, 'exchanges.ndjson'), text);
    },
  ],
  [
    'the last line was taken away',
    ({ dir }: PartRecord) => {
      const file = join(dir, 'exchanges.ndjson');
      const [first] = readFileSync(file, 'utf8').split('\n');
      writeFileSync(file, `${first ?? ''}\n`);
    },
  ],
])('after it was judged, %s: the part is no evidence', async (_what, change) => {
  const changed = write((records) => {
    const [, second] = records;
    if (second !== undefined) change(second);
  });
  await expect(changed).rejects.toThrow(RecordAltered);
});
