import { expect, test } from 'vitest';
import { createRedactor } from '../../../target/redaction/redactor.ts';
import { collectGarbage } from '../../../target/body/large-bodies.ts';
import { LoadAccumulator } from '../../samples/load-accumulator.ts';
import { planOf, preparedFor, scenarioOf, steady } from '../../samples/sample.testkit.ts';
import type { LoadTime } from '../load-time.ts';
import { OpenLoopRun } from './open-loop-run.ts';
import { ReadyRequests } from '../sending/ready-request.ts';
import { TYPED_ERRORS } from '../../../contracts/service/wire/error-body.ts';

const MILLION = 1_000_000;
const MB = 2 ** 20;
const STEPS = 10;

function megabytes(): number {
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / MB;
}

/** A millisecond passes from one tick to the next, whatever they take. */
function fastTime(): LoadTime {
  let nowMs = 0;
  return {
    nowMs: () => nowMs,
    tick: (callback) =>
      setImmediate(() => {
        nowMs += 1;
        callback();
      }),
    soon: (callback) => setImmediate(callback),
  };
}

test('a million requests, judged or not, leave nothing behind but counts', async () => {
  const steps = Array.from({ length: STEPS }, (_, at) =>
    steady(MILLION / STEPS / 2, 2, `step ${at}`),
  );
  const operations = ['a', 'b', 'c', 'd', 'e', 'f'].map(preparedFor);
  const plan = planOf(scenarioOf(steps), operations);
  const accumulator = new LoadAccumulator(plan);
  let [exchanges, most] = [0, 0];
  const time = fastTime();
  const config = { zapUrl: 'http://zap.example', timeoutMs: 10_000, maxBodyBytes: 10_000 };
  const requests = new ReadyRequests({ config, redactor: createRedactor({}) }, []);
  const body = Buffer.from(JSON.stringify({ status: 'success', data: 'x'.repeat(2_000) }));
  collectGarbage();
  const before = megabytes();
  const run = new OpenLoopRun(
    {
      ...plan,
      sink: {
        sample: (sample) => {
          accumulator.sample(sample);
          if (sample.slot % 50_000 !== 0) return;
          collectGarbage();
          most = Math.max(most, megabytes());
        },
        exchange: () => {
          exchanges += 1;
        },
      },
      isThrottled: TYPED_ERRORS.isThrottled,
      waitIn: TYPED_ERRORS.waitIn,
      timeoutMs: 10_000,
      maxBodyBytes: 10_000,
      connections: 500,
      signal: new AbortController().signal,
    },
    {
      time,
      requests,
      send: (pending) => {
        setImmediate(() => {
          pending.onHeaders(200, [Buffer.from('X-A'), Buffer.from('b')]);
          pending.onData(body);
          pending.onComplete();
        });
      },
    },
  );
  await run.run();
  expect(accumulator.whole().counts).toMatchObject({ sent: MILLION, served: MILLION });
  expect(accumulator.steps()).toHaveLength(STEPS);
  expect(exchanges).toBe(MILLION);
  expect(most).toBeLessThan(300);
  expect(most - before).toBeLessThan(25);
});
