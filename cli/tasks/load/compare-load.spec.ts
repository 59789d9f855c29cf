import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { EXAMPLE_LOAD, loadMoment } from '../../../contracts/run/load/load-run.testkit.ts';
import type { LoadRound, RunLoad } from '../../../contracts/run/load/load-run.ts';
import type { RunTarget } from '../../../contracts/run/run.ts';
import { LatencyHistogram } from '../../../load/samples/latency-histogram.ts';
import { HistoryUnreadable } from '../../../load/trend/history.ts';
import { readLoad, TREND_PLOT_FILE, writeLoad } from '../../record/load-record.ts';
import { compareLoadTask, type CompareLoadInput, lookAtEarlierTask } from './compare-load.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'assay-compare-load-'));
});
afterEach(() => {
  rmSync(root, { recursive: true });
});

const SECRET = 'a-very-secret-word';
// Read once, when something is first redacted.
beforeAll(() => {
  vi.stubEnv('ASSAY_SECRET_NAME', SECRET);
});
afterAll(() => {
  vi.unstubAllEnvs();
});

const target: RunTarget = {
  kind: 'remote',
  urls: { zap: 'http://127.0.0.1' },
  credentials: [],
};

/** A load of 2,000 answers around so many milliseconds, in rounds beside a control of 5 ms. */
function loadOf(ms: number, changes: Partial<RunLoad> = {}): RunLoad {
  const counted = LatencyHistogram.create();
  for (let at = 0; at < 2_000; at += 1) counted.record(ms * (0.5 + (at % 100) / 100));
  const latency = counted.summary();
  const control = { ...latency, p50Ms: 5, p95Ms: 7, p99Ms: 8 };
  const rounds = Array.from({ length: 5 }, (_, at): LoadRound => {
    const wobble = 1 + 0.002 * at;
    const { p50Ms = 0, p95Ms = 0, p99Ms = 0 } = latency;
    const own = { p50Ms: p50Ms * wobble, p95Ms: p95Ms * wobble, p99Ms: p99Ms * wobble };
    return { target: { ...latency, ...own }, control };
  });
  return {
    ...EXAMPLE_LOAD,
    whole: { ...EXAMPLE_LOAD.whole, latency, histogram: counted.encode() },
    operations: EXAMPLE_LOAD.operations.map((row) => ({ ...row, latency })),
    moments: Array.from({ length: 40 }, (_, second) => loadMoment(second, { p50Ms: ms })),
    thresholds: [{ expression: 'dropped==0', measured: 0, held: true }],
    rounds,
    ...changes,
  };
}

/** Leaves the record of an earlier run. */
function keepRun(name: string, load: RunLoad): string {
  const [dir, at] = [join(root, 'nights', name), Number(name)];
  mkdirSync(dir, { recursive: true });
  const run = {
    ...{ startedAt: new Date(Date.UTC(2026, 0, at, 2)).toISOString(), complete: true },
    ...{ tool: { name: 'assay', version: '0.1.0' }, record: { id: `r${name}` }, target, load },
  };
  writeFileSync(join(dir, 'run.json'), JSON.stringify(run));
  return dir;
}

/** Compares a run that follows the others, and gives what its record holds then. */
function compared(
  load: RunLoad,
  earlier: CompareLoadInput['earlier'],
  more: Partial<CompareLoadInput> = {},
): RunLoad {
  const recordDir = join(root, 'nights', 'tonight');
  mkdirSync(recordDir, { recursive: true });
  writeLoad(recordDir, { load });
  compareLoadTask({
    ...{ earlier, recordDir, recordId: 'own', thresholds: ['slower==0'] },
    setting: { startedAt: new Date(Date.UTC(2026, 5, 1)), target },
    ...more,
  });
  const recorded = readLoad(recordDir)?.load;
  if (recorded === undefined) throw new Error('the record holds no load');
  return recorded;
}

const history = (): string => join(root, 'nights');
const slowerOf = ({ thresholds }: RunLoad): object | undefined =>
  thresholds.find(({ expression }) => expression.startsWith('slower'));

