import { availableParallelism } from 'node:os';
import type { Rule } from '../../contracts/judging/rule.ts';
import type { Contract } from '../../contracts/document/schema.ts';
import type { Exchange } from '../../contracts/wire/exchange.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import { warmJudging } from './answer-judge.ts';
import type { JudgedBy } from './judge-protocol.ts';
import { judgingHere } from './judging.ts';
import { judgesThere, judgingThere } from './judging-there.ts';
import { createLiveJudge, type LiveJudge, type LiveJudgeOptions } from './live-judge.ts';
import { MixedAnswers } from './mixed-answers.ts';
import { RelatedJudge, rulesOfRelations } from './related-judge.ts';
import { utilizationMeter } from './utilization.ts';

/** How a load run is to be judged. */
export interface LiveJudging extends Pick<LiveJudgeOptions, 'requests' | 'share' | 'keep'> {
  readonly contract: Contract;
  /** What contract and rules were made of, for a thread that makes them again. */
  readonly by: JudgedBy;
  /** All rules that judge the record; see `rulesUnderLoad`. */
  readonly rules: readonly Rule[];
  /** Of these, rules over single exchanges that judge each answer. */
  readonly live: readonly Rule[];
  readonly scenario: Pick<Scenario, 'steps' | 'onThrottle'>;
  /** The kind of relation of two different requests of one moment; see {@link MixedAnswers}. */
  readonly simultaneous: string;
  /** Answers of the preparation; see {@link warmJudging}. */
  readonly warmUp: readonly Exchange[];
  /** Where to judge: in the thread that sends or in one of its own; by the cores when absent. */
  readonly where?: 'here' | 'there';
}

/** Opens the judge of a load run; ends once it is ready to judge. */
export async function openLiveJudge(options: LiveJudging): Promise<LiveJudge> {
  const { contract, by, rules, live, scenario, simultaneous, where, warmUp, ...rest } = options;
  const ids = live.map(({ id }) => id);
  const isThere = judgesThere(where, availableParallelism());
  if (!isThere) warmJudging(live, contract, warmUp);
  return createLiveJudge({
    ...rest,
    rules: ids,
    onNames: rules.flatMap((one) =>
      one.scope === 'run' && one.nameOf !== undefined ? [one.id] : [],
    ),
    steps: scenario.steps.length,
    utilization: utilizationMeter(),
    open: isThere ? await judgingThere({ by, rules: ids, warmUp }) : judgingHere(live, contract),
    related: new RelatedJudge(rulesOfRelations(rules), contract, scenario.steps.length),
    mixed: new MixedAnswers(rules, simultaneous, contract),
    areMarked: scenario.onThrottle === 'come-back',
  });
}
