import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { given } from '../../contracts/wire/json.ts';
import type { TargetConfig } from '../../target/config/config-types.ts';
import { createSystemClock } from '../../target/budget/clock.ts';
import { readNamedConfig } from '../config.ts';
import { isFull, RecordNotWritten } from '../../target/record/record-error.ts';
import { processStartedMs, runTimes } from '../../target/budget/run-times.ts';
import type { ReportSource } from '../../reports/source.ts';
import { type AllureWish, allureWishOf, makeAllure } from './allure-report.ts';
import { baselineOf, withBaseline } from '../run/baseline.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import { historyFolder } from '../flags/history-flag.ts';
import { knownAtHand, pruneKnown, withKnown, writeKnown } from '../run/known-file.ts';
import { withoutCommands } from '../ci-commands.ts';
import { print, printCommands, notify } from '../output.ts';
import { placingOf } from '../run/placing.ts';
import { DERIVED_FILES, EVIDENCE_FILES } from '../record/record-names.ts';
import { openDescriptorOf, writeOutput } from '../record/write-output.ts';
import { FORMATS, type ReportFormat, type ReportInput } from './report-formats.ts';
import type { ReadReport } from '../tasks/read-report.ts';
import { startTask } from '../threads/task.ts';
import { untilJudged } from '../threads/until-judged.ts';

/** What building reports may take when nobody says otherwise. */
const REPORT_SECONDS = 600;
/** Of the exchanges that reports show, over all runs, as JSON. */
const MAX_BYTES = 16_777_216;
const MAX_RUNS = 100;

const STANDARD_OUTPUT = '-';

type Flags = Readonly<Record<string, unknown>>;

/** A report that is asked for. */
interface Wish {
  readonly format: ReportFormat;
  /** Absolute path, or `-`. */
  readonly file: string;
}

/** Where a text goes, and which option asks for it. */
interface Place extends Pick<Wish, 'file'> {
  readonly format: Pick<ReportFormat, 'flag' | 'isForRunner' | 'escaping'>;
}

/** Builds reports from run records. All records are read before anything is written. */
export async function report(runs: readonly string[], flags: Flags): Promise<ExitCode> {
  const cwd = process.cwd();
  const dirs = runs.map((dir) => resolve(cwd, dir));
  if (dirs.length > MAX_RUNS) {
    throw new UsageError(`${dirs.length} runs are more than one report takes: ${MAX_RUNS}.`);
  }
  const allure = await allureWishOf(flags, cwd);
  const wishes = wishesOf(flags, cwd, allure);
  const known = knownAtHand(flags);
  refuseEvidence([...wishes, ...pageOf(allure)], dirs);
  const { waivers, maxSeconds, rules } = await readNamedConfig({
    flags: { maxSeconds: String(REPORT_SECONDS), ...flags },
    env: {},
    cwd,
    defaultSeed: 0,
  });
  const history = historyFolder(flags, { mustBeThere: true });
  const withLines = wishes.some(({ format }) => format.isPlaced);
  const read: ReadReport[] = [];
  for (const dir of dirs) {
    const mostBytes = Math.floor(MAX_BYTES / dirs.length);
    const one = await readOne(
      { dir, waivers, mostBytes, withLines, ...given({ history, rules }) },
      maxSeconds,
    );
    if (typeof one === 'string') {
      notify(`assay: ${one}`);
      return EXIT.failed;
    }
    read.push({ ...one, run: withKnown(one.run, known) });
  }
  const compared = await comparedWith(flags, dirs, read, maxSeconds);
  writeKnown(compared, flags);
  const input: ReportInput = {
    sources: sourcesOf(dirs, compared),
    ...(typeof flags.environment === 'string' ? { environment: flags.environment } : {}),
    placing: placingOf(
      read.map(({ run, lines }) => ({ contractFiles: run.contract.files ?? [], lines })),
      { cwd, env: process.env, config: flags.config },
    ),
  };
  const made: { readonly wish: Place; readonly text: string }[] = [];
  for (const wish of wishes) made.push({ wish, text: await wish.format.render(input) });
  if (allure !== undefined) {
    const page = await makeAllure(allure, input.sources, maxSeconds);
    made.push(...pageOf(allure).map((wish) => ({ wish, text: page ?? '' })));
  }
  for (const { wish, text } of made) await deliver(wish, text);
  pruneKnown(compared, known);
  return EXIT.conforms;
}

/**
 * The reports that are asked for.
 *
 * @throws UsageError when there is none, or two go to one place
 */
function wishesOf(flags: Flags, cwd: string, allure: AllureWish | undefined): Wish[] {
  const wishes = FORMATS.flatMap((format): Wish[] => {
    const value = flags[camel(format.flag)];
    if (value === true) return [{ format, file: STANDARD_OUTPUT }];
    if (typeof value !== 'string') return [];
    if (value === '') throw new UsageError(`--${format.flag} takes the name of a file, or -`);
    return [{ format, file: placeOf(value, cwd) }];
  });
  const isOther = ['writeKnown', 'prune'].some((name) => flags[name] !== undefined);
  if (wishes.length === 0 && allure === undefined && !isOther) {
    const all = [...FORMATS.map(({ flag }) => `--${flag}`), '--allure', '--allure-page'].join(', ');
    throw new UsageError(`no report is asked for. Name one or several: ${all}.`);
  }
  for (const [at, { file, format }] of wishes.entries()) {
    const other = wishes.slice(0, at).find((wish) => wish.file === file);
    if (other === undefined) continue;
    const place = file === STANDARD_OUTPUT ? 'standard output' : file;
    throw new UsageError(
      `--${other.format.flag} and --${format.flag} both go to ${place}: give each a file of its own.`,
    );
  }
  return wishes;
}

