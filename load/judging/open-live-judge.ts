import { availableParallelism } from 'node:os';
import type { ContractFiles } from '../../contracts/document/contract-files.ts';
import type { Rule } from '../../contracts/judging/rule.ts';
import { throttledByStatus } from '../../contracts/document/throttled-by-status.ts';
import type { Contract } from '../../contracts/document/schema.ts';
import type { OwnRulesSource } from '../../fixtures/target/config/own-rules.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import { judgingHere } from './judging.ts';
import { judgesThere, judgingThere } from './judging-there.ts';
import { createLiveJudge, type LiveJudge, type LiveJudgeOptions } from './live-judge.ts';
import { MixedAnswers } from './mixed-answers.ts';
import { RelatedJudge, rulesOfRelations } from './related-judge.ts';
import { utilizationMeter } from './utilization.ts';

/** How a load run is to be judged. */
export interface LiveJudging extends Pick<LiveJudgeOptions, 'requests' | 'share' | 'keep'> {
  readonly contract: Contract;
  /** What the contract was made of, for a thread that makes it again. */
  readonly contractFiles: ContractFiles;
  /** Statuses that the target throttles with besides what its document says; none when absent. */
  readonly throttleStatuses?: readonly number[];
  /** URL of the module that exports the service to judge as `SERVICE`, for that thread. */
  readonly service: string;
  /** Where rules of one's own stand, for that thread. */
  readonly ownRules?: OwnRulesSource;
  /** All rules that judge the record; see `rulesUnderLoad`. */
  readonly rules: readonly Rule[];
  /** Of these, rules over single exchanges that judge each answer. */
  readonly live: readonly Rule[];
  readonly scenario: Pick<Scenario, 'steps' | 'onThrottle'>;
  /** The kind of relation of two different requests of one moment; see {@link MixedAnswers}. */
  readonly simultaneous: string;
  /** Where to judge: in the thread that sends or in one of its own; by the cores when absent. */
  readonly where?: 'here' | 'there';
}

/** Opens the judge of a load run; ends once it is ready to judge. */
export async function openLiveJudge(options: LiveJudging): Promise<LiveJudge> {
  const { contractFiles, service, ownRules, throttleStatuses = [], ...others } = options;
  const contract = throttledByStatus(options.contract, throttleStatuses);
  const { rules, live, scenario, simultaneous, where, ...rest } = others;
  const own = ownRules === undefined ? {} : { ownRules };
  const ids = live.map(({ id }) => id);
  const isThere = judgesThere(where, availableParallelism());
  return createLiveJudge({
    ...rest,
    rules: ids,
    steps: scenario.steps.length,
    utilization: utilizationMeter(),
    open: isThere
      ? await judgingThere({ service, contractFiles, rules: ids, throttleStatuses, ...own })
      : judgingHere(live, contract),
    related: new RelatedJudge(rulesOfRelations(rules), contract, scenario.steps.length),
    mixed: new MixedAnswers(rules, simultaneous, contract),
    areMarked: scenario.onThrottle === 'come-back',
  });
}
