import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { RecordNotWritten } from '../../target/record/record-error.ts';
import { isInRecord } from '../../target/record/packed.ts';
import { EXCHANGES_FILE, SUMMARY_FILE } from '../../target/record/recorder.ts';
import { accept, ACCEPTED_FILE } from '../../load/trend/accepted.ts';
import { createSystemClock } from '../../target/budget/clock.ts';
import { given, omit } from '../../contracts/wire/json.ts';
import { quote } from '../../contracts/run/curl.ts';
import { marksOf } from '../../reports/run-kinds.ts';
import { cut, plural, printable } from '../../reports/text.ts';
import { withoutSecrets } from '../safe-text.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import type { UnendedRun } from '../../contracts/history/run-history.ts';
import type { HistoryInput, HistoryReported, HistoryRow } from '../tasks/history/prune-history.ts';
import { print, notify } from '../output.ts';
import { jsonText } from '../show.ts';
import { startTask } from '../threads/task.ts';

/** Reading a history may take this long. */
const MAX_MS = 120_000;

/** Lists the runs of a folder, and removes the oldest records if that is asked for. */
export async function history(
  named: string,
  flags: Readonly<Record<string, unknown>>,
): Promise<ExitCode> {
  const dir = resolve(named);
  if (!existsSync(dir) || !statSync(dir).isDirectory()) {
    throw new UsageError(`${named} is no folder. Name one whose folders are run records.`);
  }
  if (isRecord(dir) && !holdsRecords(dir)) {
    throw new UsageError(
      `${named} is the record of one run: \`assay report\` with it shows that. A history is the folder that it lies in: assay history ${quote(dirname(dir))}`,
    );
  }
  if (flags.accept !== undefined) return acceptIn(dir, named, flags);
  const keep = kept(flags.keep);
  if (flags.keepRed === true && keep === undefined)
    throw new UsageError('--keep-red says what --keep leaves: name that as well, e.g. --keep 90d');
  const isDryRun = flags.dryRun === true;
  const clock = createSystemClock();
  const input = {
    dir,
    isDryRun,
    ...keep,
    keepRed: flags.keepRed === true,
    packs: flags.pack === true,
  };
  const ended = await startTask('history', input, clock, clock.nowMs() + MAX_MS).ended;
  if (ended.kind === 'ended') {
    notify(`assay: the history in ${named} could not be read to its end (${ended.by}).`);
    return EXIT.failed;
  }
  const { rows, unended, notes } = ended.value;
  if (flags.json === true) print(`${jsonText({ rows, unended, notes })}\n`, 'json');
  else print(listOf(ended.value, isDryRun));
  return EXIT.conforms;
}

function isRecord(dir: string): boolean {
  return isInRecord(join(dir, SUMMARY_FILE)) && isInRecord(join(dir, EXCHANGES_FILE));
}

function holdsRecords(dir: string): boolean {
  return readdirSync(dir).some((name) => existsSync(join(dir, name, SUMMARY_FILE)));
}

const MAX_NOTE = 500;

function acceptIn(dir: string, named: string, flags: Readonly<Record<string, unknown>>): ExitCode {
  const note = typeof flags.accept === 'string' ? flags.accept.trim() : '';
  if (note === '' || note.length > MAX_NOTE) {
    throw new UsageError(
      `--accept takes a note of 1 to ${MAX_NOTE} characters on why the new level is right, e.g. --accept 'new pricing engine'`,
    );
  }
  if (flags.keep !== undefined) throw new UsageError('--accept and --keep are two calls');
  if (!holdsRecords(dir)) {
    throw new UsageError(`no folder in ${named} is a record, so there is nothing to accept`);
  }
  try {
    accept(dir, withoutSecrets(note), new Date());
  } catch (error) {
    if (!(error instanceof RecordNotWritten)) throw error;
    notify(`assay: ${join(named, ACCEPTED_FILE)} could not be written: ${error.why}.`);
    return EXIT.failed;
  }
  print(`Accepted what is slower up to now, in ${printable(join(named, ACCEPTED_FILE))}.\n`);
  return EXIT.conforms;
}

