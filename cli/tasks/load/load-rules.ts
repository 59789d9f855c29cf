import { rulesOfRun } from '../../../contracts/judging/profile.ts';
import type { RuleRegistry } from '../../../contracts/rules/registry.ts';
import type { Rule } from '../../../contracts/judging/rule.ts';
import { failsRun } from '../../../contracts/judging/verdict.ts';
import type { Contract } from '../../../contracts/document/schema.ts';
import type { ApiName } from '../../../contracts/wire/exchange.ts';
import { rulesOfAnswers } from '../../../load/judging/answer-judge.ts';
import type { RunSetting } from '../../run-setting.ts';

/** What the answers of a load run are judged by as they come. */
export interface LoadRules {
  /** All that the record is judged by. */
  readonly all: readonly Rule[];
  /** Those on single answers. */
  readonly judged: readonly Rule[];
  /** Whether a broken rule fails the run: by its level, and unless it is waived. */
  readonly failsRun: (rule: string) => boolean;
}

/** The rules on single answers of the APIs that are asked; what only observes is left to the record. */
export function loadRules(
  registry: RuleRegistry,
  contract: Contract,
  { startedAt, waivers, choice }: Pick<RunSetting, 'startedAt' | 'waivers' | 'choice'>,
  apis: ReadonlySet<ApiName>,
): LoadRules {
  const all = rulesOfRun(registry.ofLoad(contract), { profile: 'gate', choice }).rules;
  const judged = rulesOfAnswers(all).filter(
    ({ api, level }) => apis.has(api) && level !== 'observe',
  );
  const day = startedAt.toISOString().slice(0, 10);
  const failing = new Set(
    all.filter((rule) => failsRun(rule, choice.failOn, waivers, day)).map(({ id }) => id),
  );
  return { all, judged, failsRun: (rule) => failing.has(rule) };
}
