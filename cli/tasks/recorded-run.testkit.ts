import type { ContractFiles } from '../../contracts/document/contract-files.ts';
import { loadContract } from '../../contracts/service/load-contract.ts';
import { beginningOf } from '../../contracts/run/record-lines.ts';
import type { RunJson, RunKind } from '../../contracts/run/run.ts';
import type { Exchange } from '../../contracts/wire/exchange.ts';
import { appendLine, createRecord, openRecorder } from '../../target/record/recorder.ts';
import { runWithoutSecrets, summaryDigest, summaryText, writeJudged } from '../record/record.ts';
import type { RunEnd, RunSetting } from '../run-setting.ts';
import { contractRow } from './judge-record.ts';
import { judgeTask } from './judge.ts';
import { prepareTask } from './prepare.ts';
import { type SealedRecord, sealTask } from './seal.ts';

/** What a record is made of. */
export interface RecordedRun {
  readonly setting: RunSetting;
  readonly exchanges: readonly Exchange[];
  readonly end?: RunEnd;
  readonly kind?: RunKind;
  readonly contractFiles?: ContractFiles;
  /** Writes what the record holds beside its exchanges. */
  readonly beside?: () => void;
}

const WHOLE: RunEnd = { cutShort: false, notices: [] };

/** Begins a record and writes its exchanges, as a run does that is killed then. */
export async function recordBegun(
  dir: string,
  { setting, exchanges, kind = 'check', contractFiles = [], beside }: RecordedRun,
): Promise<RunJson> {
  const { run: read } = await prepareTask({
    config: { contracts: [], allowRefs: [] },
    setting: { ...setting, kind },
  });
  const contract = await loadContract({ files: contractFiles });
  const run = { ...read, contract: contractRow(contract, contractFiles) };
  const { recordId } = setting;
  createRecord(dir, { recordId, run: beginningOf(runWithoutSecrets(run), kind) });
  writeJudged(dir, run);
  const recorder = openRecorder(dir, { recordId });
  exchanges.forEach(recorder.record);
  recorder.close();
  beside?.();
  return run;
}

/** Ends a record that was begun. */
export async function recordEnded(
  dir: string,
  { setting, end = WHOLE }: RecordedRun,
): Promise<SealedRecord> {
  const { recordId, target, startedAt } = setting;
  const lengthMs = 60_000;
  const endedAt = new Date(startedAt.getTime() + lengthMs);
  const apis = Object.keys(target.urls);
  const sealed = await sealTask({ dir, recordId, apis, end, endedAt, lengthMs });
  if (sealed === undefined) throw new Error('the record is torn');
  return sealed;
}

/** A record as a run leaves it. */
export async function recordRun(dir: string, recorded: RecordedRun): Promise<RunJson> {
  await recordBegun(dir, recorded);
  const { tail } = await recordEnded(dir, recorded);
  const { end = WHOLE, kind = 'check', contractFiles = [] } = recorded;
  const setting = { ...recorded.setting, kind };
  const run = await judgeTask(
    {
      ...{ dir, contractFiles, setting, end, leaveOut: [] },
      stopAtMs: Number.MAX_SAFE_INTEGER,
    },
    { inHand: new Int32Array(2) },
  );
  const sha256 = summaryDigest(summaryText(runWithoutSecrets(run)));
  appendLine(dir, tail, { judged: { sha256 } });
  return writeJudged(dir, run);
}
