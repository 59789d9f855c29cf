import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { given } from '../../../contracts/wire/json.ts';
import { loadContract } from '../../../contracts/service/load-contract.ts';
import type { RunLoad } from '../../../contracts/run/load/load-run.ts';
import type { Exchange } from '../../../contracts/wire/exchange.ts';
import type { TargetConfig } from '../../../target/config/config-types.ts';
import { openRecorder } from '../../../target/record/recorder.ts';
import { createRedactor } from '../../../target/redaction/redactor.ts';
import { secretsOf } from '../../../target/config/secrets.ts';
import { RecordedRun } from '../../../load/engines/k6/k6-recorded.ts';
import { type RecordedPlan, recordedPlan } from '../../../load/engines/k6/k6-recorded-plan.ts';
import { MAX_PARTS } from '../../../load/scenarios/segment.ts';
import { startLoad } from '../../../load/run/run-load.ts';
import { parseThreshold } from '../../../contracts/run/load/threshold.ts';
import {
  CLUSTER_FILE,
  type ClusterPlan,
  isManifestOf,
  MANIFEST_FILE,
  readClusterPlan,
  SAMPLES_END,
} from './cluster-plan.ts';
import { UsageError } from '../../exit-code.ts';
import { heldTo } from './load-parts.ts';
import { loadRules } from './load-rules.ts';
import type { OwnRulesSource } from '../../../target/config/own-rules.ts';
import { SERVICE } from '../../service.ts';
import type { RunEnd, RunSetting } from '../../run-setting.ts';
import type { TaskSetting } from '../task-setting.ts';
import { keepLoad } from './keep-load.ts';
import { isKept, recordFull } from './merge.ts';

/** What reading the samples of a run in a cluster takes. */
export interface MergeSamplesInput {
  readonly dir: string;
  /** As the user gave it. */
  readonly name: string;
  /** Thresholds of flags, as they are written. */
  readonly thresholds: readonly string[];
  readonly written: TargetConfig['load'];
  readonly waivers: RunSetting['waivers'];
  readonly labels: RunSetting['labels'];
  readonly ownRules?: OwnRulesSource;
}

/** What the samples came to. */
export interface MergedSamples {
  readonly setting: Omit<RunSetting, 'recordId'>;
  readonly load: RunLoad;
  /** Those that were handed out, in the order of time. */
  readonly exchanges: readonly Exchange[];
  readonly end: RunEnd & Required<Pick<RunEnd, 'endedAt'>>;
}

/** More is not held in memory until there is a record. */
const MAX_KEPT_CHARACTERS = 24_000_000;
const MAX_NAMED = 20;
const MANIFEST_CHANGED = `${MANIFEST_FILE} is not as it was written; what was sent stands in ${CLUSTER_FILE}, whose plan the samples name.`;

/**
 * Reads the samples that the pods of a run wrote, and holds the run to its thresholds.
 *
 * @throws UsageError when the folder is not what it should be
 * @throws UnfitParts when the samples are not those of all parts of the run, each once and whole
 * @throws ThresholdError
 */
