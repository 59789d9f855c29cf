import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { member } from '../../../contracts/wire/json.ts';
import type { ReleaseRun } from '../../../contracts/release/release.ts';
import { RecordAltered, RecordCorrupt } from '../../../target/record/record-error.ts';
import { readExchanges, readRecordJson } from '../../../target/record/record-reader.ts';
import { EXCHANGES_FILE, SUMMARY_FILE } from '../../../target/record/recorder.ts';
import type { Statement } from '../../../reports/certificate/certificate.ts';
import {
  firstOtherLine,
  OWN_FILES,
  type RecordFile,
  recordFiles,
} from '../../record/record-files.ts';
import { UsageError } from '../../exit-code.ts';

/** The folders that somebody names, compared with the files that are certified. */
export interface CertifiedFiles {
  /** In what they are not those of the certificate, as sentences. */
  readonly faults: readonly string[];
  /** What is there besides, and changes nothing. */
  readonly notes: readonly string[];
  /** The folder of each certified run, in their order; as far as they were found. */
  readonly dirs: readonly string[];
}

/** Files as they were certified, by path within the folder. */
type Certified = ReadonlyMap<string, RecordFile>;

/**
 * Compares the files of run records with a certificate.
 *
 * @throws UsageError when a folder is none
 */
export async function certifiedFiles(
  statement: Statement,
  dirs: readonly string[],
): Promise<CertifiedFiles> {
  const { runs } = statement.predicate;
  const byRun = new Map(runs.map(({ id }) => [id, filesOf(id, statement)]));
  const found = new Map<string, string>();
  const faults: string[] = [];
  const notes: string[] = [];
  for (const dir of dirs) {
    if (!existsSync(dir)) throw new UsageError(`${dir} is not there`);
    const files = await filesIn(dir, faults);
    if (files === undefined) continue;
    const id = idOf(dir, files, byRun);
    const run = runs.find((one) => one.id === id);
    const before = id === undefined ? undefined : found.get(id);
    if (id === undefined || run === undefined) {
      faults.push(`${dir} is none of the runs that the certificate rests on`);
    } else if (before !== undefined) faults.push(`${before} and ${dir} are the same run`);
    else {
      found.set(id, dir);
      const certified: Certified = byRun.get(id) ?? new Map<string, RecordFile>();
      faults.push(...(await differencesOf(dir, run, certified, files)));
      const more = files.filter(({ name }) => !certified.has(name) && !OWN_FILES.includes(name));
      notes.push(...more.map(({ name }) => `${join(dir, name)} is not certified.`));
    }
  }
  for (const { id, kind, startedAt } of runs.filter((run) => !found.has(run.id)))
    faults.push(`the run ${id} (${kind}, ${startedAt}) is certified, and no folder holds it`);
  return { faults, notes, dirs: runs.flatMap(({ id }) => found.get(id) ?? []) };
}

function filesOf(id: string, { subject, predicate }: Statement): Certified {
  const marks = new Map(Object.entries(predicate.lineMarks));
  const own = subject.filter(({ name }) => name.startsWith(`${id}/`));
  return new Map(
    own.map(({ name, digest: { sha256 } }) => {
      const path = name.slice(id.length + 1);
      const lineMarks = marks.get(name);
      return [path, { name: path, sha256, ...(lineMarks === undefined ? {} : { lineMarks }) }];
    }),
  );
}

async function filesIn(dir: string, faults: string[]): Promise<RecordFile[] | undefined> {
  try {
    return await recordFiles(dir);
  } catch (error) {
    if (!(error instanceof RecordCorrupt)) throw error;
    faults.push(withoutAdvice(error));
    return undefined;
  }
}

/**
 * Which run a folder holds: the one whose summary or exchanges it has, else the one that it says; if
 * it says nothing, the one that alone has some file of it.
 */
function idOf(
  dir: string,
  files: readonly RecordFile[],
  byRun: ReadonlyMap<string, Certified>,
): string | undefined {
  const havingAny = (names: readonly RecordFile[]): string | undefined => {
    for (const { name, sha256 } of names) {
      const having = [...byRun].filter(([, certified]) => certified.get(name)?.sha256 === sha256);
      if (having.length === 1) return having[0]?.[0];
    }
    return undefined;
  };
  const naming = [SUMMARY_FILE, EXCHANGES_FILE].flatMap(
    (name) => files.find((file) => file.name === name) ?? [],
  );
  const said = saidIdOf(dir);
  return havingAny(naming) ?? (said === undefined ? havingAny(files) : knownId(said, byRun));
}

function knownId(id: string, byRun: ReadonlyMap<string, Certified>): string | undefined {
  return byRun.has(id) ? id : undefined;
}

/** The id of the record by its summary, which may be anything here. */
function saidIdOf(dir: string): string | undefined {
  try {
    const id = member(member(readRecordJson(join(dir, SUMMARY_FILE)), 'record'), 'id');
    return typeof id === 'string' ? id : undefined;
  } catch {
    return undefined;
  }
}

async function differencesOf(
  dir: string,
  run: ReleaseRun,
  certified: Certified,
  files: readonly RecordFile[],
): Promise<string[]> {
  const faults: string[] = [];
  const there = new Map(files.map((file) => [file.name, file]));
  for (const [name, was] of certified) {
    const is = there.get(name);
    const path = join(dir, name);
    if (is === undefined) faults.push(`${path} is missing`);
    else if (is.sha256 === was.sha256) continue;
    else if (name === EXCHANGES_FILE) faults.push(await whereChainBreaks(dir, run));
    else faults.push(whereAltered(path, was.lineMarks, is.lineMarks));
  }
  const planted = files.filter(({ name }) => !certified.has(name) && OWN_FILES.includes(name));
  return [...faults, ...planted.map(({ name }) => `${join(dir, name)} is no part of the record`)];
}

function whereAltered(path: string, was: string | undefined, is: string | undefined): string {
  const line = was === undefined || is === undefined ? undefined : firstOtherLine(was, is);
  return line === undefined
    ? `${path} is not as it was certified`
    : `${path}, line ${line} is not as it was certified`;
}

async function whereChainBreaks(dir: string, { id, exchanges }: ReleaseRun): Promise<string> {
  const path = join(dir, EXCHANGES_FILE);
  const reader = readExchanges(dir, id);
  try {
    const iterator = reader[Symbol.asyncIterator]();
    while ((await iterator.next()).done !== true) continue;
  } catch (error) {
    if (!(error instanceof RecordAltered) && !(error instanceof RecordCorrupt)) throw error;
    return withoutAdvice(error);
  }
  const { lines, tornLines, said } = reader;
  if (tornLines > 0 || said.isTorn) return `${path}, line ${reader.read + 1} is cut off`;
  return lines === exchanges
    ? `${path} is a whole chain of its run, and not the one that was certified: it was recomputed`
    : `${path} holds ${lines} exchanges, and ${exchanges} were certified`;
}

/** The sentence on what is wrong; what to do is said once, at the end. */
function withoutAdvice({ message }: Error): string {
  return message.split(/\. (?:The record is not|A record with holes)/)[0] ?? message;
}
