/** Long because rounds that are left out, added up or cut short are all tried with one engine. */

import { describe, expect, test } from 'vitest';
import { exchangeOf } from '../../contracts/judging/exchange.testkit.ts';
import { EXAMPLE_LOAD } from '../../contracts/run/load/load-run.testkit.ts';
import type { LoadEngine, PreparedRequest } from '../engine.ts';
import type { LiveJudge } from '../judging/live-judge.ts';
import { hold, scenario } from '../scenarios/scenario.testkit.ts';
import { scheduleOf } from '../scenarios/schedule.ts';
import { parseThreshold } from '../../contracts/run/load/threshold.ts';
import { startRounds } from './load-rounds.ts';
import type { RunDescription } from './run-description.ts';
import type { LoadEnded } from './run-load.ts';
import { scriptedEngine } from './scripted-engine.testkit.ts';
import { TYPED_ERRORS } from '../../contracts/service/wire/error-body.ts';

const LIST: PreparedRequest = {
  operation: 'zap.pools',
  request: { api: 'zap', method: 'GET', path: '/v1/pools', purpose: { kind: 'valid' } },
};
const made = scenario({ steps: [hold(10, 2, 'first'), hold(20, 2, 'second')] });

interface Wish extends Partial<Pick<RunDescription, 'thresholds'>> {
  readonly rounds?: number;
  readonly signal?: AbortSignal;
  readonly judge?: LiveJudge;
}

function run(
  target: (round: number) => LoadEngine,
  control: LoadEngine = scriptedEngine(() => ({ latencyMs: 5 })),
  { rounds = 3, signal = new AbortController().signal, judge, ...more }: Wish = {},
): Promise<LoadEnded> {
  const description: RunDescription = {
    job: {
      ...{ scenario: made, schedule: scheduleOf(made), requests: [LIST], choose: () => LIST },
      isThrottled: TYPED_ERRORS.isThrottled,
      waitIn: TYPED_ERRORS.waitIn,
      ...{ timeoutMs: 1000, maxBodyBytes: 1000, connections: 10, signal },
    },
    engine: target,
    ...{ version: '1', machine: EXAMPLE_LOAD.machine, keep: () => true },
    thresholds: [parseThreshold('p50<30ms'), parseThreshold('rate>=14/s')],
    failsRun: () => true,
    ...more,
  };
  const beside = { engine: control, requests: [LIST], choose: () => LIST, scenario: made };
  return startRounds(description, { count: rounds, control: beside }, judge).ended;
}

