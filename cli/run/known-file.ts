import { existsSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { knownFileOf, knownIn, prunedKnown } from '../../contracts/compare/known-findings.ts';
import { readRegularFile, UnreadableFile } from '../../contracts/document/regular-file.ts';
import type { KnownFile } from '../../contracts/run/run-known.ts';
import type { RunJson } from '../../contracts/run/run.ts';
import { isJudged } from '../../contracts/run/unjudged.ts';
import { parseJson } from '../../contracts/wire/parse-json.ts';
import { RecordNotWritten } from '../../target/record/record-error.ts';
import { given, omit } from '../../contracts/wire/json.ts';
import { knownSum, otherTargetWords } from '../../reports/known-words.ts';
import { UsageError } from '../exit-code.ts';
import { withoutSecrets } from '../safe-text.ts';
import { notify } from '../output.ts';
import { ROOT } from '../package.ts';
import { writeWhole } from '../record/write-whole.ts';

const MAX_BYTES = 16_777_216;

/** A file of known findings that somebody named. */
export interface KnownAtHand extends Omit<KnownFile, 'schemaVersion'> {
  /** Absolute path. */
  readonly path: string;
  /** Whether what is gone is to be removed from it. */
  readonly prunes: boolean;
}

/**
 * The file that `--known` names.
 *
 * @param others what else `--prune` takes
 * @throws UsageError when it is none, or `--prune` asks for what there is not
 */
export function knownAtHand(
  flags: Readonly<Record<string, unknown>>,
  others: readonly string[] = [],
): KnownAtHand | undefined {
  const { known: named, prune = [], writeKnown } = flags;
  const asked = prune as readonly string[];
  const taken = ['known', ...others];
  const unknown = asked.find((what) => !taken.includes(what));
  if (unknown !== undefined)
    throw new UsageError(`--prune takes ${taken.join(' or ')}, not ${JSON.stringify(unknown)}`);
  const prunes = asked.includes('known');
  if (prunes && writeKnown !== undefined)
    throw new UsageError(
      '--write-known writes what is there, and --prune known removes what is gone: one of them at a time.',
    );
  if (typeof named !== 'string') {
    if (prunes) throw new UsageError('--prune known removes from a file: name it, --known FILE');
    return undefined;
  }
  const path = resolve(named);
  return { path, prunes, ...omit(readKnown(path, named), 'schemaVersion') };
}

/** @throws UsageError */
function readKnown(path: string, named: string): KnownFile {
  let text: string;
  try {
    text = readRegularFile(path, MAX_BYTES);
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    throw new UsageError(`the known findings ${named} cannot be read: ${error.message}`);
  }
  const parsed = parseJson(text);
  const fault = parsed.kind === 'json' ? faultOf(parsed.value) : 'it is no JSON';
  if (fault === undefined) return (parsed as { value: unknown }).value as KnownFile;
  throw new UsageError(
    `${named} holds no known findings: ${fault}. assay report RUN --write-known FILE writes such a file.`,
  );
}

function faultOf(value: unknown): string | undefined {
  const ajv = new Ajv2020({ strict: false, logger: false });
  addFormats.default(ajv);
  const schema = readFileSync(join(ROOT, 'reports', 'known.schema.json'), 'utf8');
  const validate = ajv.compile(JSON.parse(schema) as object);
  if (validate(value)) return rateFaultOf(value as KnownFile);
  const { instancePath = '', message = 'it is wrong' } = validate.errors?.[0] ?? {};
  return `${instancePath === '' ? 'it' : instancePath} ${message}`;
}

/** More often than it was judged nothing was judged broken. */
function rateFaultOf({ known }: KnownFile): string | undefined {
  for (const [at, one] of known.entries()) {
    for (const name of ['rate', 'share'] as const) {
      const { broken = 0, judged = 0 } = one[name] ?? {};
      if (broken > judged)
        return `/known/${at}/${name} was judged broken ${broken} times and judged ${judged} times`;
    }
  }
  return undefined;
}

/** A run with what became of the known findings; a replay and a run that was not judged as they are. */
export function withKnown(run: RunJson, atHand: KnownAtHand | undefined): RunJson {
  if (atHand === undefined || run.replay !== undefined || !isJudged(run)) return run;
  return {
    ...run,
    known: knownIn(run, atHand.known, withoutSecrets(basename(atHand.path)), atHand),
  };
}

/**
 * Removes from a file what is gone by all of several runs, where that is asked for, and says so. Of what not each
 * request shows, and none did in them, it notes how often it held.
 *
 * @throws RecordNotWritten when it cannot be written
 */
export function pruneKnown(
  runs: readonly { readonly run: Pick<RunJson, 'known'> }[],
  atHand: KnownAtHand | undefined,
): void {
  if (atHand?.prunes !== true || runs.length === 0) return;
  const file = withoutSecrets(basename(atHand.path));
  const other = runs
    .map(({ run: { known } }) => known?.otherTarget)
    .find((one) => one !== undefined);
  if (other !== undefined) {
    notify(`assay: nothing was removed from ${file}, as ${otherTargetWords(other)}.`);
    return;
  }
  const kept = prunedKnown(
    atHand.known,
    runs.map(({ run: { known } }) => known),
  );
  if (JSON.stringify(kept) === JSON.stringify(atHand.known)) return;
  write(atHand.path, { ...omit(omit(atHand, 'path'), 'prunes'), known: kept });
  const places = new Set(kept.map(placeIn));
  const gone = atHand.known.filter((one) => !places.has(placeIn(one)));
  if (gone.length > 0) notify(`assay: ${knownSum(gone)} removed from ${file}.`);
}

/**
 * Writes what a run found to the file of `--write-known`; what that had keeps the day since when it is known.
 *
 * @throws UsageError when the run says too little, there are several, or the file is something else
 */
export function writeKnown(
  [one, ...others]: readonly { readonly run: RunJson }[],
  { writeKnown: named }: Readonly<Record<string, unknown>>,
): void {
  if (one === undefined || typeof named !== 'string') return;
  const { run } = one;
  if (others.length > 0)
    throw new UsageError('--write-known takes one run: what several found has several days.');
  if (run.outcome === 'undecided' || !run.complete || !isJudged(run) || run.replay !== undefined)
    throw new UsageError(
      '--write-known takes a whole run that is decided: of this one nobody knows what else there is.',
    );
  const path = resolve(named);
  const file = knownFileOf(run, existsSync(path) ? readKnown(path, named).known : []);
  write(path, file);
  notify(`assay: ${knownSum(file.known)} written to ${named}.`);
}

function placeIn({ rule, operation = '', place }: KnownFile['known'][number]): string {
  return [rule, operation, place].join('\n');
}

/** Each in a line of its own, so that versions of the file are compared with ease. */
function write(path: string, { target, asked, known }: Omit<KnownFile, 'schemaVersion'>): void {
  const lines = known.map((one) => `    ${withoutSecrets(JSON.stringify(one))}`).join(',\n');
  const list = known.length === 0 ? '[]' : `[\n${lines}\n  ]`;
  try {
    const of = Object.entries(given({ target, asked })).map(
      ([name, value]) => `  "${name}": ${withoutSecrets(JSON.stringify(value))},\n`,
    );
    writeWhole(path, `{\n  "schemaVersion": 1,\n${of.join('')}  "known": ${list}\n}\n`);
  } catch (error) {
    if (!(error instanceof RecordNotWritten)) throw error;
    throw new UsageError(`${path} cannot be written: ${error.why}`);
  }
}
