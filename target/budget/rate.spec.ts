import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createClient } from '../transport/client.ts';
import { createSystemClock } from './clock.ts';
import { createFakeClock } from '../../fixtures/clocks/fake-clock.testkit.ts';
import { createGovernor } from './governor.ts';
import { createRedactor } from '../redaction/redactor.ts';
import { createUndiciTransport } from '../transport/undici-transport.ts';
import { TYPED_ERRORS } from '../../contracts/service/wire/error-body.ts';

/** The most of these moments that lie in one window of so many ms, both of its ends included. */
function mostWithin(momentsMs: readonly number[], windowMs: number): number {
  const within = (fromMs: number): number =>
    momentsMs.filter((ms) => ms >= fromMs && ms <= fromMs + windowMs).length;
  return Math.max(0, ...momentsMs.map(within));
}

/** A request of which is drawn when it comes, and how long its connection and its answer take. */
const requests = fc.array(
  fc.record({
    afterMs: fc.oneof(fc.constant(0), fc.nat(400), fc.nat(5_000)),
    connectMs: fc.oneof(fc.constant(0), fc.nat(50), fc.nat(3_000)),
    answerMs: fc.nat(2_000),
    api: fc.constantFrom('zap', 'trade', 'docs'),
  }),
  { minLength: 2, maxLength: 40 },
);

describe('at most so many requests leave in any second', () => {
  test.each([0.5, 1, 2.5, 3, 7, 20])('--max-rate %d', async (maxRate) => {
    const [most, windowMs] = maxRate < 1 ? [1, 1000 / maxRate] : [Math.floor(maxRate), 1000];
    await fc.assert(
      fc.asyncProperty(requests, async (drawn) => {
        const clock = createFakeClock();
        const unlimited = { maxRequests: Infinity, maxSeconds: Infinity, maxRejects: Infinity };
        const governor = createGovernor({
          waitIn: TYPED_ERRORS.waitIn,
          budget: { ...unlimited, maxRate },
          clock,
        });
        const leftMs: number[] = [];
        let comesMs = 0;
        const all = drawn.map(async ({ afterMs, connectMs, answerMs, api }) => {
          comesMs += afterMs;
          await clock.sleep(comesMs);
          const ticket = await governor.admit(api);
          if (connectMs > 0) await clock.sleep(connectMs);
          leftMs.push(clock.nowMs());
          governor.departed(ticket);
          await clock.sleep(answerMs);
          governor.settle(ticket, { kind: 'answered' });
        });
        await clock.run(Promise.all(all));
        expect(leftMs).toHaveLength(drawn.length);
        expect(mostWithin(leftMs, windowMs)).toBeLessThanOrEqual(most);
      }),
      { numRuns: 40 },
    );
  });

  test('and over sockets, by the times at which they leave', async () => {
    const server = createServer((_, response) => response.end('{}')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const transport = createUndiciTransport();
    onTestFinished(async () => {
      await transport.close();
      server.close();
    });
    const clock = createSystemClock();
    const leftMs: number[] = [];
    const client = createClient({
      isThrottled: TYPED_ERRORS.isThrottled,
      config: {
        zapUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        timeoutMs: 5_000,
        maxBodyBytes: 1_000,
      },
      transport: (request) =>
        transport({
          ...request,
          onDeparture: () => {
            leftMs.push(clock.nowMs());
            request.onDeparture?.();
          },
        }),
      redactor: createRedactor({}),
      governor: createGovernor({
        waitIn: TYPED_ERRORS.waitIn,
        budget: { maxRequests: 100, maxSeconds: 60, maxRejects: 10, maxRate: 20 },
        clock,
      }),
      clock,
    });
    const send = (): Promise<unknown> =>
      client.send({ api: 'zap', method: 'GET', path: '/', purpose: { kind: 'unknown' } });
    await Promise.all(Array.from({ length: 45 }, send));
    expect(leftMs).toHaveLength(45);
    expect(mostWithin(leftMs, 1000)).toBeLessThanOrEqual(20);
  });
});
