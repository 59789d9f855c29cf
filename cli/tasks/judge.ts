import { join } from 'node:path';
import type { ContractFiles } from '../../contracts/document/contract-files.ts';
import type { InHand } from '../../contracts/judging/judge.ts';
import { given, omit } from '../../contracts/wire/json.ts';
import { loadContractOf } from '../../contracts/document/load-contract.ts';
import { NOT_COVERED, withSettings } from '../../contracts/run/record-lines.ts';
import type { RunJson } from '../../contracts/run/run.ts';
import { EVERY_RULE } from '../../contracts/judging/rule-choice.ts';
import type { Contract } from '../../contracts/document/schema.ts';
import type { Waiver } from '../../contracts/judging/verdict.ts';
import type { RuleRegistry } from '../../contracts/rules/registry.ts';
import { systemNowMs } from '../../target/budget/clock.ts';
import { ownRulesOf, type TargetConfig } from '../../target/config/config-types.ts';
import { type ContractsOfConfig, readContracts } from '../../target/config/contract-overrides.ts';
import { RecordAltered } from '../../target/record/record-error.ts';
import { isInRecord } from '../../target/record/packed.ts';
import { SUMMARY_FILE } from '../../target/record/recorder.ts';
import { UsageError } from '../exit-code.ts';
import { serviceOf } from '../judged-service.ts';
import { registryWith } from '../own-rules.ts';
import { refuseUnknownWaivers } from '../unknown-words.ts';
import type { RunEnd, RunSetting } from '../run-setting.ts';
import { keptContracts } from '../record/contracts-record.ts';
import { completionOf, endOf } from './completion.ts';
import { type Differences, differences } from './differences.ts';
import { type JudgedRecord, judgeRecord } from './judge-record.ts';
import { readRun } from './read-run.ts';
import { beginningIn } from './record-lines.ts';
import type { SealedRecord } from './seal.ts';
import type { TaskSetting } from './task-setting.ts';

/** What judging the record of a run that has just ended takes. */
export interface JudgeInput {
  readonly dir: string;
  readonly contractFiles: ContractFiles;
  readonly setting: RunSetting;
  readonly end: RunEnd;
  /** What the run has recorded; undefined if that is not known. */
  readonly sealed?: SealedRecord | undefined;
  readonly leaveOut: readonly InHand[];
  /** When to stop by itself, on the clock of the system. */
  readonly stopAtMs: number;
}

/** Judges the record of a run that has just ended. */
export async function judgeTask(
  options: JudgeInput,
  { inHand }: Pick<TaskSetting, 'inHand'>,
): Promise<RunJson> {
  const contract = await loadContractOf(serviceOf(options.setting.target), {
    files: options.contractFiles,
    isChecked: true,
  });
  const endedAt = options.end.endedAt ?? new Date(systemNowMs());
  const { run } = await judgeRecord(contract, { ...options, endedAt, inHand });
  return run;
}

/** What judging a record again takes. */
export interface JudgeAgainInput {
  readonly dir: string;
  /** Contracts to judge by in place of those of the run; none for those. */
  readonly config: ContractsOfConfig & Pick<TargetConfig, 'rules'>;
  /**
   * `of its run`: those that the run had, without asking whether they still name a rule. So is a record
   * judged that its run did not judge, whatever is asked for.
   */
  readonly waivers: readonly Waiver[] | 'of its run';
  readonly leaveOut: readonly InHand[];
  readonly stopAtMs: number;
}

/** A record that was judged again, beside what its run said. */
export interface JudgedAgain {
  readonly recorded: RunJson;
  readonly judged: JudgedRecord;
  readonly contract: Contract;
  readonly registry: RuleRegistry;
  readonly differences: Differences;
}

/** What judging a record again came to. */
export interface JudgedAgainRun {
  readonly run: RunJson;
  /** Whether it is what the run would have said, had it judged its record: it takes the place of its summary. */
  readonly completes: boolean;
}