const DAY_MS = 86_400_000;

function kept(value: unknown): Pick<HistoryInput, 'keepRecords' | 'keepSinceMs'> | undefined {
  if (value === undefined) return undefined;
  const [, digits, days] = /^(\d{1,6})(d?)$/.exec(typeof value === 'string' ? value : '') ?? [];
  if (digits === undefined)
    throw new UsageError(
      `--keep takes a whole number of records, or of days as in 90d, not ${JSON.stringify(value)}`,
    );
  const count = Number(digits);
  return days === 'd' ? { keepSinceMs: Date.now() - count * DAY_MS } : { keepRecords: count };
}

const RECORDS: Readonly<Record<HistoryRow['record'], string>> = {
  there: '',
  removed: 'record removed',
  gone: 'in the index alone',
};

const HEAD = 'began kind profile outcome musts warnings run target labels'.split(' ');

function listed(labels: HistoryRow['labels']): string {
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(' ');
}

/** The outcome, by what else than a rule it is so, and which APIs were out. */
function outcomeWords(row: Pick<HistoryRow, 'outcome' | 'outages' | 'brokenBy'>): string {
  const marks = marksOf(row);
  return marks.length === 0 ? row.outcome : `${row.outcome} (${marks.join(', ')})`;
}

function inColumns(rows: readonly (readonly string[])[]): string[] {
  const widths = HEAD.map((_, at) => Math.max(0, ...rows.map((row) => row[at]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** Begin, target and labels of a run, as the list has them. */
function commonCells({
  startedAt,
  target,
  labels,
}: Pick<HistoryRow, 'startedAt' | 'target' | 'labels'>): Record<
  'began' | 'target' | 'labels',
  string
> {
  return {
    began: `${new Date(startedAt).toISOString().slice(0, 16).replace('T', ' ')}Z`,
    target:
      target.kind === 'reference' ? 'embedded' : cut(Object.values(target.urls).join(' '), 100),
    labels: cut(listed(labels), 100),
  };
}

function rowOf(row: HistoryRow, isDryRun: boolean): string[] {
  const { began, target, labels } = commonCells(row);
  const atTimes = marksOf(given({ atTimes: row.atTimes }));
  // A load and a probe of limits have no profile.
  const profile = row.kind === 'check' ? row.profile : '–';
  return [
    ...[began, row.kind, profile, outcomeWords(omit(row, 'atTimes'))],
    ...[String(row.musts), String(row.warnings), cut(row.run, 60), target, labels],
    // Last, as it is long and most runs have none.
    [row.record === 'removed' && isDryRun ? 'to be removed' : RECORDS[row.record], ...atTimes]
      .filter((words) => words !== '')
      .join('; '),
  ];
}

/** Of what it found nobody knows more than its record holds. */
function unendedRow(run: UnendedRun): string[] {
  const { began, target, labels } = commonCells(run);
  return [began, '–', run.profile, 'not judged', '–', '–', cut(run.run, 60), target, labels];
}

function listOf({ rows, unended, notes }: HistoryReported, isDryRun: boolean): string {
  const removed = rows.filter(({ record }) => record === 'removed').length;
  const all = [
    ...rows.map((row) => ({ startedAt: row.startedAt, cells: rowOf(row, isDryRun) })),
    ...unended.map((run) => ({ startedAt: run.startedAt, cells: unendedRow(run) })),
  ].toSorted((a, b) => Date.parse(a.startedAt) - Date.parse(b.startedAt));
  const lines = inColumns([...(all.length === 0 ? [] : [HEAD]), ...all.map(({ cells }) => cells)]);
  const runs = `${plural(rows.length, 'run')}${unended.length === 0 ? '' : ` and ${unended.length} not judged`}`;
  const sum =
    removed === 0
      ? runs
      : `${runs}; ${plural(removed, 'record')} ${isDryRun ? 'would be' : removed === 1 ? 'was' : 'were'} removed`;
  return `${[...lines, ...notes, sum].map((line) => printable(line)).join('\n')}\n`;
}
