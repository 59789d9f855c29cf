import { MendableError } from '../../../contracts/wire/mendable-error.ts';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, omit } from '../../../contracts/wire/json.ts';
import { readRegularFile, UnreadableFile } from '../../../contracts/document/regular-file.ts';
import { makeFolder } from '../../../target/record/make-folder.ts';
import { generatedOf } from '../../drive/as-generated.ts';
import type { Reproducer } from '../reproducer.ts';
import { timesToHold } from '../../../contracts/judging/chance/times-to-hold.ts';
import { heldOf, rateIn } from './replay-word.ts';
import type { FindingThen, Rate } from '../../../contracts/run/run.ts';
import type { KeptRequest } from './kept-requests.ts';
import { keptRequestsIn, purposeOfLongAgo } from './kept-requests.ts';

/** A rule that requests broke. */
interface BrokenRule {
  readonly rule: string;
  /** How often they showed it; absent of files of earlier versions. */
  readonly rate?: Rate;
  /** Whether an error of the service showed it; absent likewise. */
  readonly isFailed?: boolean;
  /** Of what shows at times: how often the rule held in runs since it showed last; absent of none. */
  readonly held?: number;
}

/** A counterexample that was found once, to be tried first from then on. */
export interface Regression extends BrokenRule {
  /** Its file without `.json`, as a word of a replay line: the first rule that it broke, and a digest. */
  readonly name: string;
  readonly requests: readonly KeptRequest[];
}

/** The regressions of a folder, and what became of the other files there. */
export interface Regressions {
  readonly regressions: readonly Regression[];
  /** Sentences on files that were skipped. */
  readonly notices: readonly string[];
}

/** Thrown when there is a folder of regressions that cannot be read at all. */
export class RegressionError extends MendableError {
  override readonly name = 'RegressionError';
}

const MAX_FILES = 2_000;
const MAX_BYTES = 1_048_576;
/** Of what shows at times, more requests at one operation say nothing new: each is sent often in every run. */
const MOST_OF_A_FLAKE = 2;
/** More rules that the same requests broke are not tried. */
const MAX_RULES = 1_000;

/**
 * The regressions of a folder, in the order of their names, one for each rule that the requests of a file
 * broke; none if the folder is not there yet. A file that is no regression is skipped with a notice: one bad file must not keep a run from the rest.
 *
 * @throws {RegressionError} when it is no folder, or may not be read
 */
export function readRegressions(dir: string): Regressions {
  const regressions: Regression[] = [];
  const notices: string[] = [];
  const names = namesIn(dir);
  for (const file of names.slice(0, MAX_FILES)) {
    const read = regressionIn(join(dir, file), safeName(file.slice(0, -'.json'.length)));
    if (typeof read === 'string')
      notices.push(`The regression ${plain(file)} was skipped: ${read}.`);
    else regressions.push(...read);
  }
  const more = names.length - MAX_FILES;
  if (more > 0) notices.push(`${more} regressions were skipped: at most ${MAX_FILES} are tried.`);
  return { regressions, notices };
}

function namesIn(dir: string): string[] {
  if (!existsSync(dir)) return [];
  try {
    return readdirSync(dir)
      .filter((file) => file.endsWith('.json'))
      .sort();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new RegressionError(`${plain(dir)} is no folder of regressions: ${reason}`);
  }
}

/** What is kept of a counterexample. */
export interface FoundRegression {
  readonly rule: string;
  readonly reproducer: Reproducer;
  readonly then?: FindingThen | undefined;
}

/**
 * Keeps a counterexample in a folder, once: what its requests ask counts, not what is fresh in them. Those that
 * broke another rule before get one more.
 *
 * @returns its name, or a sentence on why it could not be kept
 */
