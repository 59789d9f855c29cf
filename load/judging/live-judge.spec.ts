/** Long because all that a judge under load finds, keeps and reports is tried with one. */

import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { judge } from '../../contracts/judging/judge.ts';
import { loadContract } from '../../contracts/service/load-contract.ts';
import { LOAD_SAMPLE } from '../../contracts/run/load/load-marks.ts';
import { runRule } from '../../contracts/judging/rule.ts';
import type { Exchange } from '../../contracts/wire/exchange.ts';
import { hold } from '../scenarios/scenario.testkit.ts';
import type { JudgingWish } from './judging.ts';
import { answerAt, namedRule } from './judging.testkit.ts';
import { type JudgedRun, type LiveJudge, openLiveJudge } from './live-judge.ts';

const contract = await loadContract();
const RULES = [namedRule('one'), namedRule('two')];

const STEPS = [hold(10, 10, 'one'), hold(10, 10, 'two')];

/** A live judge over two steps, and what it keeps. */
async function opened(
  differing: Partial<JudgedRun> & Partial<JudgingWish> = {},
): Promise<{ readonly live: LiveJudge; readonly kept: Exchange[] }> {
  const kept: Exchange[] = [];
  const live = await openLiveJudge(
    {
      ...{ scenario: { steps: STEPS, onThrottle: 'go-on' }, requests: 1_000_000 },
      keep: (exchange) => kept.push(exchange) > 0,
      ...differing,
    },
    { contract, rules: [], live: RULES, utilization: () => 0.1, ...differing },
  );
  return { live, kept };
}

describe('what broke a rule', () => {
  test('is reported by step, with the first exchange that shows it', async () => {
    const { live } = await opened();
    for (let at = 0; at < 100; at += 1) {
      live.exchange(answerAt(at, at === 70 ? { breaks: ['two'] } : {}), 0);
    }
    for (let at = 100; at < 200; at += 1) {
      live.exchange(answerAt(at, at % 10 === 3 ? { breaks: ['one', 'two'] } : {}), 1);
    }
    const { judged, violations, steps } = await live.end();
    expect(judged).toMatchObject({ answers: 200, of: 200 });
    expect(steps).toEqual([
      { judged: 100, broken: 1 },
      { judged: 100, broken: 10 },
    ]);
    const one = { judged: 100, broken: 10 };
    expect(violations).toEqual([
      {
        ...{ rule: 'zap.one', count: 10, firstStep: 1, firstExchange: 'x000103' },
        bySteps: [{ judged: 100, broken: 0 }, one],
      },
      {
        ...{ rule: 'zap.two', count: 11, firstStep: 0, firstExchange: 'x000070' },
        bySteps: [{ judged: 100, broken: 1 }, one],
      },
    ]);
  });

  test('counts for its step also when its answer comes after those of the next one', async () => {
    const { live } = await opened();
    live.exchange(answerAt(7, { breaks: ['one'] }), 1);
    live.exchange(answerAt(3, { breaks: ['one'] }), 0);
    const { violations } = await live.end();
    expect(violations).toMatchObject([{ firstStep: 0, firstExchange: 'x000003' }]);
  });

  test('is counted only among answers that the rule speaks of', async () => {
    const { live } = await opened();
    live.exchange(answerAt(1, { of: ['two'] }), 0);
    live.exchange(answerAt(2, { of: ['one'], breaks: ['one'] }), 0);
    const { violations } = await live.end();
    expect(violations[0]?.bySteps).toEqual([
      { judged: 1, broken: 1 },
      { judged: 0, broken: 0 },
    ]);
  });

  test('is reported to whoever gave the answer, once however many rules it breaks', async () => {
    const { live } = await opened();
    const broken: string[] = [];
    const give = (at: number, breaks: readonly ('one' | 'two')[]): void => {
      const answer = answerAt(at, { breaks });
      live.exchange(answer, 0, () => broken.push(answer.id));
    };
    give(1, ['one', 'two']);
    give(2, []);
    give(3, ['two']);
    await live.settle();
    expect(broken).toEqual(['x000001', 'x000003']);
    expect(live.counts()).toEqual({ judged: 3, broken: 2 });
  });

  test('is known while the run goes on', async () => {
    const { live } = await opened();
    live.exchange(answerAt(1, { breaks: ['one', 'two'] }), 0);
    live.exchange(answerAt(2), 1);
    await setImmediate();
    expect(live.counts()).toEqual({ judged: 2, broken: 1 });
  });
});

