import { loadContract } from '../../../contracts/service/load-contract.ts';
import type { RunLoad } from '../../../contracts/run/load/load-run.ts';
import type { ApiName, Exchange } from '../../../contracts/wire/exchange.ts';
import { BudgetExceeded } from '../../../target/budget/governor.ts';
import { RecordAltered } from '../../../target/record/record-error.ts';
import { readExchanges } from '../../../target/record/record-reader.ts';
import { openRecorder } from '../../../target/record/recorder.ts';
import { type MergedPart, mergeLoads } from '../../../load/merge/merge.ts';
import { inOrderOfTime } from '../../../load/merge/part-exchanges.ts';
import { parseThreshold } from '../../../contracts/run/load/threshold.ts';
import { withNeverServed } from '../../../load/never-served.ts';
import { heldAgainst, measuredOf } from '../../../load/thresholds.ts';
import { invalidities } from '../../../load/validity.ts';
import { loadRules } from './load-rules.ts';
import { registryWith } from '../../own-rules.ts';
import type { RunEnd, RunSetting } from '../../run-setting.ts';
import { keptContracts } from '../../record/contracts-record.ts';
import type { TaskSetting } from '../task-setting.ts';
import { readLoad } from '../../record/load-record.ts';
import { keepLoad } from './keep-load.ts';

/** What adding up the parts of a load run takes. */
export interface MergeLoadsInput {
  /** In their order. */
  readonly parts: readonly MergedPart[];
  /** The record of a part: all of them judge by the same contract. */
  readonly contractsOf: string;
  /** As they are written. */
  readonly thresholds: readonly string[];
  readonly setting: Pick<RunSetting, 'startedAt' | 'waivers' | 'choice' | 'ownRules'>;
  readonly apis: readonly ApiName[];
}

/**
 * Adds up parts, and decides again what they are held to.
 *
 * @throws NotAHistogram when a record holds something else in place of one
 * @throws ThresholdError
 */
export async function mergeLoadsTask(input: MergeLoadsInput): Promise<RunLoad> {
  const { parts, setting, apis } = input;
  const thresholds = input.thresholds.map(parseThreshold);
  const contract = await loadContract({ files: keptContracts(input.contractsOf), isChecked: true });
  const { registry } = await registryWith(setting.ownRules, contract);
  const { failsRun } = loadRules(registry, contract, setting, new Set(apis));
  return mergeLoads(parts, thresholds, (load) => {
    const measured = measuredOf(load, failsRun);
    const { generator, whole, steps, engine, unanswered = 0 } = load;
    // What is wrong with a part is wrong with the whole, and said of the part.
    const areValid = parts.every((part) => part.load.invalid.length === 0);
    return {
      thresholds: withNeverServed(
        load,
        thresholds.map((one) => heldAgainst(one, measured)),
      ),
      ...(areValid
        ? invalidities({
            ...{ generator, ...whole, steps, isScheduled: engine.name !== 'autocannon' },
            unanswered,
          })
        : { invalid: [] }),
    };
  });
}

/** A record whose exchanges go into the merged one. */
export interface PartRecord {
  /** From 1. */
  readonly index: number;
  readonly dir: string;
  readonly recordId: string;
  /** The end of its chain, as it was when the record was judged. */
  readonly head: string;
}

/** What writing the record of a merged run takes. */
export interface MergeExchangesInput {
  readonly recordDir: string;
  readonly recordId: string;
  readonly maxRecordBytes: number;
  readonly parts: readonly PartRecord[];
  readonly load: RunLoad;
}

/**
 * Writes the record of a merged run: what its load came to, and the exchanges of all parts in a chain of
 * its own.
 *
 * @throws RecordAltered when the record of a part was changed since it was judged
 * @throws RecordNotWritten when the system refuses
 */
export async function mergeExchangesTask(
  { recordDir, recordId, maxRecordBytes, parts, load }: MergeExchangesInput,
  { signal }: Pick<TaskSetting, 'signal'>,
): Promise<RunEnd> {
  const readers = parts.map((part) => ({
    ...part,
    exchanges: readExchanges(part.dir, part.recordId),
  }));
  const recorder = openRecorder(recordDir, { recordId, maxRecordBytes });
  try {
    const statuses = parts.flatMap(({ dir }) => readLoad(dir)?.throttleStatuses ?? []);
    keepLoad(recordDir, load, [...new Set(statuses)]);
    for await (const exchange of inOrderOfTime(readers)) {
      if (signal.aborted) return cutShort('The merge was interrupted.');
      if (!isKept(recorder.record, exchange)) return cutShort(recordFull(maxRecordBytes));
    }
  } finally {
    recorder.close();
  }
  for (const { dir, head, exchanges } of readers) {
    if (exchanges.head === head) continue;
    throw new RecordAltered(`the exchanges of ${dir} were changed while they were read`);
  }
  return { cutShort: false, notices: [], recorded: recorder.recorded() };
}

function cutShort(notice: string): RunEnd {
  return { cutShort: true, notices: [notice] };
}

/** What is said of a merged record that takes no more. */
export function recordFull(maxRecordBytes: number): string {
  return `The merged record is full at ${maxRecordBytes} bytes, and lacks exchanges of the parts. --max-record-bytes allows more.`;
}

/** Records an exchange; false if the record takes no more. */
export function isKept(record: (exchange: Exchange) => void, exchange: Exchange): boolean {
  try {
    record(exchange);
    return true;
  } catch (error) {
    if (error instanceof BudgetExceeded) return false;
    throw error;
  }
}