/**
 * Judges a record again, and checks that it is the one that its run left.
 *
 * @throws UsageError when the folder holds no record, or a waiver means no rule
 * @throws RecordAltered when its exchanges, its other files or its summary are not those of its run
 * @throws RecordCorrupt when it cannot be read
 */
export async function judgeAgainTask(
  input: JudgeAgainInput,
  setting: Pick<TaskSetting, 'inHand'>,
): Promise<JudgedAgainRun> {
  const again = await judgeAgain(readRunOf(input.dir), input, setting);
  const { altered, notices } = again.differences;
  if (altered.length > 0) throw new RecordAltered(altered.join('; '));
  const { run } = again.judged;
  const completion = completionOf(again);
  const first = notices.filter((notice) => notice === NOT_COVERED);
  const others = notices.filter((notice) => notice !== NOT_COVERED);
  return {
    run: {
      ...run,
      notices: [...new Set([...first, ...run.notices, ...others, ...completion.notices])],
    },
    completes: completion.completes,
  };
}

/**
 * The summary of a record.
 *
 * @throws UsageError when the folder holds no record
 * @throws RecordCorrupt when it cannot be read
 */
export function readRunOf(dir: string): RunJson {
  if (isInRecord(join(dir, SUMMARY_FILE))) return readRun(dir);
  throw new UsageError(`${dir} holds no run record: ${SUMMARY_FILE} is missing`);
}

/**
 * Judges a record again, by what its lines say of its run, and says in what it is not the one that its run left.
 *
 * @param summary of the record; of one of an earlier version, which has no such lines, it is believed
 * @throws UsageError when the folder holds no exchanges, or a waiver means no rule
 * @throws RecordAltered when its exchanges are no chain of its run
 * @throws RecordCorrupt when it cannot be read
 */
export async function judgeAgain(
  summary: RunJson,
  { dir, config, waivers: asked, leaveOut, stopAtMs }: JudgeAgainInput,
  { inHand }: Pick<TaskSetting, 'inHand'>,
): Promise<JudgedAgain> {
  const beginning = await beginningIn(dir, summary.record.id);
  const recorded = beginning === undefined ? summary : withSettings(summary, beginning);
  const service = serviceOf(recorded.target);
  const contractFiles =
    config.contracts.length > 0 ? await readContracts(config, service.apis) : keptContracts(dir);
  const contract = await loadContractOf(service, { files: contractFiles });
  const { registry } = await registryWith(config.rules, contract, service);
  if (asked !== 'of its run') {
    const operations = contract.operations.map(({ id }) => id);
    refuseUnknownWaivers(registry.ofRun(contract), asked, operations, service);
  }
  const isOfRun = asked === 'of its run' || recorded.unjudged !== undefined;
  const waivers = isOfRun ? (recorded.waivers ?? []) : asked;
  const { kind, seed, profile, replay, command, target, budget, record } = recorded;
  const judged = await judgeRecord(contract, {
    dir,
    contractFiles,
    setting: {
      recordId: record.id,
      startedAt: new Date(recorded.startedAt),
      ...{ seed, profile, target, waivers, labels: recorded.labels ?? {} },
      ...ownRulesOf(config),
      choice: recorded.choice === undefined ? EVERY_RULE : omit(recorded.choice, 'leftOut'),
      ...(replay === undefined ? {} : { replay }),
      ...given({ kind, command, budget }),
    },
    end: {
      ...endOf(recorded),
      ...(recorded.search === undefined ? {} : { search: recorded.search }),
      ...(recorded.replayed === undefined ? {} : { replayed: recorded.replayed }),
      ...(recorded.regressions === undefined ? {} : { regressions: recorded.regressions }),
    },
    endedAt: new Date(recorded.endedAt),
    // Nobody was left to say when a killed run ended.
    endsWithExchanges: record.head === undefined,
    recordedRules: recorded.rules,
    ...{ leaveOut, stopAtMs, inHand },
  });
  return { recorded, judged, contract, registry, differences: differences(dir, summary, judged) };
}
