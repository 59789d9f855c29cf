import { describe, expect, test } from 'vitest';
import { loadContract } from '../../contracts/service/load-contract.ts';
import { RULES } from '../../contracts/service/registry.ts';
import type { Exchange } from '../../contracts/wire/exchange.ts';
import { exchangeOf } from '../../contracts/judging/exchange.testkit.ts';
import { rulesOfAnswers, type JudgedAnswer } from './answer-judge.ts';
import { JudgedCounts } from './judged-counts.ts';
import { judgingHere, type Judging, type OnJudged } from './judging.ts';
import { judgingThere, type JudgingThereOptions } from './judging-there.ts';
import { answerAt, namedRule } from './judging.testkit.ts';

const WORKER = new URL('../../build/load/judging/judge-worker.js', import.meta.url);
const SERVICE = new URL('../../build/contracts/service/index.js', import.meta.url).href;
const BY = { service: SERVICE, contractFiles: [] };
const LIVE = rulesOfAnswers(RULES);
const TWO = [namedRule('one'), namedRule('two')];
const QUICK = { lookedEveryMs: 25, mostSilentLooks: 20 };

/** A thread that follows the protocol: names break, one spins, one ends the thread. */
function scripted(): URL {
  const code = `
    import { parentPort, workerData } from 'node:worker_threads';
    const memory = new Int32Array(workerData.liveness);
    const beat = () => Atomics.add(memory, 2, 1);
    beat();
    setInterval(beat, 5);
    let judged = 0;
    parentPort.on('message', (batch) => {
      for (const { exchange } of batch) {
        memory[0] = judged + 1;
        memory[1] = 2;
        const text = exchange.outcome.response.body.text;
        if (text.includes('spins')) for (;;);
        if (text.includes('throws')) throw new Error('out of order');
        if (text.includes('breaks')) {
          parentPort.postMessage({ kind: 'reported', number: judged, answer: { broken: ['zap.one'], isFresh: false } });
        }
        judged += 1;
      }
      parentPort.postMessage({ kind: 'judged', count: judged, crashes: [] });
    });
    parentPort.postMessage({ kind: 'ready' });`;
  return new URL(`data:text/javascript,${encodeURIComponent(code)}`);
}

interface Reported {
  readonly judging: Judging;
  readonly reported: (readonly [id: string, answer: string])[];
}

const said = (answer: JudgedAnswer | undefined): string =>
  answer === undefined ? 'not judged' : answer.broken.join() || 'held';

async function opened(
  open: (counts: JudgedCounts, onJudged: OnJudged) => Judging | Promise<Judging>,
  counts: JudgedCounts = new JudgedCounts(2, 1),
): Promise<Reported> {
  const reported: (readonly [string, string])[] = [];
  const judging = await open(counts, ({ id }: Exchange, _step, answer) => {
    reported.push([id, said(answer)]);
  });
  return { judging, reported };
}

const openedThere = (rest: Partial<JudgingThereOptions>): Promise<Reported> =>
  opened((counts, onJudged) => judgingThere({ by: BY, live: TWO, counts, onJudged, ...rest }));

describe('a thread that judges', () => {
  test('says what judging in this one says, and counts the same', async () => {
    const contract = await loadContract();
    const answers = Array.from({ length: 150 }, (_, at) => ({
      ...exchangeOf({
        id: `x${at}`,
        path: '/v1/config/chains',
        answered: at % 50 === 7 ? { status: 'ok', data: 3 } : { status: 'success', data: {} },
      }),
      latencyMs: at,
    }));
    const results = [];
    const wish = { contract, rules: [], live: LIVE, by: BY };
    for (const isThere of [false, true]) {
      const counts = new JudgedCounts(LIVE.length, 1);
      const { judging, reported } = await opened(
        (own, onJudged) =>
          isThere
            ? judgingThere({ ...wish, counts: own, onJudged, script: WORKER })
            : judgingHere(wish, own, onJudged),
        counts,
      );
      for (const answer of answers) judging.take(answer, 0);
      await judging.end();
      const evidence = LIVE.map((_, at) => counts.evidence(0, at + 1));
      results.push({ reported, evidence, answers: counts.answers(0), notices: judging.notices() });
    }
    expect(results[1]).toEqual(results[0]);
    expect(results[0]?.answers).toEqual({ judged: 150, broken: 3 });
    expect(results[0]?.reported.filter(([, one]) => one.includes('zap.'))).toHaveLength(3);
  });

  test('that stands still at an answer is ended, and another goes on without that', async () => {
    const { judging, reported } = await openedThere({ script: scripted(), watch: QUICK });
    const names = ['breaks', 'holds', 'spins', 'holds', 'breaks'];
    names.forEach((name, at) => {
      judging.take(answerAt(at, { name }), 0);
    });
    await judging.end();
    expect(reported).toEqual([
      ['x000000', 'zap.one'],
      ['x000001', 'held'],
      ['x000002', 'not judged'],
      ['x000003', 'held'],
      ['x000004', 'zap.one'],
    ]);
    expect(judging.notices()).toEqual([
      'The thread that judges was lost while it judged x000002 by zap.two: it stood still.',
    ]);
  });

  test('that is lost again and again is given up, and holds nobody up', async () => {
    const { judging, reported } = await openedThere({ script: scripted(), watch: QUICK });
    for (let at = 0; at < 6; at += 1) judging.take(answerAt(at, { name: 'throws' }), 0);
    await judging.end();
    judging.take(answerAt(9), 0);
    expect(reported.map(([, one]) => one)).toEqual(Array.from({ length: 7 }, () => 'not judged'));
    expect(judging.notices()).toHaveLength(4);
    expect(judging.notices()[0]).toContain('x000000');
    expect(judging.notices().at(-1)).toContain('given up');
  });

  test('that cannot begin is given up, too', async () => {
    const script = new URL('data:text/javascript,throw new Error("no")');
    const { judging, reported } = await openedThere({ script, watch: QUICK });
    judging.take(answerAt(1), 0);
    await judging.end();
    expect(reported).toEqual([['x000001', 'not judged']]);
  });

  test('takes no more than may wait, and states how full it is', async () => {
    const { judging, reported } = await openedThere({
      ...{ script: scripted(), watch: QUICK, mostWaitingBytes: 10 * 1_600 },
    });
    for (let at = 0; at < 20; at += 1) judging.take(answerAt(at), 0);
    expect(judging.pressure()).toBeGreaterThan(0.9);
    expect(reported.length).toBeGreaterThanOrEqual(9);
    expect(new Set(reported.map(([, one]) => one))).toEqual(new Set(['not judged']));
    await judging.end();
    expect(judging.pressure()).toBe(0);
    expect(reported.filter(([, one]) => one === 'held').length).toBeGreaterThanOrEqual(9);
    expect(reported).toHaveLength(20);
  });
});
