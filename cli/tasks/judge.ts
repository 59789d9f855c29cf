import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ContractFiles } from '../../contracts/contract-files.ts';
import type { InHand } from '../../contracts/judge.ts';
import { omit } from '../../contracts/json.ts';
import { loadContract } from '../../contracts/load-contract.ts';
import { rulesFor } from '../../contracts/registry.ts';
import type { RunJson } from '../../contracts/run.ts';
import { EVERY_RULE } from '../../contracts/rule-choice.ts';
import type { Waiver } from '../../contracts/verdict.ts';
import type { TargetConfig } from '../../fixtures/target/config-types.ts';
import { readContracts } from '../../fixtures/target/contract-overrides.ts';
import { RecordAltered } from '../../fixtures/target/record-error.ts';
import { SUMMARY_FILE } from '../../fixtures/target/recorder.ts';
import { UsageError } from '../exit-code.ts';
import { refuseUnknownWaivers } from '../unknown-words.ts';
import type { RunEnd, RunSetting } from '../run-setting.ts';
import { keptContracts } from './contracts-record.ts';
import { differences } from './differences.ts';
import { judgeRecord } from './judge-record.ts';
import { readRun } from './read-run.ts';
import type { TaskSetting } from './index.ts';

/** What judging the record of a run that has just ended takes. */
export interface JudgeInput {
  readonly dir: string;
  readonly contractFiles: ContractFiles;
  readonly setting: RunSetting;
  readonly end: RunEnd;
  readonly leaveOut: readonly InHand[];
  /** When to stop by itself, on the clock of the system. */
  readonly stopAtMs: number;
}

/** Judges the record of a run that has just ended. */
export async function judgeTask(
  options: JudgeInput,
  { inHand }: Pick<TaskSetting, 'inHand'>,
): Promise<RunJson> {
  const contract = await loadContract({ files: options.contractFiles, isChecked: true });
  const endedAt = options.end.endedAt ?? new Date();
  const { run } = await judgeRecord(contract, { ...options, endedAt, inHand });
  return run;
}

/** What judging a record again takes. */
export interface JudgeAgainInput {
  readonly dir: string;
  /** Contracts to judge by in place of those of the run; none for those. */
  readonly config: Pick<TargetConfig, 'contracts' | 'allowRefs'>;
  readonly waivers: readonly Waiver[];
  readonly leaveOut: readonly InHand[];
  readonly stopAtMs: number;
}

/**
 * Judges a record again, and checks that it is the one that its run left.
 *
 * @throws UsageError when the folder holds no record, or a waiver means no rule
 * @throws RecordAltered when its exchanges, its other files or its summary are not those of its run
 * @throws RecordCorrupt when it cannot be read
 */
export async function judgeAgainTask(
  { dir, config, waivers, leaveOut, stopAtMs }: JudgeAgainInput,
  { inHand }: Pick<TaskSetting, 'inHand'>,
): Promise<RunJson> {
  if (!existsSync(join(dir, SUMMARY_FILE))) {
    throw new UsageError(`${dir} holds no run record: ${SUMMARY_FILE} is missing`);
  }
  const recorded = readRun(dir);
  const contractFiles =
    config.contracts.length > 0 ? await readContracts(config) : keptContracts(dir);
  const contract = await loadContract({ files: contractFiles });
  refuseUnknownWaivers(rulesFor(contract), waivers);
  const { seed, profile, replay, command, target, record } = recorded;
  const judged = await judgeRecord(contract, {
    dir,
    contractFiles,
    setting: {
      recordId: record.id,
      startedAt: new Date(recorded.startedAt),
      ...{ seed, profile, target, waivers, labels: recorded.labels ?? {} },
      choice: recorded.choice === undefined ? EVERY_RULE : omit(recorded.choice, 'leftOut'),
      ...(replay === undefined ? {} : { replay }),
      ...(command === undefined ? {} : { command }),
    },
    end: {
      cutShort: !recorded.complete,
      notices: recorded.notices,
      ...(recorded.search === undefined ? {} : { search: recorded.search }),
      ...(recorded.replayed === undefined ? {} : { replayed: recorded.replayed }),
      ...(recorded.regressions === undefined ? {} : { regressions: recorded.regressions }),
    },
    endedAt: new Date(recorded.endedAt),
    ...{ leaveOut, stopAtMs, inHand },
  });
  const { altered, notices } = differences(dir, recorded, judged);
  if (altered.length > 0) throw new RecordAltered(altered.join('; '));
  return { ...judged.run, notices: [...judged.run.notices, ...notices] };
}