describe('the record', () => {
  test('of a service that breaks everything is small, and still says so', async () => {
    const { live, kept } = await opened();
    for (let at = 0; at < 20_000; at += 1) {
      live.exchange(answerAt(at, { breaks: ['one'] }), at < 10_000 ? 0 : 1);
    }
    const { judged, violations } = await live.end();
    expect(violations[0]?.count).toBe(20_000);
    expect(judged.kept).toBe(kept.length);
    // Three for each step, and the sample: 1,500 of a million.
    expect(kept.length).toBeGreaterThan(6);
    expect(kept.length).toBeLessThan(80);
    expect(kept.map(({ id }) => id)).toContain(violations[0]?.firstExchange);
    expect(judge(RULES, contract, kept).map(({ verdict }) => verdict)).toEqual(['fail', 'pass']);
  });

  test('holds evidence of each rule that held, be it ever so rare', async () => {
    const { live, kept } = await opened();
    for (let at = 0; at < 5_000; at += 1) {
      live.exchange(answerAt(at, at === 4_321 ? {} : { of: ['one'] }), 0);
    }
    await live.end();
    expect(kept.map(({ id }) => id)).toContain('x004321');
    expect(judge(RULES, contract, kept).map(({ verdict }) => verdict)).toEqual(['pass', 'pass']);
  });

  test('marks the sample of all answers, which is spread over the run', async () => {
    const { live, kept } = await opened({ requests: 20_000 });
    for (let at = 0; at < 20_000; at += 1) live.exchange(answerAt(at), 0);
    await live.end();
    const sample = kept.filter(({ relations }) =>
      relations.some(({ kind }) => kind === LOAD_SAMPLE),
    );
    expect(sample.length).toBeGreaterThan(1_300);
    expect(sample.length).toBeLessThan(1_700);
    const late = sample.filter(({ id }) => id >= 'x010000').length / sample.length;
    expect(late).toBeGreaterThan(0.45);
    expect(late).toBeLessThan(0.55);
  });

  test('holds the beginning of what is marked without a gap, and then none of it', async () => {
    const { live, kept } = await opened();
    const marks = [{ kind: 'come-back', group: 'client-0', role: 'slot-1' }];
    for (let at = 0; at < 8_000; at += 1) {
      live.exchange(answerAt(at, at === 7_000 ? { breaks: ['one'] } : {}, marks), 0);
    }
    await live.end();
    const marked = kept.filter(({ relations }) =>
      relations.some(({ kind }) => kind === 'come-back'),
    );
    expect(marked.map(({ id }) => id)).toEqual(
      Array.from({ length: 6_000 }, (_, at) => answerAt(at).id),
    );
    expect(kept.find(({ id }) => id === 'x007000')?.relations).toEqual([]);
  });

  test('that takes no more ends nothing, and that is reported', async () => {
    let room = 2;
    const { live } = await opened({ keep: () => (room -= 1) >= 0 });
    for (let at = 0; at < 9; at += 1) live.exchange(answerAt(at, { breaks: ['one'] }), at % 2);
    const { judged, violations, notices } = await live.end();
    expect(judged).toMatchObject({ answers: 9, of: 9, kept: 2 });
    expect(violations).toMatchObject([{ count: 9 }]);
    expect(notices).toEqual([expect.stringContaining('The record was full')]);
  });
});