/** An absolute path, or `-` for whatever means standard output, as `/dev/stdout` does. */
function placeOf(named: string, cwd: string): string {
  const file = resolve(cwd, named);
  return named === STANDARD_OUTPUT || openDescriptorOf(file) === 1 ? STANDARD_OUTPUT : file;
}

function pageOf(allure: AllureWish | undefined): Place[] {
  const { page } = allure ?? {};
  return page === undefined ? [] : [{ format: { flag: 'allure-page' }, file: page.file }];
}

/** @throws UsageError when a report would take the place of what a run recorded */
function refuseEvidence(wishes: readonly Place[], dirs: readonly string[]): void {
  const folders = new Set(dirs.filter((dir) => existsSync(dir)).map((dir) => realpathSync(dir)));
  for (const { file, format } of wishes) {
    if (file === STANDARD_OUTPUT || !existsSync(dirname(file))) continue;
    const isThere = folders.has(realpathSync(dirname(file)));
    if (!isThere || ![...EVIDENCE_FILES, ...DERIVED_FILES].includes(basename(file))) continue;
    throw new UsageError(
      `--${format.flag} ${file} would take the place of what the run left there: give it another name.`,
    );
  }
}

/** What a report takes of a record; a sentence where it cannot be read to its end. */
async function readOne(
  input: {
    readonly dir: string;
    readonly waivers: TargetConfig['waivers'];
    readonly mostBytes: number;
    readonly withLines: boolean;
    readonly history?: string;
    readonly rules?: NonNullable<TargetConfig['rules']>;
  },
  maxSeconds: number,
): Promise<ReadReport | string> {
  const clock = createSystemClock();
  const { judgeStopMs: stopAtMs, judgeEndMs } = runTimes(processStartedMs(), maxSeconds, 0);
  const ended = await untilJudged((leaveOut) =>
    startTask('read-report', { ...input, leaveOut, stopAtMs }, clock, judgeEndMs),
  );
  if (ended.kind === 'done') return ended.value;
  const why = {
    time: 'did not end in its time: --max-seconds allows more',
    silence: 'did not come to an end',
    memory: 'took more memory than it may',
    request: 'was interrupted',
  }[ended.by];
  return `reading ${input.dir} ${why}. No report was written.`;
}

/**
 * The runs, each compared with the baseline that is asked for.
 *
 * @throws UsageError when it holds no record of a check
 * @throws RecordAltered, by way of TaskFailed, when it is not as its run left it
 */
async function comparedWith(
  flags: Flags,
  dirs: readonly string[],
  read: readonly ReadReport[],
  maxSeconds: number,
): Promise<readonly ReadReport[]> {
  const clock = createSystemClock();
  const baseline = await baselineOf(flags, undefined, clock);
  if (baseline === undefined) return read;
  const { judgeEndMs } = runTimes(processStartedMs(), maxSeconds, 0);
  const compared: ReadReport[] = [];
  for (const [at, one] of read.entries()) {
    const { run } = one;
    const isCheck = run.load === undefined && run.limits.length === 0;
    const input = { baseline, dir: dirs[at] ?? '', run };
    compared.push(
      isCheck ? { ...one, run: await withBaseline(input, clock, judgeEndMs, true).run } : one,
    );
  }
  return compared;
}

/** Sources with names that distinguish them. */
function sourcesOf(dirs: readonly string[], read: readonly ReadReport[]): ReportSource[] {
  const names = new Map<string, number>();
  return read.map(({ run, exchanges, leftOut, limitPlot, history }, at) => {
    const name = basename(dirs[at] ?? '');
    const times = (names.get(name) ?? 0) + 1;
    names.set(name, times);
    return {
      run,
      exchanges: new Map(exchanges.map((exchange) => [exchange.id, exchange])),
      leftOut,
      name: times === 1 ? name : `${name} ${times}`,
      ...(limitPlot === undefined ? {} : { limitPlot }),
      ...(history === undefined ? {} : { history }),
    };
  });
}

/**
 * @throws UsageError when the file cannot be written there
 * @throws RecordNotWritten when there is no room for it
 */
async function deliver({ file, format }: Place, text: string): Promise<void> {
  if (file === STANDARD_OUTPUT) {
    if (format.isForRunner === true) printCommands(text);
    else print(text, format.escaping);
    return;
  }
  try {
    const isOpen = openDescriptorOf(file) !== undefined;
    await writeOutput(file, isOpen ? withoutCommands(text, format.escaping) : text);
  } catch (error) {
    if (!(error instanceof RecordNotWritten) || isFull(error.cause)) throw error;
    throw new UsageError(
      `--${format.flag} ${file} cannot be written: ${error.why}. Name a file in a folder that is there, or -.`,
    );
  }
}

function camel(flag: string): string {
  return flag.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
