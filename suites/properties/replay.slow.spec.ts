import { afterAll, describe, expect, test } from 'vitest';
import { Judge } from '../../contracts/judge.ts';
import { loadContract } from '../../contracts/load-contract.ts';
import { RULES } from '../../contracts/registry.ts';
import type { Counterexample } from '../../contracts/run.ts';
import { FAULTS } from '../../fixtures/faults/catalogue.ts';
import type { Fault } from '../../fixtures/faults/fault.ts';
import {
  createMemory,
  createReferenceService,
  defaultReferenceOptions,
} from '../../fixtures/reference/index.ts';
import { installLightFetch } from '../../fixtures/target/light-fetch.ts';
import { createVirtualClock } from '../../fixtures/target/virtual-clock.ts';
import type { DriveReport } from '../drive/index.ts';
import { createRandom } from '../drive/random.ts';
import { exploreInProcess, IN_PROCESS_URLS } from './in-process.ts';
import { parseReplay } from './replay.ts';

const contract = await loadContract();
const MEMORY = createMemory();
const restore = installLightFetch();
afterAll(restore);

/** Faults of different families, by what their rules look at. */
const CHOSEN: readonly string[] = [
  // One answer: its form, its values, its sums.
  ...['zap-pools-as-text', 'zap-quote-dust-null', 'zap-approval-above-word', 'zap-ids-cut-off'],
  ...['zap-min-return-at-least-one-percent', 'trade-data-of-half-a-byte', 'docs-llms-missing'],
  // Two answers that are compared, until it is certain.
  ...['zap-build-with-other-actions', 'trade-minimum-grows', 'zap-slippage-capped-at-half'],
  // Lists held against each other, as they come and go.
  ...['limit-cut-at-50', 'pools-stranger-among-filtered', 'tokens-joined-by-or-in-lower-case'],
  // Inputs that are refused, keys that are used twice, keys that are not asked for.
  ...['pools-chain-refused', 'trade-key-header-refused', 'zap-key-replay-fails'],
  ...['trade-own-code-for-keys', 'any-words-raise-limit'],
  // Errors, of the client and of the service.
  ...['trade-stack-of-parser', 'zap-one-request-id', 'zap-into-pools-fails'],
];

interface Run {
  readonly found: readonly Counterexample[];
  readonly broken: readonly string[];
  readonly sent: number;
  readonly report: DriveReport;
}

async function run({ apply, options }: Fault, seed: number, replay?: string): Promise<Run> {
  const clock = createVirtualClock(Date.UTC(2026, 0, 1));
  const random = createRandom(seed);
  const ambient = {
    now: () => clock.nowMs(),
    randomUint32: () => random.integer(0, 0xffffffff),
    sleep: (ms: number) => clock.sleep(ms),
  };
  const plain = defaultReferenceOptions({ seed: 1, ambient, baseUrls: IN_PROCESS_URLS });
  const service = apply(createReferenceService({ ...plain, ...options, memory: MEMORY }), 1);
  const wanted = replay === undefined ? undefined : parseReplay(replay);
  const judge = new Judge(
    RULES.filter(({ id }) => wanted === undefined || id === wanted.rule),
    contract,
  );
  const found: Counterexample[] = [];
  let sent = 0;
  const report = await exploreInProcess({
    ...{ service, contract, seed, clock, judge, profile: 'gate', maxRequests: 800 },
    ...(wanted === undefined ? {} : { replay: wanted }),
    onFound: (one) => found.push(one),
    listener: () => {
      sent += 1;
    },
  });
  await service.close();
  const broken = judge.results().filter(({ verdict }) => verdict === 'fail' || verdict === 'warn');
  return { found, sent, report, broken: broken.map(({ rule }) => rule.id) };
}

describe('what showed a finding shows it again within 15 requests, whatever the seed', () => {
  test.each(CHOSEN)('%s', async (id) => {
    const fault = FAULTS.find((one) => one.id === id);
    if (fault === undefined) throw new Error(`there is no fault ${id}`);
    const { found } = await run(fault, 1);
    const replay = found.find(({ rule }) => rule === fault.breaks)?.replay ?? '';
    expect(replay).toContain('@requests:');
    const again = await run(fault, 2, replay);
    expect(again.broken).toEqual([fault.breaks]);
    expect(again.sent).toBeLessThanOrEqual(15);
    expect(again.report).toMatchObject({ cutShort: false, notices: [] });
  });
});
