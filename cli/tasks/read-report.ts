import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { InHand } from '../../contracts/judging/judge.ts';
import type { OperationLine } from '../../contracts/document/openapi/operation-lines.ts';
import type { RunHistory } from '../../contracts/history/run-history.ts';
import type { RunJson } from '../../contracts/run/run.ts';
import { isJudged } from '../../contracts/run/unjudged.ts';
import type { Waiver } from '../../contracts/judging/verdict.ts';
import type { Exchange } from '../../contracts/wire/exchange.ts';
import { RecordAltered } from '../../fixtures/target/record/record-error.ts';
import { afterLargeBody } from '../../fixtures/target/body/large-bodies.ts';
import { type ExchangeReader, readExchanges } from '../../fixtures/target/record/record-reader.ts';
import { EXCHANGES_FILE, SUMMARY_FILE } from '../../fixtures/target/record/recorder.ts';
import { namedExchanges } from '../../reports/named-exchanges.ts';
import { UsageError } from '../exit-code.ts';
import { sealFaults } from './differences.ts';
import { runAmong } from './history/run-among.ts';
import { readLimitPlot } from '../record/limits-record.ts';
import type { TaskSetting } from './task-setting.ts';
import { judgeAgainTask } from './judge.ts';
import { KeptExchanges } from './kept-exchanges.ts';
import { operationLinesTask } from './operation-lines.ts';
import { readRun } from './read-run.ts';

/** More exchanges no report shows. */
const MAX_EXCHANGES = 5_000;

/** What reading a record for a report takes. */
export interface ReadReportInput {
  readonly dir: string;
  /** For a run that was killed: it is judged first. */
  readonly waivers: readonly Waiver[];
  readonly leaveOut: readonly InHand[];
  /** When to stop judging, on the clock of the system. */
  readonly stopAtMs: number;
  /** Of the exchanges that are given back, as JSON. */
  readonly mostBytes: number;
  /** Whether to look for the lines of operations in the user's contracts. */
  readonly withLines: boolean;
  /** A folder of earlier runs that it is shown among. */
  readonly history?: string;
}

/** What a report takes of a record. */
export interface ReadReport {
  readonly run: RunJson;
  /** Those that the run names, as far as they are not too many or too large. */
  readonly exchanges: readonly Exchange[];
  readonly leftOut: number;
  /** Of the operations that findings name. */
  readonly lines: readonly OperationLine[];
  /** Of a probe of limits: its plot. */
  readonly limitPlot?: string;
  readonly history?: RunHistory;
}

/**
 * Reads a record for a report: the chain of its exchanges and the digests of its files are checked, its
 * verdicts are taken from its summary. A run that was killed or did not judge its record has none: it is
 * judged from what is there.
 *
 * @throws UsageError when the folder holds no record
 * @throws RecordAltered when its exchanges or its other files are not those of its run
 * @throws RecordCorrupt when it cannot be read
 */
export async function readReportTask(
  { dir, waivers, leaveOut, stopAtMs, mostBytes, withLines, history: earlier }: ReadReportInput,
  setting: Pick<TaskSetting, 'inHand'>,
): Promise<ReadReport> {
  for (const name of [SUMMARY_FILE, EXCHANGES_FILE]) {
    if (existsSync(join(dir, name))) continue;
    throw new UsageError(`${dir} holds no run record: ${name} is missing`);
  }
  const recorded = readRun(dir);
  const isSealed = recorded.record.head !== undefined;
  const config = { contracts: [], allowRefs: [] };
  const run = isJudged(recorded)
    ? recorded
    : (await judgeAgainTask({ dir, config, waivers, leaveOut, stopAtMs }, setting)).run;
  const named = namedExchanges(run);
  const wanted = new Map(named.slice(0, MAX_EXCHANGES).map((id, at) => [id, at]));
  const reader = readExchanges(dir, run.record.id, {
    isWanted: (id) => wanted.has(id),
    apis: Object.keys(run.target.urls),
  });
  const kept = new KeptExchanges(wanted, mostBytes);
  for await (const exchange of reader) {
    kept.add(exchange);
    afterLargeBody(exchange);
  }
  if (isSealed) requireAsLeft(dir, recorded, reader);
  const { exchanges } = kept;
  const lines = withLines ? await linesOf(dir, run) : [];
  const limitPlot = readLimitPlot(dir);
  const history = earlier === undefined ? undefined : await runAmong(earlier, dir, run, false);
  return {
    ...{ run, exchanges, leftOut: named.length - exchanges.length, lines },
    ...(limitPlot === undefined ? {} : { limitPlot }),
    ...(history === undefined ? {} : { history }),
  };
}

/** @throws RecordAltered */
function requireAsLeft(dir: string, recorded: RunJson, reader: ExchangeReader): void {
  const { lines: exchanges, head, tornLines } = reader;
  const faults = sealFaults(dir, recorded, { exchanges, head, tornLines });
  if (faults.length > 0) throw new RecordAltered(faults.join('; '));
}

function linesOf(dir: string, { rules }: RunJson): Promise<OperationLine[]> {
  const findings = rules.flatMap((rule) => rule.findings);
  const operations = [...new Set(findings.flatMap(({ operation = [] }) => operation))];
  return operationLinesTask({ dir, operations });
}
