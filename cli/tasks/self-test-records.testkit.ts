import { Judge } from '../../contracts/judging/judge.ts';
import { loadContract } from '../../contracts/service/load-contract.ts';
import { EVERY_RULE } from '../../contracts/judging/rule-choice.ts';
import type { RunJson } from '../../contracts/run/run.ts';
import type { Fault, Variant } from '../../fixtures/service/faults/fault.ts';
import {
  createCache,
  createReferenceService,
  defaultReferenceOptions,
} from '../../fixtures/service/reference/index.ts';
import { readCounterexamples } from '../../target/record/record-reader.ts';
import { createRecord, openRecorder } from '../../target/record/recorder.ts';
import { createVirtualClock } from '../../fixtures/clocks/virtual-clock.ts';
import { createRandom } from '../../suites/drive/random.ts';
import { exploreInProcess } from '../../suites/properties/in-process.ts';
import { IN_PROCESS_URLS } from '../../suites/service/in-process-urls.ts';
import { writeJudged } from '../record/record.ts';
import type { RunSetting } from '../run-setting.ts';
import { runJsonOf } from '../../reports/run/run-json.ts';
import { judgingTool } from '../package.ts';
import { judgeAgainTask } from './judge.ts';
import { SERVICE } from '../service.ts';
import { DRIVEN } from '../../suites/service/driving.ts';

const NEVER = Number.MAX_SAFE_INTEGER;
const START_MS = Date.UTC(2026, 0, 1);
const SEED = 1;
const watched = { inHand: new Int32Array(2) };
const cache = createCache();
const contract = await loadContract();

const SETTING: RunSetting = {
  recordId: 'self-test',
  startedAt: new Date(START_MS),
  seed: SEED,
  profile: 'gate',
  target: { kind: 'reference', urls: IN_PROCESS_URLS, credentials: [] },
  waivers: [],
  choice: EVERY_RULE,
  labels: {},
};

/** Drives a service as the self-test does, and records what it answers; the judge sees it as it comes. */
async function driven(dir: string, { apply, options, ...one }: Fault | Variant): Promise<Judge> {
  const clock = createVirtualClock(START_MS);
  const random = createRandom(SEED);
  const environment = {
    now: () => clock.nowMs(),
    randomUint32: () => random.integer(0, 0xffffffff),
  };
  const required = { seed: SEED, environment, baseUrls: IN_PROCESS_URLS };
  const plain = createReferenceService({
    ...defaultReferenceOptions(required),
    cache,
    ...options,
  });
  const service = apply(plain, SEED);
  const judge = new Judge(SERVICE.rules.ofExchanges, contract, {
    observers: await SERVICE.loadObservers(),
  });
  createRecord(dir);
  const recorder = openRecorder(dir, { recordId: SETTING.recordId });
  try {
    await exploreInProcess({
      driven: DRIVEN,
      ...{ service, contract, seed: SEED, clock, judge },
      ...{ profile: 'gate', driveOnly: true, maxRequests: 1_000 },
      onFound: recorder.keep,
      listener: recorder.record,
      mayGoOn: () => !('breaks' in one && judge.isBroken(one.breaks)),
    });
    return judge;
  } finally {
    recorder.close();
    await service.close();
  }
}

/** What a run says, except for its notices: those of judging again are more. */
function said({ outcome, counts, rules, ledger }: RunJson): unknown {
  const verdicts = rules.map(({ id, verdict, evidence, findings }) => ({
    ...{ id, verdict, evidence },
    findings: findings.map(({ exchanges, ...found }) => ({ ...found, exchanges })),
  }));
  return { outcome, counts, verdicts, ledger };
}

/**
 * What judging said while a service was driven, and what it says of the record.
 *
 * @param dir a folder that is not there yet
 */
export async function liveAndAgain(
  dir: string,
  service: Fault | Variant,
): Promise<{ readonly live: unknown; readonly again: unknown }> {
  const judge = await driven(dir, service);
  const { recordId, ...reported } = SETTING;
  const run = runJsonOf(judge, {
    ...{ ...reported, tool: judgingTool(), endedAt: new Date(START_MS) },
    leftOut: { must: 0, should: 0, observe: 0 },
    ...{ contract: { sha256: contract.sha256 }, record: { id: recordId }, cutShort: false },
    ...{
      notices: [],
      clauses: SERVICE.loadClauses(),
      limitLedger: SERVICE.limitLedger,
      counterexamples: readCounterexamples(dir),
    },
  });
  writeJudged(dir, run);
  const { run: again } = await judgeAgainTask(
    {
      ...{ dir, waivers: [], leaveOut: [], stopAtMs: NEVER },
      config: { contracts: [], allowRefs: [] },
    },
    watched,
  );
  return { live: said(JSON.parse(JSON.stringify(run)) as RunJson), again: said(again) };
}
