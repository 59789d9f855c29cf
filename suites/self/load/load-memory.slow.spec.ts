import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { loadContract } from '../../../contracts/service/load-contract.ts';
import { REGISTRY, RULES } from '../../../contracts/service/registry.ts';
import type { Exchange } from '../../../contracts/wire/exchange.ts';
import { rulesOfAnswers } from '../../../load/judging/answer-judge.ts';
import { openLiveJudge } from '../../../load/judging/live-judge.ts';
import { answersOf } from '../../service/self-test/load-requests.ts';

const ANSWERS = 200_000;
/** One in so many breaks rules, each at a place of its own. */
const BROKEN_EACH = 50;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function heapBytes(): number {
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}

/** The n-th answer: all of its texts are new, as those that come over a socket are. */
function copyOf(text: string, number: number): Exchange {
  const exchange = JSON.parse(text) as Exchange;
  const id = `x${String(number).padStart(6, '0')}`;
  const { outcome } = exchange;
  if (outcome.kind === 'failure' || number % BROKEN_EACH !== 0) return { ...exchange, id };
  const body = { encoding: 'utf8', text: `{"status":"ok","data":{"place-${number}":1}}` } as const;
  return { ...exchange, id, outcome: { ...outcome, response: { ...outcome.response, body } } };
}

test('judging answers without end takes no more memory than judging a few', async () => {
  const contract = await loadContract();
  const texts = (await answersOf(1, contract)).map((one) => JSON.stringify(one));
  const rules = rulesOfAnswers(REGISTRY.underLoad(RULES));
  let kept = 0;
  const step = { seconds: 10, fromPerSecond: 1, toPerSecond: 1 };
  const steps = [
    { name: 'one', ...step },
    { name: 'two', ...step },
  ];
  const live = await openLiveJudge(
    {
      ...{ scenario: { steps, onThrottle: 'go-on' }, requests: ANSWERS },
      // As a file keeps it: not in memory.
      keep: () => (kept += 1) > 0,
    },
    { contract, rules: [], live: rules, utilization: () => 0 },
  );
  const heaps: number[] = [];
  for (let number = 0; number < ANSWERS; number += 1) {
    if (number % (ANSWERS / 4) === ANSWERS / 8) heaps.push(heapBytes());
    live.exchange(copyOf(texts[number % texts.length] ?? '', number), number < 100_000 ? 0 : 1);
  }
  heaps.push(heapBytes());
  const { judged, violations } = await live.end();
  expect(judged).toMatchObject({ answers: ANSWERS, of: ANSWERS });
  expect(violations.length).toBeGreaterThan(0);
  expect(kept).toBeLessThan(4_000);
  const [early = 0, ...later] = heaps;
  // Of 175,000 answers more, some 4 kB each, not 8 bytes each may stay.
  expect(Math.max(...later) - early).toBeLessThan(175_000 * 8);
});
