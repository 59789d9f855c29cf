import { expect, test } from 'vitest';
import { fixedWindow, slidingLog } from '../limits/simulated/limiters.testkit.ts';
import { simulate } from '../limits/simulated/simulation.testkit.ts';
import type { ProbeEvent } from '../limits/index.ts';
import { PLAIN } from '../service/ask.ts';
import type { Reported } from './sender.ts';
import { factsOf } from './facts/facts.ts';
import type { ProbedBucket } from './probing.ts';
import { reopened } from './reopen.ts';

function reported(event: ProbeEvent): Reported {
  const witness = { id: 'x1', request: { method: 'GET', url: 'http://127.0.0.1/', path: '/' } };
  const rest = {
    receivedEpochMs: 0,
    headers: [],
    json: undefined,
    bodyWait: undefined,
    status: 200,
    failure: '',
  };
  return { ...event, ...rest, witness: witness as unknown as Reported['witness'] };
}

/** A limit of 5 in 2 s as a probe found it. */
async function found(): Promise<ProbedBucket> {
  const service = { seed: 1, roundTripMs: 2, jitterMs: 0.3, retryAfter: 'none' } as const;
  const result = await simulate({ ...service, limiter: slidingLog(5, 2000) });
  const bucket = { api: 'zap', client: 'address', scope: 'per client', plain: PLAIN.zap } as const;
  return {
    bucket: { ...bucket, variations: [], failing: PLAIN.zap },
    result,
    facts: factsOf(result),
    reported: result.transcript.events.map(reported),
    fullSeconds: 2,
  };
}

/** A client that asks each half second, where another limit of 6 in 20 s holds as well. */
function paced(fromMs: number, count: number): Reported[] {
  const outer = fixedWindow(6, 20_000);
  return Array.from({ length: count }, (_, index) => {
    const sentMs = fromMs + 500 * index;
    const { admitted } = outer.decide(sentMs, sentMs);
    return reported({
      sentMs,
      receivedMs: sentMs + 2,
      outcome: admitted ? 'admitted' : 'rejected',
    });
  });
}

const scenario = { admitted: 6, rejected: 6, seconds: 6, shareOfRate: 0.4, detail: '' };

test('a client that does not get through takes back what was found', async () => {
  const one = await found();
  expect(one.facts.estimate.verdict).toBe('identified');
  const lastMs = one.reported.at(-1)?.receivedMs ?? 0;
  const after = reopened(one, {
    scenario: { ...scenario, held: false },
    paced: paced(lastMs + 5000, 14),
  });
  expect(['composite', 'ambiguous', 'stacked']).toContain(after.facts.estimate.verdict);
  expect(after.facts.estimate.envelope?.length).toBeGreaterThan(0);
  const isOpen = after.facts.estimate.verdict !== 'stacked';
  expect(after.facts.estimate.why?.split('; ')[0]).toBe(
    isOpen ? 'a client that kept to sliding-log was rejected' : undefined,
  );
});

test('where its rejections are what the limit does, it stays', async () => {
  const one = await found();
  const lastMs = one.reported.at(-1)?.receivedMs ?? 0;
  const gentle = paced(lastMs + 5000, 4);
  const after = reopened(one, { scenario: { ...scenario, held: false }, paced: gentle });
  expect(after.facts.estimate.verdict).toBe('identified');
});

test('one that gets through makes it a little surer, and never certain', async () => {
  const one = await found();
  const after = reopened(one, { scenario: { ...scenario, held: true } });
  expect(one.facts.confidence).toBeLessThanOrEqual(0.97);
  expect(after.facts.confidence).toBeGreaterThan(one.facts.confidence);
  expect(after.facts.confidence).toBeLessThan(1);
});

test('what such a client got through is as far as the limit was tried', async () => {
  const one = await found();
  const lastMs = one.reported.at(-1)?.receivedMs ?? 0;
  const after = reopened(one, {
    scenario: { ...scenario, held: true },
    paced: paced(lastMs + 5000, 5),
  });
  const [before, whole] = [one, after].map(({ facts }) => facts.estimate.envelope?.at(-1));
  expect(whole?.requests).toBe((before?.requests ?? 0) + 5);
  expect(whole?.seconds).toBeGreaterThan((before?.seconds ?? 0) + 6);
});
