import type { ContractFiles } from '../../../contracts/document/contract-files.ts';
import { SIMULTANEOUS } from '../../../contracts/rules/simultaneous.ts';
import type { OwnRulesSource } from '../../../fixtures/target/config/own-rules.ts';
import type { Contract } from '../../../contracts/document/schema.ts';
import type { Exchange } from '../../../contracts/wire/exchange.ts';
import type { LiveJudge } from '../../../load/judging/live-judge.ts';
import { openLiveJudge } from '../../../load/judging/open-live-judge.ts';
import type { Scenario } from '../../../load/scenarios/scenario.ts';
import { JUDGED_SERVICE } from '../../service.ts';
import type { LoadRules } from './load-rules.ts';

/** What the judge of a load run is made from. */
export interface LoadJudgeOptions {
  readonly rules: LoadRules;
  readonly contract: Contract;
  readonly contractFiles: ContractFiles;
  /** Where rules of one's own stand, for a thread that judges. */
  readonly ownRules?: OwnRulesSource;
  /** Statuses that the target throttles with besides what its document says. */
  readonly throttleStatuses: readonly number[];
  readonly scenario: Scenario;
  /** Requests that the schedule holds. */
  readonly requests: number;
  /** Of the answers, above 0 and up to 1. */
  readonly share: number;
  readonly keep: (exchange: Exchange) => boolean;
}

/** Judges the answers of a load run as they come, in a thread of its own where there are cores for it. */
export function openLoadJudge({ rules, ...options }: LoadJudgeOptions): Promise<LiveJudge> {
  return openLiveJudge({
    ...options,
    rules: rules.all,
    live: rules.judged,
    service: JUDGED_SERVICE,
    simultaneous: SIMULTANEOUS,
  });
}
