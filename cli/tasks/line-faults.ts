/** What the summary of a run says, against the lines of its record that are no exchanges. */

import { join } from 'node:path';
import { otherSettings } from '../../contracts/run/record-lines.ts';
import type { RunJson } from '../../contracts/run/run.ts';
import { readRecordFile } from '../../target/record/record-reader.ts';
import { isInRecord } from '../../target/record/packed.ts';
import { EXCHANGES_FILE, SUMMARY_FILE } from '../../target/record/recorder.ts';
import { digestsOf } from '../record/digests.ts';
import { LIMITS_FILE } from '../record/limits-record.ts';
import { LOAD_FILE } from '../record/load-record.ts';
import { DERIVED_FILES } from '../record/record-names.ts';
import { summaryDigest } from '../record/record.ts';
import type { RecordLines } from './record-lines.ts';

/** Whether `run.json` is what the run wrote, once it was judged, to the last byte. */
export function isSummaryOf(dir: string, { judged }: RecordLines): boolean {
  return judged.includes(summaryDigest(readRecordFile(join(dir, SUMMARY_FILE))));
}

/** What is said of a record whose run judged it, and whose lines do not name what it wrote. */
export function unnamedFault(dir: string): string {
  return `${join(dir, EXCHANGES_FILE)} no longer names ${SUMMARY_FILE}: the last line of its run is missing`;
}

/**
 * In what a summary is not what the lines of its record say, as sentences; nothing of a record of an earlier
 * version, which has none.
 */
export function lineFaults(
  dir: string,
  summary: RunJson,
  { beginning, end, made }: RecordLines,
): string[] {
  if (beginning === undefined) return [];
  const file = join(dir, SUMMARY_FILE);
  const settings = otherSettings(summary, beginning);
  const faults =
    settings.length === 0
      ? []
      : [
          `${file} says otherwise of the settings of its run than its record: ${settings.join(', ')}`,
        ];
  if (end === undefined) return [...faults, ...killedFaults(dir, summary, beginning.kind)];
  const { record, counts, unjudged, complete } = summary;
  if (record.head === undefined) return faults;
  if (JSON.stringify(record.files) !== JSON.stringify(end.files))
    faults.push(`${file} names other files, or other digests of them, than its record`);
  if (end.counts.exchanges !== record.exchanges)
    faults.push(`${file} counts other exchanges than its record`);
  if (unjudged === undefined && complete !== end.complete)
    faults.push(
      `${file} says that the run is ${words(complete)}, and its record that it is ${words(end.complete)}`,
    );
  // What is missing can be made again, and nothing is read from it.
  const found = digestsOf(
    dir,
    DERIVED_FILES.filter((name) => made[name] !== undefined),
  );
  const edited = Object.keys(found).filter((name) => found[name] !== made[name]);
  faults.push(...edited.map((name) => `${join(dir, name)} is not as its run left it`));
  if (unjudged === undefined) return faults;
  const isOfEnd =
    !complete &&
    unjudged.cutShort === !end.complete &&
    JSON.stringify(counts) === JSON.stringify(end.counts) &&
    end.notices.every((notice) => summary.notices.includes(notice)) &&
    summary.endedAt === end.endedAt;
  return isOfEnd
    ? faults
    : [...faults, `${file} says otherwise of the end of its run than its record`];
}

/** Whether a summary says no more than what a run writes as it begins. */
export function isUnfinished(summary: RunJson): boolean {
  const { record, complete, unjudged, outcome, rules, startedAt, endedAt } = summary;
  return (
    record.head === undefined &&
    !complete &&
    unjudged === undefined &&
    outcome === 'undecided' &&
    startedAt === endedAt &&
    rules.every(({ verdict, findings }) => verdict === 'not-reached' && findings.length === 0)
  );
}

/** What was never said of a run that nobody saw end. */
function killedFaults(dir: string, summary: RunJson, kind: string): string[] {
  const file = join(dir, SUMMARY_FILE);
  const ofOthers = [
    ...(kind === 'load' ? [] : [LOAD_FILE]),
    ...(kind === 'limits' ? [] : [LIMITS_FILE]),
  ].filter((name) => isInRecord(join(dir, name)));
  return [
    ...(isUnfinished(summary)
      ? []
      : [
          `${join(dir, EXCHANGES_FILE)} does not say how the run ended, and ${file} says that it did`,
        ]),
    ...ofOthers.map((name) => `${join(dir, name)} is no part of the record`),
  ];
}

function words(complete: boolean): string {
  return complete ? 'complete' : 'incomplete';
}
