import type { RunCounts, RunJson } from '../../contracts/run/run.ts';
import { type ApiName, type Outcome, unsentBecause } from '../../contracts/wire/exchange.ts';
import { afterLargeBody } from '../../fixtures/target/body/large-bodies.ts';
import { readExchanges } from '../../fixtures/target/record/record-reader.ts';
import { digestsOf } from '../record/digests.ts';

/** What sealing a record takes. */
export interface SealInput {
  readonly dir: string;
  readonly recordId: string;
  /** The APIs that the run was given URLs of. */
  readonly apis: readonly ApiName[];
}

/** What a run has recorded, whether or not it is ever judged. */
export type SealedRecord = Pick<RunJson, 'record' | 'counts'>;

/**
 * Counts the exchanges of a record, follows its chain to the end, and takes the digests of the files beside
 * it. No rule and no contract is asked, so only a 429 counts as throttled.
 *
 * @returns undefined when the last line is torn: then nobody knows what was recorded
 * @throws RecordAltered and RecordCorrupt as reading it does
 */
export async function sealTask({
  dir,
  recordId,
  apis,
}: SealInput): Promise<SealedRecord | undefined> {
  const exchanges = readExchanges(dir, recordId, { apis });
  const counts = { answered: 0, throttled: 0, failed: 0 };
  let unsent = 0;
  for await (const exchange of exchanges) {
    if (unsentBecause(exchange) === undefined) counts[kindOf(exchange.outcome)] += 1;
    else unsent += 1;
    afterLargeBody(exchange);
  }
  const { lines, head, tornLines } = exchanges;
  if (tornLines > 0) return undefined;
  return {
    record: { id: recordId, exchanges: lines, head, files: digestsOf(dir) },
    counts: { requests: lines, exchanges: lines, ...counts, ...(unsent > 0 ? { unsent } : {}) },
  };
}

function kindOf(outcome: Outcome): Exclude<keyof RunCounts, 'exchanges' | 'requests' | 'unsent'> {
  if (outcome.kind === 'failure') return 'failed';
  return outcome.response.status === 429 ? 'throttled' : 'answered';
}
