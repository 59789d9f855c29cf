import { basename, join, resolve } from 'node:path';
import { AnswerForms } from '../../contracts/compare/answer-forms.ts';
import { isOfNothing } from '../../contracts/compare/comparable-runs.ts';
import { compareRuns } from '../../contracts/compare/compare-runs.ts';
import { loadContractOf } from '../../contracts/document/load-contract.ts';
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
  const answersThen = await answersOf(baseline, then, contract);
  const answersNow = await answersOf(dir, now, contract, run === undefined);
  return compareRuns(
    { run: then, answers: answersThen },
    { run: now, answers: answersNow },
    withoutSecrets(basename(resolve(baseline))),
    isBeside,
  );
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
  isWritten = true,
): Promise<AnswerForms> {
  const forms = new AnswerForms(contract, {
    saysNothing: (api, status) => isOfNothing(run, api, status),
  });
  const add = (exchange: Exchange): void => {
    forms.add(exchange);
  };
  if (isWritten) await refuseAltered(dir, run, add);
  else {
    const apis = Object.keys(run.target.urls);
    for await (const exchange of readExchanges(dir, run.record.id, { apis })) add(exchange);
  }
  return forms;
}