export function keepRegression(
  dir: string,
  { rule, reproducer, then }: FoundRegression,
): { readonly name: string } | { readonly notice: string } {
  const requests = reproducer.map(({ request, ...place }): KeptRequest => {
    return { request: generatedOf(request), ...place };
  });
  const { rate, isFailed = false } = then ?? {};
  const broken = { rule, ...(rate === undefined ? {} : { rate }), isFailed };
  const asked = askedBy(requests);
  const digest = createHash('sha256').update(`${rule} ${asked}`).digest('hex').slice(0, 8);
  const name = `${safeName(rule)}.${digest}`;
  try {
    makeFolder(dir);
    const { regressions } = readRegressions(dir);
    const same = regressions.filter((one) => askedBy(one.requests) === asked);
    const known =
      same.find((one) => one.rule === rule) ??
      same.find((one) => purposesOf(one.requests) === purposesOf(requests));
    if (known !== undefined) {
      if (known.rule !== rule) addRule(join(dir, `${known.name}.json`), broken);
      return { name: known.name };
    }
    const [alike, ...more] = regressions.filter((one) => isSameFlake(one, { ...broken, requests }));
    if (alike !== undefined && more.length >= MOST_OF_A_FLAKE - 1) return { name: alike.name };
  } catch (error) {
    return { notice: unkept(error) };
  }
  try {
    // Never through a link that somebody put there.
    writeFileSync(join(dir, `${name}.json`), textOf({ ...broken, requests }), { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return { notice: unkept(error) };
  }
  return { name };
}

/** Whether two are of one rule at one operation that shows at times: by chance each night has another smallest request. */
function isSameFlake(
  one: Pick<Regression, 'rule' | 'rate' | 'requests'>,
  other: Pick<Regression, 'rule' | 'rate' | 'requests'>,
): boolean {
  const areAtTimes = timesToHold(one.rate) > 1 && timesToHold(other.rate) > 1;
  const placeOf = ({ requests }: typeof one): string | undefined => {
    const last = requests.at(-1)?.request;
    return last && [last.api, last.method, last.path.split('?')[0]].join(' ');
  };
  return one.rule === other.rule && areAtTimes && placeOf(one) === placeOf(other);
}

/** Adds a rule to the file of requests that broke it, too; the runs in which nothing showed begin anew. */
function addRule(file: string, broken: BrokenRule): void {
  const { also, ...json } = JSON.parse(readRegularFile(file, MAX_BYTES)) as Kept;
  // Never through a link that somebody put there.
  rmSync(file);
  const rules = [...(Array.isArray(also) ? (also as unknown[]) : []), broken];
  writeFileSync(file, textOf({ ...omit(json, 'keptRuns'), also: rules }), { flag: 'wx' });
}

interface Kept {
  readonly keptRuns?: unknown;
  /** Further rules that the requests broke. */
  readonly also?: unknown;
}

function textOf(json: object): string {
  return `${JSON.stringify(json, undefined, 2)}\n`;
}

function purposesOf(requests: readonly KeptRequest[]): string {
  return JSON.stringify(requests.map(({ request, was }) => was ?? request.purpose));
}

/** What requests ask, whatever they are for and whatever is fresh in them. */
function askedBy(requests: readonly KeptRequest[]): string {
  return JSON.stringify(
    requests.map(({ request: { api, method, path, headers = [], body }, role, kind, group }) => [
      ...[api, method, path, body ?? null, role ?? null, kind ?? null, group ?? null],
      headers.filter((field) => isOfRequest(field)),
    ]),
  );
}

/** Not a key of its run, nor the type that a body of JSON is sent with when none is named. */
function isOfRequest([name, value]: readonly [string, string]): boolean {
  const field = name.toLowerCase();
  return field !== 'idempotency-key' && !(field === 'content-type' && value === 'application/json');
}

function unkept(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  return `A counterexample could not be kept: ${plain(reason)}.`;
}

const LONGEST_NAME = 120;
/** Devices of Windows, whatever follows the first dot. */
const RESERVED = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?=\.|$)/i;

/** A name for a file and for a word of a command line, made of one that others chose. */
export function safeName(name: string): string {
  const safe = name
    .replaceAll(/\.{2,}|[^A-Za-z0-9._{}-]+/g, '_')
    .replace(/^[.-]+/, '_')
    .slice(0, LONGEST_NAME)
    .replace(/\.+$/, '_');
  return safe === '' || RESERVED.test(safe) ? `_${safe}` : safe;
}

const WANTED =
  'it is no regression; { rule, requests: [{ request: { api, method, path, headers?, body?, purpose }, role?, kind?, group? }] } is wanted';

/** @returns a regression for each rule that is broken, or why there is none */
function regressionIn(file: string, name: string): Regression[] | string {
  let json: unknown;
  try {
    json = JSON.parse(readRegularFile(file, MAX_BYTES));
  } catch (error) {
    if (error instanceof UnreadableFile) return error.message;
    return `it is not JSON: ${plain(error instanceof Error ? error.message : String(error))}`;
  }
  if (!isObject(json) || typeof json.rule !== 'string') return WANTED;
  const requests = keptRequestsIn(json.requests, purposeOfLongAgo);
  if (requests === undefined) return WANTED;
  if (typeof requests === 'string') return requests;
  const also: unknown[] = Array.isArray(json.also) ? json.also : [];
  return [json, ...also.slice(0, MAX_RULES)].flatMap((one): Regression[] => {
    if (!isObject(one) || typeof one.rule !== 'string') return [];
    const rate = rateIn(one.rate);
    const { rule, isFailed } = one;
    const known = rate === undefined ? 0 : heldOf(one.held, rate);
    return [
      {
        ...{ name, rule, requests },
        ...(rate === undefined ? {} : { rate }),
        ...(typeof isFailed === 'boolean' ? { isFailed } : {}),
        ...(known > 0 ? { held: known } : {}),
      },
    ];
  });
}

/** In one line of bounded length: what the file of others says of itself. */
function plain(text: string): string {
  return text.slice(0, 200).replaceAll(/\p{Cc}/gu, '?');
}
