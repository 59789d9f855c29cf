import type { RuleResult } from '../../contracts/judging/judge.ts';
import { Judge } from '../../contracts/judging/judge.ts';
import type { ProfileName } from '../../contracts/judging/profile.ts';
import { PROFILES, rulesOfProfile } from '../../contracts/judging/profile.ts';
import type { Counterexample } from '../../contracts/run/run.ts';
import type { Contract } from '../../contracts/document/schema.ts';
import { createVirtualClock } from '../../fixtures/clocks/virtual-clock.ts';
import { exploreInProcess } from '../properties/in-process.ts';
import { createRandom } from '../drive/random.ts';
import type { DriveReport } from '../drive/index.ts';
import { createPaperRecord } from './paper-record.ts';
import type { Specimen, TestedService } from './tested-service.ts';

/** What became of a case. */
export interface CaseResult {
  readonly results: readonly RuleResult[];
  readonly report: DriveReport;
  readonly exchanges: number;
  readonly counterexamples: readonly Counterexample[];
  /** Rules of which the record of the run says something else than the run did; there never should be any. */
  readonly judgedOtherwise: readonly string[];
}

/** A fixed moment, so that a case repeats exactly. */
const START_MS = Date.UTC(2026, 0, 1);

/** A test of hundreds of services cannot search each of them for a whole night. */
const MAX_REQUESTS = 1_500;

/**
 * Drives and judges one service in the same process, on a clock of its own.
 *
 * @param untilBroken a rule; once an exchange breaks it, no more are sent
 */
export async function runCase(
  { driven, create, executes }: TestedService,
  specimen: Specimen,
  seed: number,
  contract: Contract,
  profile: ProfileName | undefined,
  untilBroken?: string,
): Promise<CaseResult> {
  const clock = createVirtualClock(START_MS);
  const random = createRandom(seed);
  const environment = {
    now: () => clock.nowMs(),
    randomUint32: () => random.integer(0, 0xffffffff),
  };
  const service = create(specimen, { seed, environment });
  const rules = rulesOfProfile(driven.rules.ofExchanges, profile ?? 'gate');
  const judge = new Judge(rules, contract);
  const paper = createPaperRecord();
  const counterexamples: Counterexample[] = [];
  try {
    const report = await exploreInProcess({
      driven,
      service,
      contract,
      seed,
      clock,
      profile: profile ?? 'gate',
      driveOnly: profile === undefined,
      maxRequests: Math.min(PROFILES[profile ?? 'gate'].maxRequests, MAX_REQUESTS),
      judge,
      onFound: (found) => {
        counterexamples.push(found);
      },
      listener: paper.record,
      ...(executes(specimen) ? { executes: 'on its own nodes' } : {}),
      mayGoOn: () => untilBroken === undefined || !judge.isBroken(untilBroken),
    });
    const { exchanges } = judge.counts;
    const results = judge.resultsOfRun();
    // A judge goes on after a fault of its own; here that fault is what is looked for.
    const [crash] = judge.crashes;
    if (crash !== undefined) throw new Error(crash);
    const judgedOtherwise = paper.judgedOtherwise(rules, contract, results);
    return { results, report, exchanges, counterexamples, judgedOtherwise };
  } finally {
    await service.close();
  }
}
