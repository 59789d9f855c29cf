import { join } from 'node:path';
import type { RecordEnd } from '../../contracts/run/record-lines.ts';
import type { RunCounts, RunJson } from '../../contracts/run/run.ts';
import {
  type ApiName,
  NODE_API,
  type Outcome,
  unsentBecause,
} from '../../contracts/wire/exchange.ts';
import { given } from '../../contracts/wire/json.ts';
import { afterLargeBody } from '../../target/body/large-bodies.ts';
import { RecordAltered } from '../../target/record/record-error.ts';
import { type ExchangeReader, readExchanges } from '../../target/record/record-reader.ts';
import { appendLine, EXCHANGES_FILE, type Recorded } from '../../target/record/recorder.ts';
import { withoutSecrets } from '../safe-text.ts';
import { digestsOf } from '../record/digests.ts';
import type { RunEnd } from '../run-setting.ts';

/** What sealing a record takes. */
export interface SealInput {
  readonly dir: string;
  readonly recordId: string;
  /** The APIs that the run was given URLs of. */
  readonly apis: readonly ApiName[];
  readonly end: RunEnd;
  readonly endedAt: Date;
  /** From the beginning to the end of the run, on a clock that nobody sets. */
  readonly lengthMs: number;
}

/** What a run has recorded, whether or not it is ever judged. */
export interface SealedRecord extends Pick<RunJson, 'record' | 'counts' | 'endedAt'> {
  /** The digest that the record ends with, which the next line continues. */
  readonly tail: string;
}

/**
 * Counts the exchanges of a record, follows its chain to the end, takes the digests of the files beside it, and
 * ends the record with the line that says so. No rule and no contract is asked, so only a 429 counts as throttled.
 *
 * @returns undefined when the last line is torn: then nobody knows what was recorded
 * @throws RecordAltered when it is not what was recorded, else this and RecordCorrupt as reading it does
 * @throws RecordNotWritten when the system refuses
 */
export async function sealTask({
  dir,
  recordId,
  apis,
  end,
  endedAt,
  lengthMs,
}: SealInput): Promise<SealedRecord | undefined> {
  const exchanges = readExchanges(dir, recordId, { apis });
  const counts = { answered: 0, throttled: 0, failed: 0 };
  let [unsent, nodes] = [0, 0];
  for await (const exchange of exchanges) {
    if (exchange.api === NODE_API) nodes += 1;
    else if (unsentBecause(exchange) === undefined) counts[kindOf(exchange.outcome)] += 1;
    else unsent += 1;
    afterLargeBody(exchange);
  }
  const { lines, head, tornLines } = exchanges;
  if (end.recorded !== undefined) refuseOther(dir, exchanges, end.recorded);
  if (tornLines > 0) return undefined;
  const files = digestsOf(dir);
  const sealed: RecordEnd = {
    complete: !end.cutShort,
    endedAt: (end.endedAt ?? endedAt).toISOString(),
    lengthMs: Math.ceil(lengthMs),
    counts: {
      ...{ requests: lines - nodes, exchanges: lines, ...counts },
      ...(unsent > 0 ? { unsent } : {}),
      ...(nodes > 0 ? { nodes } : {}),
    },
    notices: end.notices.map(withoutSecrets),
    ...given({
      failure: end.failure === undefined ? undefined : withoutSecrets(end.failure),
      ...{ search: end.search, replayed: end.replayed, regressions: end.regressions },
    }),
    files,
  };
  const tail = appendLine(dir, head, { end: sealed });
  return {
    ...{ counts: sealed.counts, endedAt: sealed.endedAt, tail },
    record: { id: recordId, exchanges: lines, head: tail, files },
  };
}

/** @throws RecordAltered when the file is another than the one that was written, as after a sync tool replaced it */
function refuseOther(
  dir: string,
  { lines, head, tornLines }: ExchangeReader,
  { exchanges, head: recordedHead }: Recorded,
): void {
  if (lines === exchanges && head === recordedHead && tornLines === 0) return;
  throw new RecordAltered(
    `${join(dir, EXCHANGES_FILE)} holds ${lines} exchanges, and the run recorded ${exchanges}: something else replaced or changed the file while the run went on`,
  );
}

function kindOf(
  outcome: Outcome,
): Exclude<keyof RunCounts, 'exchanges' | 'requests' | 'unsent' | 'nodes'> {
  if (outcome.kind === 'failure') return 'failed';
  return outcome.response.status === 429 ? 'throttled' : 'answered';
}