describe('a run among earlier nights', () => {
  /** Twenty-two nights at 20 ms, and some at another latency. */
  function keepNights(...after: readonly number[]): void {
    const nights = [...Array.from({ length: 22 }, () => 20), ...after];
    for (const [at, ms] of nights.entries()) {
      keepRun(String(at + 1), loadOf(ms * (1 + 0.01 * ((at * 7) % 5))));
    }
  }

  test('breaks the usual threshold with the night that shows a slow-down, and draws it', () => {
    keepNights(25, 25, 25, 25);
    expect(slowerOf(compared(loadOf(25.3), { history: history() }))).toMatchObject({ held: true });
    keepRun('27', loadOf(25));
    const load = compared(loadOf(25.3), { history: history() });
    expect(load.trend?.nights).toHaveLength(28);
    expect(slowerOf(load)).toMatchObject({ held: false });
    expect(load.trend?.series[0]?.shifts.at(-1)).toMatchObject({ isNew: true, cause: 'target' });
    expect(load.thresholds[0]?.expression).toBe('dropped==0');
    const plot = readFileSync(join(root, 'nights', 'tonight', TREND_PLOT_FILE), 'utf8');
    expect(plot).toContain('</svg>');
  });

  test('holds it if nothing has changed', () => {
    keepNights();
    const load = compared(loadOf(20.2), { history: history() });
    expect(slowerOf(load)).toEqual({ expression: 'slower==0', measured: 0, held: true });
  });

  test('is not held to it while there are too few nights', () => {
    keepRun('1', loadOf(20));
    const load = compared(loadOf(40), { history: history() });
    expect(slowerOf(load)).toBeUndefined();
    expect(load.trend?.series[0]?.verdict).toBe('unwatched');
    expect(load.trend?.notes).toEqual([
      expect.stringMatching(/^Nothing covers the figures of \d+ of/),
    ]);
  });

  test('is undecided if the others are of another machine', () => {
    const machine = { ...EXAMPLE_LOAD.machine, cpuModel: 'Another CPU' };
    keepRun('1', loadOf(20, { machine }));
    const load = compared(loadOf(20), { history: history() });
    expect(slowerOf(load)).toEqual({ expression: 'slower==0', held: false });
    expect(load.trend?.refused).toEqual([
      'The only earlier run, 1, cannot be compared with this one: it ran on another machine (a CPU: Another CPU, not Some CPU).',
    ]);
    expect(existsSync(join(root, 'nights', 'tonight', TREND_PLOT_FILE))).toBe(false);
  });

  test('holds no secret that stands in the names of others', () => {
    keepRun('1', loadOf(20));
    mkdirSync(join(history(), SECRET));
    writeFileSync(join(history(), SECRET, 'run.json'), '{');
    const load = compared(loadOf(20), { history: history() });
    expect(load.trend?.leftOut).toHaveLength(1);
    expect(JSON.stringify(load)).not.toContain(SECRET);
  });
});

describe('a run and a baseline', () => {
  test('that are apart beside a control break the threshold', () => {
    const baseline = keepRun('1', loadOf(20));
    const load = compared(loadOf(25), { baseline });
    expect(load.baseline?.rows[0]).toMatchObject({ verdict: 'slower', figure: 'ratio' });
    expect(slowerOf(load)).toMatchObject({ held: false, measured: 3 });
    expect(load.trend).toBeUndefined();
  });

  test('that are alike hold it', () => {
    const baseline = keepRun('1', loadOf(20));
    expect(slowerOf(compared(loadOf(20), { baseline }))).toMatchObject({ held: true, measured: 0 });
  });

  test('that are apart without a control are undecided', () => {
    const baseline = keepRun('1', { ...loadOf(20), rounds: [] });
    const load = compared({ ...loadOf(40), rounds: [] }, { baseline });
    expect(load.baseline?.rows[0]).toMatchObject({ verdict: 'slower', figure: 'absolute' });
    expect(slowerOf(load)).toEqual({ expression: 'slower==0', held: false });
  });

  test('are undecided if the baseline is gone by then, which is reported', () => {
    const seen = { run: 'then', startedAt: '2026-01-01T02:00:00.000Z' };
    const load = compared(loadOf(20), { baseline: join(root, 'gone') }, { seen });
    expect(load.baseline).toMatchObject(seen);
    expect(load.baseline?.refused[0]).toMatch(/^The baseline was not compared: .*gone cannot be/);
    expect(slowerOf(load)).toEqual({ expression: 'slower==0', held: false });
  });
});

test('what could not be read is reported of both', () => {
  const earlier = { history: history(), baseline: keepRun('1', loadOf(20)) };
  const load = compared(loadOf(20), earlier, { unread: 'it was interrupted.' });
  expect(load.trend?.refused).toEqual([
    'This run was not compared with earlier ones: it was interrupted.',
  ]);
  expect(load.baseline?.refused).toEqual(['The baseline was not compared: it was interrupted.']);
});

describe('before anything is sent', () => {
  const look = (
    earlier: CompareLoadInput['earlier'],
    out = 'nights/tonight',
  ): ReturnType<typeof lookAtEarlierTask> =>
    lookAtEarlierTask({ earlier, recordDir: join(root, out) });

  test('a history that this run begins is none yet', async () => {
    expect(await look({ history: history() })).toBeUndefined();
    await expect(look({ history: history() }, 'elsewhere/tonight')).rejects.toThrow(
      HistoryUnreadable,
    );
  });

  test('a baseline is seen, or refused', async () => {
    const baseline = keepRun('1', loadOf(20));
    expect(await look({ baseline })).toEqual({
      ...{ run: '1', startedAt: '2026-01-01T02:00:00.000Z' },
      notice: expect.stringMatching(/^Nothing covers what /) as string,
    });
    const torn = keepRun('2', loadOf(20, { whole: { ...loadOf(20).whole, histogram: 'AAAA' } }));
    await expect(look({ baseline: torn })).rejects.toThrow(/histograms cannot be read/);
    await expect(look({ baseline: root })).rejects.toThrow(/it has no run\.json/);
  });
});
