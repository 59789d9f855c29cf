import { basename, join, resolve } from 'node:path';
import { AskedAgain, type JudgingAgain } from '../../contracts/compare/asked-again.ts';
import { AnswerForms } from '../../contracts/compare/answer-forms.ts';
import { isOfNothing } from '../../contracts/compare/comparable-runs.ts';
import { compareRuns } from '../../contracts/compare/compare-runs.ts';
import { loadContractOf } from '../../contracts/document/load-contract.ts';
import { Judge } from '../../contracts/judging/judge.ts';
import { serviceOf } from '../judged-service.ts';
import type { RunJson } from '../../contracts/run/run.ts';
import type { RunComparison } from '../../contracts/run/run-comparison.ts';
import type { Contract } from '../../contracts/document/schema.ts';
import type { Exchange } from '../../contracts/wire/exchange.ts';
import { readExchanges } from '../../target/record/record-reader.ts';
import { isInRecord } from '../../target/record/packed.ts';
import { EXCHANGES_FILE, SUMMARY_FILE } from '../../target/record/recorder.ts';
import { UsageError } from '../exit-code.ts';
import { withoutSecrets } from '../safe-text.ts';
import { keptContracts } from '../record/contracts-record.ts';
import { readThrottleStatuses } from '../record/limits-record.ts';
import { readRun } from './read-run.ts';
import { refuseAltered } from './sound-record.ts';

/** What comparing two records takes. */
export interface CompareRunsInput {
  /** The record of the baseline. */
  readonly baseline: string;
  readonly dir: string;
  /** What the record in `dir` came to, where its summary is not written yet. */
  readonly run?: RunJson;
  /** Whether the baseline is of a second target, which was asked at the same time. */
  readonly isBeside?: boolean;
}

/**
 * Compares a record with an earlier one. The chains and the digests of both are checked; their verdicts
 * are those of their runs.
 *
 * @throws UsageError when a folder holds no record
 * @throws RecordAltered when one is not as its run left it
 * @throws RecordCorrupt when one cannot be read
 */
export async function compareRunsTask({
  baseline,
  dir,
  run,
  isBeside,
}: CompareRunsInput): Promise<RunComparison> {
  const then = readSummary(baseline);
  const now = run ?? readSummary(dir);
  const contract = await loadContractOf(serviceOf(now.target), { files: keptContracts(dir) });
  const again = new AskedAgain(then, now);
  const answersThen = await answersOf(baseline, then, contract, {
    look: (exchange) => {
      again.addThen(exchange);
    },
  });
  const judging = judgingAgain(again, { run: now, dir, contract });
  const answersNow = await answersOf(dir, now, contract, {
    isWritten: run === undefined,
    look: (exchange) => {
      if (judging !== undefined) again.addNow(exchange, judging);
    },
  });
  return compareRuns(
    { run: then, answers: answersThen },
    { run: now, answers: answersNow },
    withoutSecrets(basename(resolve(baseline))),
    {
      isBeside,
      ...(isMeasured(then) || isMeasured(now)
        ? {}
        : { keptOf: (fingerprint: string) => again.keptOf(fingerprint) }),
    },
  );
}

/** Whether a run is of load or limits, whose findings are about what was measured. */
function isMeasured({ load, limits }: RunJson): boolean {
  return load !== undefined || limits.length > 0;
}

/** Judges a run again by the rules of findings that it does not have; undefined where it has all of them. */
function judgingAgain(
  again: AskedAgain,
  { run, dir, contract }: Pick<Required<CompareRunsInput>, 'run' | 'dir'> & { contract: Contract },
): JudgingAgain | undefined {
  if (again.rules.size === 0 || isMeasured(run)) return undefined;
  const all = serviceOf(run.target).rules.ofRun(contract);
  const rules = all.filter(({ id }) => again.rules.has(id));
  const judge = new Judge(rules, contract, {
    credentials: run.target.credentials,
    throttleStatuses: readThrottleStatuses(dir),
  });
  return { rules, judge, contract };
}

/**
 * Looks whether a record can be compared with, before anything is sent.
 *
 * @throws UsageError when the folder holds no record
 * @throws RecordCorrupt when its summary cannot be read
 */
export function lookAtBaselineTask({ baseline }: { readonly baseline: string }): SeenBaseline {
  const { seed, profile, load, limits } = readSummary(baseline);
  return { seed, profile, isCheck: load === undefined && limits.length === 0 };
}

/** What was seen of a baseline. */
export interface SeenBaseline extends Pick<RunJson, 'seed' | 'profile'> {
  readonly isCheck: boolean;
}

function readSummary(dir: string): RunJson {
  for (const name of [SUMMARY_FILE, EXCHANGES_FILE]) {
    if (isInRecord(join(dir, name))) continue;
    throw new UsageError(`${dir} holds no run record: ${name} is missing`);
  }
  return readRun(dir);
}

async function answersOf(
  dir: string,
  run: RunJson,
  contract: Contract,
  {
    look,
    isWritten = true,
  }: { readonly look: (exchange: Exchange) => void; readonly isWritten?: boolean },
): Promise<AnswerForms> {
  const forms = new AnswerForms(contract, {
    saysNothing: (said) => isOfNothing(run, said),
  });
  const add = (exchange: Exchange): void => {
    forms.add(exchange);
    look(exchange);
  };
  if (isWritten) await refuseAltered(dir, run, add);
  else {
    const apis = Object.keys(run.target.urls);
    for await (const exchange of readExchanges(dir, run.record.id, { apis })) add(exchange);
  }
  return forms;
}
