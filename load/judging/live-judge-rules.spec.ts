import { expect, test } from 'vitest';
import { exchangeOf } from '../../contracts/judging/exchange.testkit.ts';
import { throttledByStatus } from '../../contracts/document/throttled-by-status.ts';
import { loadContract } from '../../contracts/service/load-contract.ts';
import { comeBackMark } from '../../contracts/run/load/load-marks.ts';
import { REGISTRY, RULES } from '../../contracts/service/registry.ts';
import type { Exchange } from '../../contracts/wire/exchange.ts';
import { rulesOfAnswers } from './answer-judge.ts';
import { openLiveJudge } from './live-judge.ts';

const contract = await loadContract();
const rules = REGISTRY.underLoad(RULES);
const STEP = { name: 'step', seconds: 10, fromPerSecond: 1, toPerSecond: 1 };

/** The n-th refusal of a request that waits two seconds each time, as it is reported. */
function refusal(time: number): Exchange {
  const body = { status: 429, code: 'RATE_LIMITED', message: 'wait', requestId: `r${time}` };
  return {
    ...exchangeOf({
      id: `x${time}`,
      status: 429,
      headers: { 'Retry-After': '2', RateLimit: '"a";r=0;t=2' },
      answered: { ...body, retryAfter: 2 },
    }),
    relations: [comeBackMark(0, 7)],
    sentAtMs: 2_010 * time,
  };
}

test('a load run is judged by rules on single answers, on what comes back, and its record likewise', async () => {
  const kept: Exchange[] = [];
  const live = await openLiveJudge(
    {
      ...{ scenario: { steps: [STEP, STEP], onThrottle: 'come-back' }, requests: 10 },
      keep: (exchange) => kept.push(exchange) > 0,
    },
    { contract, rules, live: rulesOfAnswers(rules), warmUp: [refusal(9)] },
  );
  for (let time = 0; time < 6; time += 1) live.exchange(refusal(time), time < 3 ? 0 : 1);
  live.exchange(exchangeOf({ id: 'x6', answered: { status: 'no', data: {} } }), 1);
  const { judged, violations } = await live.end();
  expect(judged).toMatchObject({ answers: 7, of: 7, kept: 7 });
  expect(Object.keys(judged.names ?? {})).toContain('zap.errors.request-ids-differ');
  expect(violations.map(({ rule, firstStep }) => [rule, firstStep])).toEqual([
    ['zap.values.status', 1],
    ['zap.limits.herd-drains', 0],
  ]);
  expect(kept[0]?.relations).toContainEqual(comeBackMark(0, 7));
});

test('answers of a status that throttles are judged as throttled, and by no other rule', async () => {
  const brokenBy = async (throttleStatuses: readonly number[]): Promise<string[]> => {
    const live = await openLiveJudge(
      { scenario: { steps: [STEP], onThrottle: 'go-on' }, requests: 10, keep: () => true },
      {
        contract: throttledByStatus(contract, throttleStatuses),
        ...{ rules, live: rulesOfAnswers(rules) },
      },
    );
    live.exchange(exchangeOf({ id: 'x0', status: 503, answered: { status: 503 } }), 0);
    return (await live.end()).violations.map(({ rule }) => rule);
  };
  const [plain, throttled] = [await brokenBy([]), await brokenBy([503])];
  expect(plain).not.toEqual(throttled);
  expect(throttled.filter((rule) => !/thrott|limit|retry/.test(rule))).toEqual([]);
});
