import { join } from 'node:path';
import {
  type ContractFiles,
  describeContractFiles,
} from '../../contracts/document/contract-files.ts';
import { withContractMarks } from '../../contracts/observing/contract-observers.ts';
import type { InHand } from '../../contracts/judging/judge.ts';
import type { Rule } from '../../contracts/judging/rule.ts';
import { RefusedAtTimes } from '../../contracts/rules/valid-requests/refused-at-times.ts';
import { Judge } from '../../contracts/judging/judge.ts';
import { rulesOfRun } from '../../contracts/judging/profile.ts';
import type { RecordSeal, RunJson, RunRuleRow } from '../../contracts/run/run.ts';
import { unjudgedNotice } from '../../contracts/run/unjudged.ts';
import type { Contract } from '../../contracts/document/schema.ts';
import { createSystemClock } from '../../target/budget/clock.ts';
import { given, omit } from '../../contracts/wire/json.ts';
import { afterLargeBody } from '../../target/body/large-bodies.ts';
import { readCounterexamples, readExchanges } from '../../target/record/record-reader.ts';
import { isInRecord } from '../../target/record/packed.ts';
import { EXCHANGES_FILE } from '../../target/record/recorder.ts';
import { runJsonOf } from '../../reports/run/run-json.ts';
import { UsageError } from '../exit-code.ts';
import { digestsOf } from '../record/digests.ts';
import { readLimits, readThrottleStatuses } from '../record/limits-record.ts';
import { readLoad } from '../record/load-record.ts';
import { registryWith } from '../own-rules.ts';
import { judgingTool } from '../package.ts';
import type { RunEnd, RunSetting } from '../run-setting.ts';
import { serviceOf } from '../judged-service.ts';
import { linesIn, type RecordLines, refuseOtherTarget } from './record-lines.ts';
import type { SealedRecord } from './seal.ts';

/** How to judge a record. */
export interface JudgeRecordOptions {
  readonly dir: string;
  /** What the contract was made of. */
  readonly contractFiles: ContractFiles;
  readonly setting: RunSetting;
  readonly end: RunEnd;
  readonly endedAt: Date;
  /** Whether it ended with its last exchange, if that was later. */
  readonly endsWithExchanges?: boolean;
  /** Of a record that is judged again: what its run said of each rule. */
  readonly recordedRules?: readonly RunRuleRow[];
  /** Of a run that has just ended: what it has recorded, however much of it is judged. */
  readonly sealed?: SealedRecord | undefined;
  /** What an earlier judge did not come to an end with. */
  readonly leaveOut: readonly InHand[];
  /** When to stop by itself, on the clock of the system, with what is judged by then. */
  readonly stopAtMs: number;
  /** Called with what is in hand. */
  readonly inHand: Int32Array;
}

/** A judged record. */
export interface JudgedRecord {
  readonly run: RunJson;
  /** Lines cut off by the end of a killed run, 0 or 1. */
  readonly tornLines: number;
  /** Whether all of the record was judged. */
  readonly isWhole: boolean;
  /** What the record says of its run besides the exchanges. */
  readonly lines: RecordLines;
}

/** What concluding over all exchanges takes beside judging each, at the most. */
const CONCLUDING = 0.15;

/**
 * Judges the exchanges of a record, one at a time, its chain checked as it is read.
 *
 * @throws UsageError when the folder holds no exchanges
 * @throws RecordAltered when the exchanges are not a chain of the run's id
 * @throws RecordCorrupt when a file of the record cannot be read
 */
