import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import * as fc from 'fast-check';
import { Judge } from '../../contracts/judging/judge.ts';
import { PROFILES } from '../../contracts/judging/profile.ts';
import { RULES } from '../../contracts/service/registry.ts';
import type { Contract } from '../../contracts/document/schema.ts';
import { API_NAMES, type DocumentApi } from '../../contracts/service/wire/apis.ts';
import { generatorsOf } from '../../fixtures/service/generators/index.ts';
import { stillMeant } from '../../fixtures/arbitraries/still-meant.ts';
import { createClient } from '../../target/transport/client.ts';
import { createSystemClock } from '../../target/budget/clock.ts';
import { createGovernor } from '../../target/budget/governor.ts';
import { createRedactor } from '../../target/redaction/redactor.ts';
import { createUndiciTransport } from '../../target/transport/undici-transport.ts';
import { driveListings } from '../../suites/service/drive/listings.ts';
import { createRandom } from '../../suites/drive/random.ts';
import { createSession } from '../../suites/drive/session.ts';
import { triedOf } from '../../suites/drive/as-generated.ts';
import { DRIVEN } from '../../suites/service/driving.ts';
import { SERVICE } from '../../cli/service.ts';

/** Requests on their way at once. */
const CONCURRENCY = 32;
const WARM_UP_CASES = 40;
const CASES = 500;
const GOAL_PER_SECOND = 1_500;

/**
 * Generates requests, sends them over loopback to the reference service on another thread, and judges
 * the answers by all rules.
 *
 * @returns a line with the exchanges per second, client and service together on this machine
 */
export async function measureThroughput(contract: Contract): Promise<string> {
  const worker = new Worker(new URL('./bench-service.js', import.meta.url));
  const [urls] = (await once(worker, 'message')) as [Record<DocumentApi, string>];
  const transport = createUndiciTransport();
  const clock = createSystemClock();
  const judge = new Judge(RULES, contract);
  const client = createClient({
    isThrottled: SERVICE.errors.isThrottled,
    config: {
      zapUrl: urls.zap,
      tradeUrl: urls.trade,
      docsUrl: urls.docs,
      aiUrl: urls.ai,
      timeoutMs: 10_000,
      maxBodyBytes: 4_194_304,
    },
    transport,
    redactor: createRedactor({}),
    governor: createGovernor({
      budget: { maxRequests: Infinity, maxSeconds: 600, maxRejects: 1 },
      clock,
      waitIn: SERVICE.errors.waitIn,
    }),
    clock,
    listeners: [
      (exchange) => {
        judge.add(exchange);
      },
    ],
  });
  const session = createSession({
    service: DRIVEN,
    client,
    contract,
    random: createRandom(1),
    apis: new Set(API_NAMES),
    known: [],
    keyedCredential: 'none',
    depth: PROFILES.gate,
    progress: () => undefined,
  });
  await driveListings(session);

  const run = async (seed: number, casesEach: number): Promise<number> => {
    const requests = generatorsOf(session.world, contract)
      .flatMap(({ arbitrary }) => fc.sample(arbitrary, { seed, numRuns: casesEach }))
      .filter((request) => stillMeant(contract, request));
    let next = 0;
    const work = async (): Promise<void> => {
      for (let request = requests[next]; request !== undefined; request = requests[next]) {
        next += 1;
        await client.send(triedOf(session, request));
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
    return requests.length;
  };
  await run(1, WARM_UP_CASES);
  const started = performance.now();
  const sent = await run(2, CASES);
  judge.results();
  const seconds = (performance.now() - started) / 1000;
  await transport.close();
  await worker.terminate();
  return `generated, sent over loopback and judged: ${Math.round(sent / seconds)} exchanges a second (${sent} in ${seconds.toFixed(1)} s; goal: at least ${GOAL_PER_SECOND}, client and service together)\n`;
}
