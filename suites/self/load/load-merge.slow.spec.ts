import { copyFileSync, cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LoadCounts, LoadRow } from '../../../contracts/run/load/load-run.ts';
import { k6ForTests } from '../../../load/engines/k6/k6.testkit.ts';
import { LatencyHistogram } from '../../../load/samples/latency-histogram.ts';
import { assay, exchangesOf, runOf, scratch, serve, type Served } from '../command-line.ts';

const folder = scratch();
const k6 = await k6ForTests();
/** A machine that is busy with other specs may be late: then the figures do not count, and it says so. */
const WELL = [0, 3];

let served: Served;
beforeAll(async () => {
  const none = ['--zap-limit', 'none', '--trade-limit', 'none', '--trade-key-limit', 'none'];
  served = await serve(none);
});
afterAll(() => {
  served.process.process.kill('SIGTERM');
});

/** Runs all parts of a scenario beside one another; the folders of their records. */
async function partsOf(count: number, flags: readonly string[]): Promise<string[]> {
  const { zap, trade } = served.urls;
  return Promise.all(
    Array.from({ length: count }, async (_, at) => {
      const out = folder();
      const { code, said } = await assay([
        ...['load', '--zap-url', zap, '--trade-url', trade, '--scenario', 'average'],
        ...['--seconds', '6', '--rate', '40', '--label', 'commit=4f2a91c'],
        ...['--label', `node=${at}`, '--segment', `${at + 1}/${count}`, '--out', out, ...flags],
      ]);
      expect(WELL, said).toContain(code);
      expect(runOf(out).load, said).toBeDefined();
      return out;
    }),
  );
}

function loadOf(dir: string): NonNullable<ReturnType<typeof runOf>['load']> {
  return runOf(dir).load ?? expect.fail();
}

function sum(all: readonly LoadCounts[]): Record<string, number> {
  const names = ['offered', 'sent', 'served', 'errors', 'throttled', 'failed'] as const;
  return Object.fromEntries(
    names.map((name) => [name, all.reduce((total, counts) => total + counts[name], 0)]),
  );
}

/** That a row of the whole is those of its parts added up, in counts and in histograms. */
function expectSum(whole: LoadRow, parts: readonly (LoadRow | undefined)[]): void {
  const there = parts.filter((row) => row !== undefined);
  expect(whole.counts).toMatchObject(sum(there.map(({ counts }) => counts)));
  const added = LatencyHistogram.create();
  for (const { histogram } of there) added.add(LatencyHistogram.decode(histogram));
  expect(whole.latency).toEqual(added.summary());
}

const ENGINES = [
  ['open-loop', []],
  ['k6', ['--engine', 'k6', '--k6', k6?.file ?? '']],
] as const;

describe.each(ENGINES)('parts by %s', (engine, flags) => {
  test.skipIf(engine === 'k6' && k6 === undefined)('add up to a run of their own', async () => {
    const parts = await partsOf(2, flags);
    const out = folder();
    const { code, said } = await assay(['load', '--merge', ...parts.toReversed(), '--out', out]);
    expect(WELL, said).toContain(code);
    expect(said).toContain('load average:');
    const [load, loads] = [loadOf(out), parts.map(loadOf)];
    // The schedule of 6 s, of which nothing was lost between them.
    expect(load.whole.counts.offered).toBe(loads[0]?.scenario === 'average' ? 200 : 0);
    expectSum(
      load.whole,
      loads.map(({ whole }) => whole),
    );
    load.steps.forEach((step, at) => {
      expectSum(
        step,
        loads.map(({ steps }) => steps[at]),
      );
    });
    for (const row of load.operations) {
      expectSum(
        row,
        loads.map(({ operations }) =>
          operations.find(({ operation }) => operation === row.operation),
        ),
      );
    }
    expect(load.judged.answers).toBe(loads.reduce((all, { judged }) => all + judged.answers, 0));
    expect(load.machines).toHaveLength(2);
    const run = runOf(out);
    expect(run.outcome, said).toBe('conforms');
    expect(run.labels).toEqual({ commit: '4f2a91c' });
    expect(readFileSync(join(out, 'load.svg'), 'utf8')).toContain('</svg>');
    const ids = exchangesOf(out).map(({ id }) => id);
    const ofParts = parts.flatMap((dir, at) =>
      exchangesOf(dir).map(({ id }) => `p${at + 1}-${id}`),
    );
    expect(ids.toSorted()).toEqual(ofParts.toSorted());
    const judged = await assay(['judge', out, '--json']);
    expect(JSON.parse(judged.stdout)).toEqual(run);
    expect(judged.code).toBe(code);
  });
});

test('what is no whole run of unaltered parts is refused', async () => {
  const [one = '', two = ''] = await partsOf(2, []);
  const refused = async (dirs: readonly string[], flags: readonly string[] = []) => {
    const out = folder();
    const ended = await assay(['load', '--merge', ...dirs, '--out', out, ...flags]);
    expect(existsSync(out)).toBe(false);
    return ended;
  };
  const altered = folder();
  cpSync(two, altered, { recursive: true });
  const file = join(altered, 'exchanges.ndjson');
  const text = readFileSync(file, 'utf8');
  const at = text.indexOf('"status":200') + '"status":20'.length;
  writeFileSync(file, `${text.slice(0, at)}1${text.slice(at + 1)}`);
  const changed = await refused([one, altered]);
  expect(changed.code, changed.said).toBe(4);
  expect(changed.said).toContain('does not continue the chain');
  copyFileSync(join(two, 'exchanges.ndjson'), file);
  const figures = join(altered, 'load.json');
  writeFileSync(figures, readFileSync(figures, 'utf8').replace('"dropped":0', '"dropped":1'));
  const faked = await refused([one, altered]);
  expect(faked.code, faked.said).toBe(4);
  expect(faked.said).toContain('load.json');

  const missing = await refused([two]);
  expect(missing.code).toBe(2);
  expect(missing.said).toContain('part 1 of 2 is missing');
  const doubled = await refused([one, two, one]);
  expect(doubled.code).toBe(2);
  expect(doubled.said).toContain('part 1 is there more than once');
  const none = await refused([one, folder()]);
  expect(none.code).toBe(2);
  expect(none.said).toContain('holds no run record');
  const other = await refused([one, two], ['--rate', '5']);
  expect(other.code).toBe(2);
  expect(other.said).toContain('--rate has no meaning beside it');

  // A threshold of one's own, decided on the sum.
  const out = folder();
  const { code } = await assay([
    ...['load', '--merge', one, two, '--out', out, '--threshold', 'rate>1000/s'],
  ]);
  expect([1, 3]).toContain(code);
  expect(loadOf(out).thresholds.find(({ expression }) => expression === 'rate>1000/s')?.held).toBe(
    false,
  );
});
