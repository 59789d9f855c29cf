/** The lines of a record that are no exchanges, once somebody has looked at their form. */

import { join } from 'node:path';
import { isNodeUrl } from '../../contracts/run/nodes.ts';
import type { RecordBeginning, RecordEnd } from '../../contracts/run/record-lines.ts';
import { withSettings } from '../../contracts/run/record-lines.ts';
import type { RunJson } from '../../contracts/run/run.ts';
import { type Exchange, NODE_API } from '../../contracts/wire/exchange.ts';
import { isObject, omit } from '../../contracts/wire/json.ts';
import { RecordAltered, RecordCorrupt } from '../../target/record/record-error.ts';
import { readBeginning } from '../../target/record/record-reader.ts';
import { EXCHANGES_FILE } from '../../target/record/recorder.ts';
import { isInRecord } from '../../target/record/packed.ts';
import type { SaidLines } from '../../target/record/said-lines.ts';
import { summaryFault } from './read-run.ts';

/** What a record says of its run. */
export interface RecordLines {
  /** Absent from records of earlier versions, which say neither this nor the end. */
  readonly beginning?: RecordBeginning;
  /** Absent of a run that was killed. */
  readonly end?: RecordEnd;
  /** Digests of what the run wrote as `run.json` once it was judged. */
  readonly judged: readonly string[];
  /** Digests, by name, of the files that the run made of it; of an earlier version, or where it was ended, none. */
  readonly made: Readonly<Record<string, unknown>>;
  /** Whether the last of these lines breaks off. */
  readonly isTorn: boolean;
}

const NO_DIGEST = '0'.repeat(64);
const NO_TIME = '2000-01-01T00:00:00.000Z';
/** A summary that says nothing, by whose schema the lines are looked at. */
const EMPTY: RunJson = {
  ...{ schemaVersion: 1, tool: { name: 'a', version: 'a', sha256: NO_DIGEST } },
  ...{ startedAt: NO_TIME, endedAt: NO_TIME, seed: 0, profile: 'gate' },
  ...{ target: { kind: 'remote', urls: {}, credentials: [] }, contract: { sha256: NO_DIGEST } },
  ...{ record: { id: 'a' }, outcome: 'undecided', complete: false },
  counts: { exchanges: 0, requests: 0, answered: 0, throttled: 0, failed: 0 },
  ...{ rules: [], ledger: [], limits: [], notices: [] },
};

/**
 * What a record says that its run began with; undefined in records of earlier versions.
 *
 * @throws RecordCorrupt when the line is something else, and RecordAltered when it is of another run
 */
export async function beginningIn(
  dir: string,
  recordId: string,
): Promise<RecordBeginning | undefined> {
  // Whoever judges says that it is missing.
  if (!isInRecord(join(dir, EXCHANGES_FILE))) return undefined;
  return checkedBeginning(dir, await readBeginning(dir, recordId));
}

/**
 * What the lines say that were read.
 *
 * @throws RecordCorrupt when one is something else
 */
export function linesIn(dir: string, { run, end, judged, made, isTorn }: SaidLines): RecordLines {
  const beginning = checkedBeginning(dir, run);
  return {
    ...(beginning === undefined ? {} : { beginning }),
    ...(end === undefined ? {} : { end: checkedEnd(dir, end as RecordEnd) }),
    ...{ judged, isTorn },
    // What the line that breaks off would have said of these files is not known.
    made: isObject(made) && !isTorn ? made : {},
  };
}

function checkedBeginning(dir: string, value: unknown): RecordBeginning | undefined {
  if (value === undefined) return undefined;
  const beginning = value as RecordBeginning;
  const isKind = ['check', 'limits', 'load'].includes(beginning.kind);
  refuse(dir, isKind ? summaryFault(withSettings(EMPTY, beginning)) : 'its kind is none');
  return beginning;
}

function checkedEnd(dir: string, end: RecordEnd): RecordEnd {
  const { files, replayed, ...rest } = omit(end, 'lengthMs');
  const record = { ...EMPTY.record, files };
  const then = replayed === undefined ? {} : { replayed: { ...replayed, verdict: 'unclear' } };
  refuse(dir, summaryFault({ ...EMPTY, ...rest, ...then, record }));
  return end;
}

function refuse(dir: string, fault: string | undefined): void {
  if (fault === undefined) return;
  const what = `a line on the run is not what a run writes: ${fault}`;
  throw new RecordCorrupt(join(dir, EXCHANGES_FILE), 1, what);
}

/**
 * Refuses an exchange with another service than the target of the run. Where a secret stood its name stands, so
 * only what is before that is compared.
 *
 * @throws RecordAltered
 */
export function refuseOtherTarget(
  dir: string,
  { id, api, request: { url } }: Exchange,
  urls: RunJson['target']['urls'],
): void {
  if (api === NODE_API && isNodeUrl(url)) return;
  const base = urls[api] ?? '';
  const [there = '', asked = ''] = [base, url].map((one) => one.split('$')[0]);
  const isSecret = there.length < base.length || asked.length < there.length;
  const isOfTarget = isSecret
    ? there.startsWith(asked) || asked.startsWith(there)
    : /^$|^[/?#]/.test(url.startsWith(base) ? url.slice(base.length) : 'x');
  if (isOfTarget) return;
  throw new RecordAltered(
    `${join(dir, EXCHANGES_FILE)} holds ${id}, which went to ${url.slice(0, 200)}, and the target of the run is ${base} (${api})`,
  );
}
