import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { loadContract } from '../../contracts/service/load-contract.ts';
import { JudgedCounts } from './judged-counts.ts';
import { judgingHere, type Judging, type OnJudged } from './judging.ts';
import { answerAt, namedRule } from './judging.testkit.ts';

const contract = await loadContract();
const RULES = [namedRule('one')];

/** Judging in this thread, and the ids of what it reported. */
function opened(onJudged: OnJudged = () => undefined): {
  readonly judging: Judging;
  readonly seen: readonly string[];
} {
  const seen: string[] = [];
  const judging = judgingHere(
    { contract, rules: [], live: RULES },
    new JudgedCounts(RULES.length, 1),
    (exchange, step, answer) => {
      seen.push(`${exchange.id} ${answer?.broken.join(' ') ?? 'not judged'}`);
      onJudged(exchange, step, answer);
    },
  );
  return { judging, seen };
}

test('answers are judged once those that came in with them were taken, in their order', async () => {
  const { judging, seen } = opened();
  judging.take(answerAt(1), 0);
  judging.take(answerAt(2, { breaks: ['one'] }), 0);
  expect(seen).toEqual([]);
  await setImmediate();
  expect(seen).toEqual(['x000001 ', 'x000002 zap.one']);
  judging.take(answerAt(3), 0);
  await setImmediate();
  expect(seen).toHaveLength(3);
});

test('at the end no answer is left', async () => {
  const { judging, seen } = opened();
  judging.take(answerAt(1), 0);
  await judging.end();
  expect(seen).toEqual(['x000001 ']);
});

test('what waits is bounded, by what the answers hold', async () => {
  const { judging, seen } = opened();
  const large = { text: 'a'.repeat(100_000) };
  for (let at = 0; at < 7; at += 1) judging.take(answerAt(at, large), 0);
  expect(seen).toHaveLength(6);
  for (let at = 0; at < 10_000; at += 1) judging.take(answerAt(at), 0);
  expect(seen.length).toBeGreaterThan(9_000);
  await judging.end();
  expect(seen).toHaveLength(10_007);
});

test('an error in reporting an answer ends whoever gives the next one', async () => {
  const { judging } = opened(() => {
    throw new Error('no room');
  });
  judging.take(answerAt(1), 0);
  await setImmediate();
  expect(() => {
    judging.take(answerAt(2), 0);
  }).toThrow('no room');
  await expect(judging.end()).rejects.toThrow('no room');
});
