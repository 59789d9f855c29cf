import { join } from 'node:path';
import type { InHand } from '../../contracts/judging/judge.ts';
import type { OperationLine } from '../../contracts/document/openapi/operation-lines.ts';
import type { RunHistory } from '../../contracts/history/run-history.ts';
import type { RunJson } from '../../contracts/run/run.ts';
import { isJudged } from '../../contracts/run/unjudged.ts';
import type { Waiver } from '../../contracts/judging/verdict.ts';
import type { Exchange } from '../../contracts/wire/exchange.ts';
import { given } from '../../contracts/wire/json.ts';
import type { OwnRulesSource } from '../../target/config/own-rules.ts';
import { RecordAltered } from '../../target/record/record-error.ts';
import { afterLargeBody } from '../../target/body/large-bodies.ts';
import { type ExchangeReader, readExchanges } from '../../target/record/record-reader.ts';
import { isInRecord } from '../../target/record/packed.ts';
import { EXCHANGES_FILE, SUMMARY_FILE } from '../../target/record/recorder.ts';
import { namedExchanges } from '../../reports/named-exchanges.ts';
import { UsageError } from '../exit-code.ts';
import { sealFaults } from './differences.ts';
import { runAmong } from './history/run-among.ts';
import { readLimitPlot } from '../record/limits-record.ts';
import type { TaskSetting } from './task-setting.ts';
import { judgeAgainTask } from './judge.ts';
import { isSummaryOf, lineFaults } from './line-faults.ts';
import { linesIn } from './record-lines.ts';
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
  /** Where the rules stand that the configuration of the run brought, for what is judged. */
  readonly rules?: OwnRulesSource;
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
 * Reads a record for a report: the chain of its exchanges and the digests of its files are checked. Verdicts
 * are taken from its summary if the record says that this is what the run wrote, to the last byte. Else it
 * is judged from what is there, as `assay judge` does.
 *
 * @throws UsageError when the folder holds no record
 * @throws RecordAltered when its exchanges or its other files are not those of its run
 * @throws RecordCorrupt when it cannot be read
 */
export async function readReportTask(
  {
    dir,
    waivers,
    rules,
    leaveOut,
    stopAtMs,
    mostBytes,
    withLines,
    history: earlier,
  }: ReadReportInput,
  setting: Pick<TaskSetting, 'inHand'>,
): Promise<ReadReport> {
  for (const name of [SUMMARY_FILE, EXCHANGES_FILE]) {
    if (isInRecord(join(dir, name))) continue;
    throw new UsageError(`${dir} holds no run record: ${name} is missing`);
  }
  const recorded = readRun(dir);
  const config = { contracts: [], allowRefs: [], ...given({ rules }) };
  const again = async (asked: readonly Waiver[] | 'of its run'): Promise<Shown> => {
    const input = { dir, config, waivers: asked, leaveOut, stopAtMs };
    return shownOf(dir, (await judgeAgainTask(input, setting)).run, mostBytes);
  };
  const first = isJudged(recorded) ? await shownOf(dir, recorded, mostBytes) : undefined;
  if (first !== undefined) requireAsLeft(dir, recorded, first.reader);
  const isAsWritten = first !== undefined && isSummaryOf(dir, linesIn(dir, first.reader.said));
  const shown = isAsWritten ? first : await again(first === undefined ? waivers : 'of its run');
  const { run, named, exchanges } = shown;
  const lines = withLines ? await linesOf(dir, run) : [];
  const limitPlot = readLimitPlot(dir);
  const history = earlier === undefined ? undefined : await runAmong(earlier, dir, run, false);
  return {
    ...{ run, exchanges, leftOut: named.length - exchanges.length, lines },
    ...(limitPlot === undefined ? {} : { limitPlot }),
    ...(history === undefined ? {} : { history }),
  };
}

/** A run, and what of its record a report shows. */
interface Shown {
  readonly run: RunJson;
  readonly named: readonly string[];
  readonly exchanges: readonly Exchange[];
  readonly reader: ExchangeReader;
}

async function shownOf(dir: string, run: RunJson, mostBytes: number): Promise<Shown> {
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
  return { run, named, exchanges: kept.exchanges, reader };
}

/** @throws RecordAltered */
function requireAsLeft(dir: string, recorded: RunJson, reader: ExchangeReader): void {
  const { lines: exchanges, head, tornLines } = reader;
  const faults = [
    ...lineFaults(dir, recorded, linesIn(dir, reader.said)),
    ...sealFaults(dir, recorded, { exchanges, head, tornLines }),
  ];
  if (faults.length > 0) throw new RecordAltered(faults.join('; '));
}

function linesOf(dir: string, { rules }: RunJson): Promise<OperationLine[]> {
  const findings = rules.flatMap((rule) => rule.findings);
  const operations = [...new Set(findings.flatMap(({ operation = [] }) => operation))];
  return operationLinesTask({ dir, operations });
}
