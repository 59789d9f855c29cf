import { join } from 'node:path';
import { NOT_COVERED, withSettings } from '../../contracts/run/record-lines.ts';
import type { RunJson } from '../../contracts/run/run.ts';
import { COMPLETED, isNamedInRecord } from '../../contracts/run/unjudged.ts';
import { EXCHANGES_FILE } from '../../target/record/recorder.ts';
import { digestsOf } from '../record/digests.ts';
import { judgingTool } from '../package.ts';
import { readLimits } from '../record/limits-record.ts';
import { readLoad } from '../record/load-record.ts';
import { PLOT_FILES } from '../record/record-names.ts';
import type { JudgedRecord } from './judge-record.ts';
import { isSummaryOf, isUnfinished, lineFaults, unnamedFault } from './line-faults.ts';
import {
  completedFaults,
  isOwnOtherwise,
  ownNotices,
  summaryAltered,
  summaryFaults,
  verdictNotices,
  waiverNotices,
  withoutOwn,
} from './summary-faults.ts';

const TORN =
  'The last line of the record breaks off, as on a full disk or in a process that was killed: nothing covers findings.ndjson, junit.xml and report.html, which can be made again.';

const UNFINISHED =
  'run.json is what the run wrote as it began, since it could write no more, and stays so: --out DIR keeps what was judged now.';

/** How a summary and what was judged again depart from each other. */
export interface Differences {
  /** What shows that the record is not the one that its run left. */
  readonly altered: readonly string[];
  /** What has another cause, for the report. */
  readonly notices: readonly string[];
}

/**
 * Compares the summary of a run with what its record says. Settings and end must be those of the lines of the
 * record, and verdicts the same where the code and the contract that judge are; of a run that was killed or not
 * judged to its end there are none.
 *
 * @param summary as it stands in `run.json`
 */
export function differences(dir: string, summary: RunJson, judged: JudgedRecord): Differences {
  const { run, tornLines, isWhole, lines } = judged;
  const { beginning, end } = lines;
  const isEarlier = beginning === undefined;
  const notices = [...(isEarlier ? [NOT_COVERED] : []), ...(lines.isTorn ? [TORN] : [])];
  if (!isWhole) return { altered: [], notices };
  const recorded = isEarlier ? summary : withSettings(summary, beginning);
  const altered = lineFaults(dir, summary, lines);
  const isSealed = recorded.record.head !== undefined;
  if (isEarlier ? !isSealed : end === undefined) {
    const ended = `The run did not judge its record to the end, so it is not known whether exchanges are missing there; the ${run.counts.exchanges} that are there are a whole chain.`;
    return { altered, notices: [...notices, ended, ...unfinishedOf(dir)] };
  }
  // The process was ended once the record had its end, or the disk was full, before anything was said of it.
  if (!isSealed && (lines.judged.length === 0 || isUnfinished(summary)))
    return { altered, notices: [...notices, UNFINISHED] };
  altered.push(...sealFaults(dir, recorded, { ...run.record, tornLines }));
  // Nobody has said yet what the exchanges of an unjudged record come to.
  if (altered.length > 0 || recorded.unjudged !== undefined) return { altered, notices };
  if (!isEarlier && lines.judged.length === 0 && isNamedInRecord(summary))
    return { altered: [unnamedFault(dir)], notices };
  const isAsWritten = isSummaryOf(dir, lines);
  if (lines.judged.length > 0 && !isAsWritten) altered.push(summaryAltered(dir, recorded, run));
  if (recorded.contract.sha256 !== run.contract.sha256) {
    notices.push('The run was judged by another contract when it was recorded.');
    return { altered, notices: [...notices, ...verdictNotices(recorded, run)] };
  }
  // Judging may fail on one machine and not on another; nobody but the run says that it failed then.
  const failed = isEarlier || isAsWritten ? [recorded, run] : [run];
  const mayDiffer =
    recorded.tool.sha256 !== run.tool.sha256 ||
    failed.some(({ failure }) => failure !== end?.failure);
  if (mayDiffer) return { altered, notices: [...notices, ...verdictNotices(recorded, run)] };
  altered.push(
    ...summaryFaults(dir, withoutOwn(recorded), withoutOwn(run), isOwnOtherwise(recorded, run)),
  );
  if (!isEarlier && lines.judged.length === 0) {
    // Whoever completed the record left no digest, so that each member of what it wrote is compared.
    altered.push(...completedFaults(dir, recorded, run));
    notices.push(COMPLETED);
  }
  return {
    altered,
    notices: [...waiverNotices(recorded, run), ...ownNotices(recorded, run), ...notices],
  };
}

/** What a run that was killed was for, if its record has nothing else that says it. */
function unfinishedOf(dir: string): string[] {
  const recorded = readLoad(dir);
  if (recorded !== undefined && recorded.load === undefined) {
    return [
      'This was a run of `assay load`, which adds up rates and latencies at its end: nothing is known of them, nor of answers that it did not record.',
    ];
  }
  if (readLimits(dir)?.length !== 0) return [];
  return ['This was a run of `assay limits`, and it had found no limit yet.'];
}

/** The exchanges of a record as they were read. */
interface FoundExchanges {
  readonly exchanges?: number;
  readonly head?: string;
  readonly tornLines: number;
}

/**
 * What of a record is not as its summary says that its run left it: its exchanges, and the files beside
 * them. The summary itself is taken at its word.
 */
export function sealFaults(
  dir: string,
  recorded: Pick<RunJson, 'record' | 'tool'>,
  found: FoundExchanges,
): string[] {
  return [...chainFaults(dir, recorded, found), ...fileFaults(dir, recorded)];
}

function chainFaults(
  dir: string,
  { record }: Pick<RunJson, 'record'>,
  { exchanges = 0, head, tornLines }: FoundExchanges,
): string[] {
  const file = join(dir, EXCHANGES_FILE);
  if (tornLines > 0) return [`the last line of ${file} is cut off`];
  if (record.exchanges !== exchanges) {
    return [`${file} holds ${exchanges} exchanges, and its run recorded ${record.exchanges ?? 0}`];
  }
  return record.head === head ? [] : [`${file} does not end as its run left it`];
}

function fileFaults(
  dir: string,
  { record: { files = {} }, tool }: Pick<RunJson, 'record' | 'tool'>,
): string[] {
  const found = digestsOf(dir);
  const names = new Set([...Object.keys(files), ...Object.keys(found)]);
  return [...names].flatMap((name) => {
    const file = join(dir, name);
    if (found[name] === undefined) return [`${file} is missing`];
    if (files[name] === undefined) {
      // Earlier versions sealed no plots.
      const mayBeOlder = PLOT_FILES.includes(name) && tool.sha256 !== judgingTool().sha256;
      return mayBeOlder ? [] : [`${file} is no part of the record`];
    }
    return found[name] === files[name] ? [] : [`${file} is not as its run left it`];
  });
}