describe('when judging would break the schedule', () => {
  test('fewer answers are judged, and it is reported of how many', async () => {
    const { live } = await opened({ utilization: () => 0.95 });
    for (let at = 0; at < 20_000; at += 1) live.exchange(answerAt(at), at < 10_000 ? 0 : 1);
    const { judged, steps } = await live.end();
    expect(judged.of).toBe(20_000);
    expect(judged.answers).toBeLessThan(1_000);
    expect(judged.leftOut).toEqual({ asked: 0, late: judged.of - judged.answers });
    expect(steps[1]?.judged).toBeGreaterThan(50);
    expect(steps[1]?.judged).toBeLessThan(200);
  });

  test('what is marked is judged all the same', async () => {
    const { live, kept } = await opened({
      utilization: () => 1,
      scenario: { steps: STEPS, onThrottle: 'come-back' },
    });
    const marks = [{ kind: 'come-back', group: 'client-0', role: 'slot-1' }];
    for (let at = 0; at < 3_000; at += 1) live.exchange(answerAt(at, {}, marks), 0);
    const { judged } = await live.end();
    expect(judged).toMatchObject({ answers: 3_000, of: 3_000, kept: 3_000 });
    expect(kept).toHaveLength(3_000);
  });

  test('the sample of the record is no smaller', async () => {
    const { live, kept } = await opened({ utilization: () => 0.6, requests: 30_000, share: 0.1 });
    for (let at = 0; at < 30_000; at += 1) live.exchange(answerAt(at), 0);
    const { judged } = await live.end();
    expect(judged.answers).toBeLessThan(4_000);
    expect(kept.length).toBeGreaterThan(1_300);
    expect(kept.length).toBeLessThan(1_700);
  });

  test('an engine that asks first makes exchanges only for what is judged', async () => {
    const { live } = await opened({ share: 0.25 });
    let made = 0;
    for (let at = 0; at < 8_000; at += 1) {
      if (!live.wants({ slot: at, endMs: at * 10, fate: 'served' })) continue;
      made += 1;
      live.exchange(answerAt(at), 0);
    }
    const { judged } = await live.end();
    expect(judged.answers).toBe(made);
    expect(judged.of).toBe(8_000);
    expect(made / 8_000).toBeCloseTo(0.25, 1);
  });

  test('all are judged again once there is time', async () => {
    let utilization = 0.95;
    const { live } = await opened({ utilization: () => utilization });
    for (let at = 0; at < 5_000; at += 1) live.exchange(answerAt(at), 0);
    utilization = 0.2;
    for (let at = 5_000; at < 12_000; at += 1) live.exchange(answerAt(at), 0);
    for (let at = 12_000; at < 13_000; at += 1) live.exchange(answerAt(at), 1);
    const { steps } = await live.end();
    expect(steps[1]).toEqual({ judged: 1_000, broken: 0 });
  });

  test('a stated share is the most that is judged', async () => {
    const { live } = await opened({ share: 0.25 });
    for (let at = 0; at < 8_000; at += 1) live.exchange(answerAt(at), 0);
    const { judged } = await live.end();
    expect(judged.answers / 8_000).toBeCloseTo(0.25, 1);
    expect(judged.leftOut).toEqual({ asked: judged.of - judged.answers, late: 0 });
  });
});

test('rules over several exchanges do not judge live', async () => {
  const ofRun = runRule({ ...namedRule('run'), collect: () => ({}), conclude: () => [] });
  await expect(opened({ live: [ofRun] })).rejects.toThrow('keeps facts');
});

test('a thread of its own judges from two cores on, where it can make contract and rules again', async () => {
  const by = { service: 'none', contractFiles: [] };
  const run = { scenario: { steps: STEPS, onThrottle: 'go-on' }, requests: 9 } as const;
  const noticesOn = async (cores: number, wish: Partial<JudgingWish> = {}): Promise<number> => {
    const all = { contract, rules: [], live: RULES, ...wish };
    const live = await openLiveJudge({ ...run, keep: () => true }, all, cores);
    return (await live.end()).notices.length;
  };
  // One that is not compiled yet cannot begin, and says so.
  expect(await noticesOn(2, { by })).toBeGreaterThan(0);
  expect([await noticesOn(1, { by }), await noticesOn(16)]).toEqual([0, 0]);
});
