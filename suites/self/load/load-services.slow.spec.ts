import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadContract } from '../../../contracts/service/load-contract.ts';
import { LOAD_FAULTS } from '../../../fixtures/service/faults/limits/load.ts';
import { LOAD_VARIANTS } from '../../../fixtures/service/variants/limits/load.ts';
import { createClient } from '../../../target/transport/client.ts';
import { createSystemClock } from '../../../target/budget/clock.ts';
import { createRedactor } from '../../../target/redaction/redactor.ts';
import { createUndiciTransport } from '../../../target/transport/undici-transport.ts';
import type { PreparedRequest } from '../../../load/engine.ts';
import {
  judgedLoad,
  KEYS,
  LOADS,
  type LoadCase,
  type LoadCaseResult,
} from '../../service/self-test/load-case.ts';
import { loadRequests } from '../../service/self-test/load-requests.ts';
import { openGate } from '../../service/self-test/virtual-load.ts';
import { serve } from '../command-line.ts';
import { TYPED_ERRORS } from '../../../contracts/service/wire/error-body.ts';

const contract = await loadContract();
const transport = createUndiciTransport();
let requests: readonly PreparedRequest[] = [];

beforeAll(async () => {
  const plain: LoadCase = { load: 'crowd', apply: (service) => service };
  requests = await loadRequests(plain, 1, contract);
});
afterAll(() => transport.close());

/** Puts a service under load that `assay serve` runs in a process of its own. */
async function loaded(args: readonly string[], load: keyof typeof LOADS): Promise<LoadCaseResult> {
  const { urls, process: service } = await serve(args, { env: { ASSAY_SERVE_KEYS: KEYS.join() } });
  const clock = createSystemClock();
  const client = createClient({
    isThrottled: TYPED_ERRORS.isThrottled,
    config: { zapUrl: urls.zap, tradeUrl: urls.trade, timeoutMs: 20_000, maxBodyBytes: 1_000_000 },
    ...{ transport, clock, attempts: 1 },
    redactor: createRedactor({}),
    governor: openGate(clock),
  });
  try {
    return await judgedLoad(LOADS[load], 1, contract, requests, { client, clock });
  } finally {
    service.process.kill('SIGINT');
    await service.ended;
  }
}

const WHOSE: Readonly<Record<string, string>> = {
  'zap.path.spends-amount': 'zap.requests.answered-apart',
  'trade.transaction.from-sender': 'trade.build-tx.answered-apart',
};

const brokenIn = ({ results }: LoadCaseResult): string[] =>
  results
    .filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
    .map(({ rule }) => rule.id);

/** One of each kind; `assay self-test --load` takes all of them, on a clock that takes no time. */
const FAULTS_OF_CROWDS = LOAD_FAULTS.filter(({ load }) => load === 'crowd');
const FAULTS_OF_HERDS = LOAD_FAULTS.filter(({ id }) => id === 'zap-load-herd-restarts-the-wait');
const CORRECT = LOAD_VARIANTS.filter(({ id }) =>
  [
    ...['load-queueing', 'load-shedding-throttled', 'load-herd-on-gcra'],
    ...['load-later-twin-refused', 'load-half-of-a-crowd-fails'],
  ].includes(id),
);

describe('over sockets, a fault that only load shows is found', () => {
  // Whether two requests meet, and in which step, is up to the machine: if it is slow, those of the calm
  // step meet as well. `assay self-test --load` holds the step, on a clock that takes no time.
  test.concurrent.each([...FAULTS_OF_CROWDS, ...FAULTS_OF_HERDS])(
    '$id',
    { retry: 2 },
    async ({ id, breaks, load }) => {
      const run = await loaded(['--fault', id], load);
      expect(brokenIn(run)).toContain(breaks);
      // Of answers to other requests it is reported whose they are.
      const apart = WHOSE[breaks];
      if (apart !== undefined) expect(brokenIn(run)).toContain(apart);
      if (load !== 'herd') return;
      const found = run.violations.find(({ rule }) => rule === breaks);
      expect(run.steps[found?.firstStep ?? 0]).toBe('coming back');
    },
  );
});

describe('over sockets, a correct service under load raises no alarm', () => {
  test.concurrent.each(CORRECT)('$id', async ({ id, load }) => {
    const run = await loaded(['--variant', id], load);
    expect(run.requests).toBeGreaterThan(200);
    expect(brokenIn(run)).toEqual([]);
    expect(run.violations).toEqual([]);
  });
});
