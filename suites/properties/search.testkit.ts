import { Judge } from '../../contracts/judging/judge.ts';
import { loadContract } from '../../contracts/service/load-contract.ts';
import type { ProfileName } from '../../contracts/judging/profile.ts';
import { rulesOfRun } from '../../contracts/judging/profile.ts';
import { EVERY_RULE } from '../../contracts/judging/rule-choice.ts';
import { RULES } from '../../contracts/service/registry.ts';
import type { RuleResult } from '../../contracts/judging/judge.ts';
import type { Counterexample } from '../../contracts/run/run.ts';
import type { Exchange } from '../../contracts/wire/exchange.ts';
import type { Decorator } from '../../fixtures/service/faults/fault.ts';
import {
  createCache,
  createReferenceService,
  defaultReferenceOptions,
} from '../../fixtures/service/reference/index.ts';
import { createVirtualClock } from '../../fixtures/clocks/virtual-clock.ts';
import type { DriveReport } from '../drive/index.ts';
import { createRandom } from '../drive/random.ts';
import { exploreInProcess } from './in-process.ts';
import { IN_PROCESS_URLS } from '../service/in-process-urls.ts';
import { parseReplay } from './replay/replay.ts';
import { DRIVEN } from '../service/driving.ts';

const contract = await loadContract();
const CACHE = createCache();

/** What became of a run. */
export interface Run {
  readonly sent: readonly string[];
  readonly report: DriveReport;
  readonly results: readonly RuleResult[];
  readonly found: readonly Counterexample[];
}

/** What a run is to be like. */
export interface Wish {
  readonly profile?: ProfileName;
  readonly maxRequests?: number;
  readonly seed?: number;
  readonly replay?: string;
  /** Whether its builds are executed on its own nodes. */
  readonly executes?: boolean;
}

/** Explores a reference service that a decorator made, in the same process. */
export async function run(apply: Decorator, wish: Wish = {}): Promise<Run> {
  const { profile = 'nightly', maxRequests = 1_500, seed = 3, replay, executes } = wish;
  const clock = createVirtualClock(Date.UTC(2026, 0, 1));
  const random = createRandom(1);
  const environment = {
    now: () => clock.nowMs(),
    randomUint32: () => random.integer(0, 0xffffffff),
  };
  const options = defaultReferenceOptions({ seed: 1, environment, baseUrls: IN_PROCESS_URLS });
  const service = apply(createReferenceService({ ...options, cache: CACHE }), seed);
  const only = replay === undefined ? undefined : parseReplay(replay);
  const rules = rulesOfRun(RULES, {
    ...{ profile, choice: EVERY_RULE },
    ...(replay === undefined ? {} : { replay }),
  });
  const judge = new Judge(rules.rules, contract);
  const exchanges: Exchange[] = [];
  const found: Counterexample[] = [];
  const report = await exploreInProcess({
    driven: DRIVEN,
    ...{ service, contract, seed, clock, profile, maxRequests, judge },
    ...(only === undefined ? {} : { replay: only }),
    ...(executes === true ? { executes: 'on its own nodes' } : {}),
    // Replays then name the place in the run, as of what may not be written into a line.
    isWithoutSecrets: () => false,
    onFound: (one) => found.push(one),
    listener: (exchange) => exchanges.push(exchange),
  });
  await service.close();
  const sent = exchanges.map(({ request }) => JSON.stringify(request));
  return { sent, report, results: judge.results(), found };
}

/** The service as it is. */
export const clean: Decorator = (service) => service;
