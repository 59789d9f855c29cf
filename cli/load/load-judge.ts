import { availableParallelism } from 'node:os';
import type { ContractFiles } from '../../contracts/document/contract-files.ts';
import { SIMULTANEOUS } from '../../contracts/rules/simultaneous.ts';
import type { OwnRulesSource } from '../../fixtures/target/config/own-rules.ts';
import type { Contract } from '../../contracts/document/schema.ts';
import type { Exchange } from '../../contracts/wire/exchange.ts';
import { createLiveJudge, type LiveJudge } from '../../load/judging/live-judge.ts';
import { judgesThere, judgingThere } from '../../load/judging/judging-there.ts';
import { judgingHere } from '../../load/judging/judging.ts';
import { MixedAnswers } from '../../load/judging/mixed-answers.ts';
import { RelatedJudge, rulesOfRelations } from '../../load/judging/related-judge.ts';
import { utilizationMeter } from '../../load/judging/utilization.ts';
import type { Scenario } from '../../load/scenarios/scenario.ts';
import { JUDGED_SERVICE } from '../service.ts';
import type { LoadRules } from './load-rules.ts';

/** What the judge of a load run is made from. */
export interface LoadJudgeOptions {
  readonly rules: LoadRules;
  readonly contract: Contract;
  readonly contractFiles: ContractFiles;
  /** Where rules of one's own stand, for a thread that judges. */
  readonly ownRules?: OwnRulesSource;
  readonly scenario: Scenario;
  /** Requests that the schedule holds. */
  readonly requests: number;
  /** Of the answers, above 0 and up to 1. */
  readonly share: number;
  readonly keep: (exchange: Exchange) => boolean;
}

/** Judges the answers of a load run as they come, in a thread of its own where there are cores for it. */
export async function openLoadJudge(options: LoadJudgeOptions): Promise<LiveJudge> {
  const { rules, contract, contractFiles, scenario, requests, share, keep } = options;
  const own = options.ownRules === undefined ? {} : { ownRules: options.ownRules };
  const { judged, all } = rules;
  const ids = judged.map(({ id }) => id);
  const steps = scenario.steps.length;
  const open = judgesThere(undefined, availableParallelism())
    ? await judgingThere({ service: JUDGED_SERVICE, contractFiles, rules: ids, ...own })
    : judgingHere(judged, contract);
  return createLiveJudge({
    ...{ rules: ids, steps, requests, share, keep, open },
    utilization: utilizationMeter(),
    areMarked: scenario.onThrottle === 'come-back',
    related: new RelatedJudge(rulesOfRelations(all), contract, steps),
    mixed: new MixedAnswers(all, SIMULTANEOUS, contract),
  });
}