export async function judgeRecord(
  contract: Contract,
  options: JudgeRecordOptions,
): Promise<JudgedRecord> {
  const { dir, contractFiles, setting, leaveOut, stopAtMs, inHand } = options;
  if (!isInRecord(join(dir, EXCHANGES_FILE))) {
    throw new UsageError(`${dir} holds no run record: ${EXCHANGES_FILE} is missing`);
  }
  const { recordId, ownRules, ...reported } = setting;
  const service = serviceOf(setting.target);
  const { registry, own } = await registryWith(ownRules, contract, service);
  const limits = readLimits(dir);
  const recorded = readLoad(dir);
  const all =
    limits !== undefined
      ? registry.ofLimits(
          contract,
          limits.map(({ measurement }) => measurement),
        )
      : recorded !== undefined
        ? registry.ofLoad(contract)
        : registry.ofRun(contract);
  const { rules, leftOut } = rulesOfRun(all, setting);
  const watching = withContractMarks(await service.loadObservers(), contract, contractFiles);
  const refusals = new RefusedAtTimes(registry.validRequests);
  const judge = new Judge(rules, contract, {
    ...{ observers: watching.observers, inHand, leaveOut },
    onView: (view) => {
      refusals.look(view);
    },
    credentials: setting.target.credentials,
    isSampled: recorded !== undefined,
    throttleStatuses: recorded?.throttleStatuses ?? readThrottleStatuses(dir),
  });
  const simulations = service.createSimulations?.();
  const clock = createSystemClock();
  const exchanges = readExchanges(dir, recordId, { apis: Object.keys(setting.target.urls) });
  let urls: RunJson['target']['urls'] | undefined;
  let isWhole = true;
  let lastMs = 0;
  const beganMs = clock.nowMs();
  for await (const exchange of exchanges) {
    const nowMs = clock.nowMs();
    if (nowMs + CONCLUDING * (nowMs - beganMs) >= stopAtMs) {
      isWhole = false;
      break;
    }
    // As the record has them, in which secrets are names.
    urls ??= linesIn(dir, exchanges.said).beginning?.target.urls ?? setting.target.urls;
    refuseOtherTarget(dir, exchange, urls);
    judge.add(exchange);
    simulations?.see(exchange, contract);
    lastMs = Math.max(lastMs, exchange.sentAtMs + exchange.latencyMs);
    afterLargeBody(exchange);
  }
  const { tornLines, lines: count, head, said } = exchanges;
  const lines = linesIn(dir, said);
  const end = endIn(lines, options);
  const part = isWhole ? undefined : partJudged(options, judge.counts.exchanges);
  const notices = [
    ...(part === undefined ? [] : [part.notice]),
    ...contract.notices.filter((notice) => !end.notices.includes(notice)),
    ...end.notices,
    ...watching.notices,
    ...(tornLines > 0 ? ['The last exchange of the record is torn and was left out.'] : []),
  ];
  const run = runJsonOf(judge, {
    ...reported,
    ...end,
    ...(own === undefined ? {} : { ownRulesRow: own }),
    notAtHand: notAtHand(options.recordedRules ?? [], all),
    tool: judgingTool(),
    leftOut,
    simulations: simulations?.rows() ?? [],
    refusedAtTimes: refusals.rows(),
    endedAt: lines.end === undefined ? endOf(options, lastMs) : new Date(lines.end.endedAt),
    cutShort: end.cutShort || !isWhole,
    notices,
    ...(part === undefined ? {} : { notJudged: part.reason }),
    contract: contractRow(contract, contractFiles),
    record: recordRow(recordId, lines, { exchanges: count, head, files: digestsOf(dir) }),
    clauses: service.loadClauses(),
    ...(service.keyVariables === undefined ? {} : { keyVariables: service.keyVariables }),
    limitLedger: service.limitLedger,
    counterexamples: readCounterexamples(dir),
    ...(limits === undefined ? {} : { limits }),
    ...(recorded?.load === undefined ? {} : { load: recorded.load }),
  });
  return { run: { ...run, ...part?.says }, tornLines, isWhole, lines };
}

/** How a run ended, by the last line of its record; by who judges it if that was not read. */
function endIn({ beginning, end }: RecordLines, { end: atHand }: JudgeRecordOptions): RunEnd {
  if (end !== undefined) {
    const { complete, notices, failure, search, replayed, regressions } = end;
    return { cutShort: !complete, notices, ...given({ failure, search, replayed, regressions }) };
  }
  // A run whose record has no end did not come to it, whatever its summary says.
  return beginning === undefined ? atHand : { ...atHand, cutShort: true };
}

/** The seal of a record; without its end there is none. */
function recordRow(
  id: string,
  { beginning, end }: RecordLines,
  found: Required<Omit<RecordSeal, 'id'>>,
): RecordSeal {
  if (end !== undefined) return { id, ...found, files: end.files };
  return beginning === undefined ? { id, ...found } : { id };
}

/** Rules that the configuration of a run brought, and that nobody brings now. */
function notAtHand(recorded: readonly RunRuleRow[], all: readonly Rule[]): RunRuleRow[] {
  const known = new Set(all.map(({ id }) => id));
  return recorded.filter(({ id, own }) => own !== undefined && !known.has(id));
}

const YEAR_10000_MS = 253_402_300_800_000;

/** When the run ended; what a record says of times may be no time at all. */
function endOf({ endedAt, endsWithExchanges }: JudgeRecordOptions, lastMs: number): Date {
  const last = new Date(endsWithExchanges === true && lastMs < YEAR_10000_MS ? lastMs : Number.NaN);
  return last > endedAt ? last : endedAt;
}

/** A contract as run.json has it. */
export function contractRow(
  { sha256 }: Pick<Contract, 'sha256'>,
  files: ContractFiles,
): RunJson['contract'] {
  return files.length === 0 ? { sha256 } : { sha256, files: describeContractFiles(files) };
}

/** What a run says of a record that was judged in part. */
interface PartJudged {
  readonly notice: string;
  /** Why rules have no verdict. */
  readonly reason: string;
  readonly says: Pick<RunJson, 'record'> & Partial<Pick<RunJson, 'counts' | 'unjudged'>>;
}

function partJudged({ sealed, setting, end }: JudgeRecordOptions, judged: number): PartJudged {
  if (sealed === undefined) {
    return {
      notice: `The time for judging the record ended: only its first ${judged} exchanges were judged. --max-seconds allows more.`,
      reason: `only the first ${judged} exchanges were judged`,
      says: { record: { id: setting.recordId } },
    };
  }
  const by = 'time';
  return {
    notice: unjudgedNotice(by, judged, sealed.counts.exchanges),
    reason: `only the first ${judged} of ${sealed.counts.exchanges} exchanges were judged`,
    says: { ...omit(sealed, 'tail'), unjudged: { by, judged, cutShort: end.cutShort } },
  };
}