describe('a load run in rounds', () => {
  test('is its rounds added up, each beside its control', async () => {
    const { load, notices } = await run((round) =>
      scriptedEngine(() => ({ latencyMs: 20 + 10 * round })),
    );
    expect(notices).toEqual([]);
    expect(load.whole.counts).toMatchObject({ offered: 180, sent: 180, served: 180 });
    expect(load.rounds?.map(({ target, control }) => [target.p50Ms, control.p50Ms])).toEqual([
      [20, 5],
      [30, 5],
      [40, 5],
    ]);
    expect(load.rounds?.[2]?.operations?.['zap.pools']?.count).toBe(60);
    // Read from the histograms of all rounds, not from their percentiles.
    expect(load.whole.latency.p50Ms).toBeCloseTo(30, 1);
    expect(load.whole.latency.p99Ms).toBeCloseTo(40, 1);
    expect(load.invalid).toEqual([]);
  });

  test('has the rates of its schedule, and moments that follow each other', async () => {
    const { load } = await run(() => scriptedEngine());
    expect(
      load.steps.map(({ name, seconds, offeredPerSecond, counts }) => [
        ...[name, seconds, offeredPerSecond, counts.sent],
      ]),
    ).toEqual([
      ['first', 6, 10, 60],
      ['second', 6, 20, 120],
    ]);
    expect(load.moments.map(({ second }) => second)).toEqual(
      Array.from({ length: 12 }, (_, second) => second),
    );
    expect(load.thresholds).toEqual([
      { expression: 'p50<30ms', measured: load.whole.latency.p50Ms, held: true },
      { expression: 'rate>=14/s', measured: 15, held: true },
    ]);
  });

  test('leaves out of the comparison what its control was held up in', async () => {
    let halves = 0;
    const control: LoadEngine = {
      ...scriptedEngine(),
      run: (job) => {
        halves += 1;
        if (halves === 2) return scriptedEngine(() => ({}), { fireLagP99Ms: 300 }).run(job);
        const fate = halves === 3 ? 'timeout' : 'served';
        return scriptedEngine((slot) => (slot === 0 ? { fate } : {})).run(job);
      },
    };
    const { load, notices } = await run(() => scriptedEngine(), control);
    expect(load.rounds).toHaveLength(1);
    expect(load.countedRounds).toBe(3);
    expect(load.invalid).toEqual([]);
    expect(load.whole.counts.sent).toBe(180);
    expect(notices).toEqual([
      expect.stringMatching(
        /^Round 2 is not compared, for its control: One request in 100 left 300/,
      ),
      'Round 3 is not compared, for its control: 1 of its 60 requests were not served.',
    ]);
  });

  test('does not count where a round of the target was held up', async () => {
    const { load } = await run((round) =>
      scriptedEngine(() => ({}), round === 1 ? { dropped: 4 } : {}),
    );
    expect(load.invalid).toEqual([expect.stringMatching(/^Round 2: 4 of 64 requests/)]);
    expect(load.generator.dropped).toBe(4);
  });

  test('leaves out one late round of four, and says so', async () => {
    const { load, notices } = await run(
      (round) =>
        round === 1
          ? scriptedEngine(() => ({ latencyMs: 400 }), { fireLagP99Ms: 300 })
          : scriptedEngine(() => ({ latencyMs: 20 + round })),
      undefined,
      { rounds: 4 },
    );
    expect(load.invalid).toEqual([]);
    expect(load.whole.counts).toMatchObject({ offered: 180, served: 180 });
    expect(load.whole.latency.worstMs).toBeLessThan(30);
    expect(load.generator.fireLagP99Ms).toBe(1);
    expect(load.rounds?.map(({ target }) => Math.round(target.p50Ms ?? NaN))).toEqual([20, 22, 23]);
    expect(load.countedRounds).toBe(3);
    expect(load.leftOutRounds).toEqual([
      { round: 2, invalid: [expect.stringMatching(/^One request in 100 left 300 ms/)] },
    ]);
    expect(notices).toEqual([
      expect.stringMatching(
        /^Round 2 of 4 is left out of all figures of load, and its answers are judged all the same: One request in 100 left 300 ms/,
      ),
    ]);
  });

  test('does not count where no more than two rounds, or half of them, are left', async () => {
    const late =
      (...which: number[]) =>
      (round: number) =>
        scriptedEngine(() => ({}), which.includes(round) ? { dropped: 1 } : {});
    for (const [rounds, engine] of [
      [3, late(0)],
      [6, late(0, 2, 4)],
    ] as const) {
      const { load, notices } = await run(engine, undefined, { rounds });
      expect(load.invalid[0]).toMatch(/^Round 1: 1 of 61 requests/);
      expect(load.whole.counts.sent).toBe(60 * rounds);
      expect([load.leftOutRounds, notices]).toEqual([undefined, []]);
    }
  });

  test.each([
    ['has errors', { fate: 'serverError' }, { dropped: 1 }],
    ['has failures', { fate: 'timeout' }, { dropped: 1 }],
    ['waited for connections', {}, { waitedAtCeiling: 30 }],
  ] as const)('leaves out no late round that %s', async (_, first, facts) => {
    const { load } = await run(
      (round) => scriptedEngine((slot) => (slot === 0 ? first : {}), round === 1 ? facts : {}),
      undefined,
      { rounds: 5 },
    );
    expect(load.invalid).toEqual([expect.stringMatching(/^Round 2: /)]);
    expect(load.leftOutRounds).toBeUndefined();
  });

  test('keeps what was measured when it is interrupted', async () => {
    const controller = new AbortController();
    const { load } = await run(
      (round) =>
        scriptedEngine(
          () => ({}),
          { unanswered: round === 1 ? 3 : 0 },
          (_, { slot }) => {
            if (round === 1 && slot === 9) controller.abort();
          },
        ),
      undefined,
      { signal: controller.signal },
    );
    expect(load.rounds).toHaveLength(1);
    expect(load.whole.counts.sent).toBe(70);
    expect(load.whole.counts.offered).toBe(70);
    const interrupted = { atSeconds: expect.closeTo(4.9, 1) as number, ofSeconds: 12 };
    expect(load).toMatchObject({ interrupted, unanswered: 3 });
  });

  test('that is interrupted before it begins has sent nothing', async () => {
    const { load } = await run(() => scriptedEngine(), undefined, { signal: AbortSignal.abort() });
    expect(load.whole.counts.sent).toBe(0);
    expect(load.rounds).toEqual([]);
    expect(load.invalid).toEqual(['Nothing was sent.']);
  });

  test('is judged by one judge, which distinguishes exchanges of all rounds', async () => {
    const ids: string[] = [];
    const slots: number[] = [];
    const waiting: (() => void)[] = [];
    let ends = 0;
    const judge: LiveJudge = {
      exchange: ({ id }, _step, onBroken) => {
        ids.push(id);
        if (onBroken !== undefined) waiting.push(onBroken);
      },
      wants: ({ slot }) => slots.push(slot) > 0,
      counts: () => ({ judged: ids.length, broken: ids.length }),
      settle: () => {
        for (const onBroken of waiting.splice(0)) onBroken();
        return Promise.resolve();
      },
      end: () => {
        ends += 1;
        return Promise.resolve({
          judged: { answers: ids.length, of: ids.length, kept: 1 },
          violations: [{ rule: 'zap.a', count: 3, firstStep: 0, firstExchange: 'x1', bySteps: [] }],
          steps: [
            { judged: 60, broken: 2 },
            { judged: 120, broken: 1 },
          ],
          notices: ['judged'],
        });
      },
    };
    const { load, notices } = await run(
      () =>
        scriptedEngine(
          () => ({}),
          {},
          ({ sink }, sample) => {
            const id = `x${String(sample.slot + 1).padStart(5, '0')}`;
            if (sink.wants?.(sample) === true)
              sink.exchange?.(exchangeOf({ id }), sample.step, sample.dueMs);
          },
        ),
      undefined,
      { judge, thresholds: [parseThreshold('violations==0')] },
    );
    expect(ends).toBe(1);
    expect(new Set(slots).size).toBe(180);
    expect(new Set(ids).size).toBe(180);
    expect(ids.at(-1)).toBe('x00180');
    expect(load.judged).toEqual({ answers: 180, of: 180, kept: 1 });
    expect(load.steps.map(({ judged, violations }) => [judged, violations])).toEqual([
      [60, 2],
      [120, 1],
    ]);
    // Those of one round are not reported again in the next.
    expect(load.moments.reduce((sum, { violations }) => sum + violations, 0)).toBe(180);
    expect(load.thresholds).toEqual([{ expression: 'violations==0', measured: 3, held: false }]);
    expect(notices).toEqual(['judged']);
  });
});