export async function mergeSamplesTask(
  input: MergeSamplesInput,
  { signal }: Pick<TaskSetting, 'signal'>,
): Promise<MergedSamples> {
  const { dir, name, waivers } = input;
  const kept = readClusterPlan(dir, name);
  const contract = await loadContract({ files: [], isChecked: true });
  if (contract.sha256 !== kept.contract.sha256) {
    throw new UsageError(
      `${name} was written by Assay ${kept.tool.version}, which judged by another contract than this one: merge it with that version`,
    );
  }
  const plan = planIn(kept, name);
  const { scenario } = plan.job;
  const { seed, profile, choice, target, apis } = kept;
  const asked = { flags: input.thresholds, written: input.written };
  const thresholds = heldTo(scenario.name, kept.thresholds, asked).map(parseThreshold);
  const files = filesIn(dir, name);
  const redactor = createRedactor(secretsOf(process.env));
  const engine = new RecordedRun({ plan, parts: kept.parts, files, redactor });
  const exchanges: Exchange[] = [];
  let characters = 0;
  const isFull = (): boolean => characters > MAX_KEPT_CHARACTERS;
  const startedAt = (): Date => new Date(engine.times?.startedAtMs ?? 0);
  let failsRun: ((rule: string) => boolean) | undefined;
  const under = startLoad({
    ...{ job: { ...plan.job, signal }, version: kept.k6, thresholds },
    engine: () => engine,
    keep: (exchange) => {
      characters += JSON.stringify(exchange).length;
      if (!isFull()) exchanges.push(exchange);
      return !isFull();
    },
    failsRun: (rule) => {
      const runFacts = { startedAt: startedAt(), waivers, choice };
      failsRun ??= loadRules(SERVICE.rules, contract, runFacts, new Set(apis)).failsRun;
      return failsRun(rule);
    },
  });
  const { load, notices } = await under.ended;
  const { endedAtMs = 0 } = engine.times ?? {};
  return {
    setting: {
      ...{ startedAt: startedAt(), seed, profile, waivers, choice, target },
      ...given({ ownRules: input.ownRules }),
      labels: { ...kept.labels, ...input.labels },
    },
    load,
    exchanges,
    end: {
      cutShort: false,
      endedAt: new Date(endedAtMs),
      notices: [
        `Merged of the samples of ${files.length} parts in a cluster: ${namesOf(files)}. They say nothing of its machines.`,
        ...(isManifestOf(dir, kept) === false ? [MANIFEST_CHANGED] : []),
        ...notices,
        ...(isFull() ? ['More wrong answers were handed out than the record holds.'] : []),
      ],
    },
  };
}

function planIn({ files }: ClusterPlan, name: string): RecordedPlan {
  try {
    return recordedPlan(files);
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
    throw new UsageError(
      `${join(name, CLUSTER_FILE)} holds no plan of assay load --k8s: ${error.message}. Copy it again.`,
    );
  }
}

function filesIn(dir: string, name: string): { readonly name: string; readonly path: string }[] {
  const names = readdirSync(dir).filter((one) => one.endsWith(SAMPLES_END));
  if (names.length === 0) {
    throw new UsageError(
      `${name} holds no samples: copy <pod>${SAMPLES_END} of all parts of the run into it`,
    );
  }
  if (names.length > MAX_PARTS) {
    throw new UsageError(
      `${name} holds ${names.length} files of samples, and a run has ${MAX_PARTS} parts at the most`,
    );
  }
  return names.sort().map((one) => ({ name: one, path: join(dir, one) }));
}

function namesOf(files: readonly { readonly name: string }[]): string {
  const names = files.slice(0, MAX_NAMED).map(({ name }) => name);
  return [...names, ...(files.length > names.length ? ['…'] : [])].join(', ');
}

/** What keeping merged samples takes. */
export interface KeepSamplesInput extends Pick<MergedSamples, 'load' | 'exchanges'> {
  readonly recordDir: string;
  readonly recordId: string;
  readonly maxRecordBytes: number;
}

/**
 * Writes what merged samples came to into a record.
 *
 * @throws RecordNotWritten when the system refuses
 */
export function keepSamplesTask(input: KeepSamplesInput): RunEnd {
  const { recordDir, recordId, maxRecordBytes, load, exchanges } = input;
  const recorder = openRecorder(recordDir, { recordId, maxRecordBytes });
  try {
    keepLoad(recordDir, load);
    const isWhole = exchanges.every((one) => isKept(recorder.record, one));
    return isWhole
      ? { cutShort: false, notices: [], recorded: recorder.recorded() }
      : { cutShort: true, notices: [recordFull(maxRecordBytes)] };
  } finally {
    recorder.close();
  }
}
