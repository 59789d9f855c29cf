import { closeSync, existsSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { printable } from '../../contracts/run/printable.ts';
import { releaseChanges } from '../../contracts/release/release-changes.ts';
import {
  apisOutOfScope,
  type JudgedRun,
  openGaps,
  releaseOf,
} from '../../contracts/release/release-outcome.ts';
import {
  disagreements,
  otherRuns,
  unendedRuns,
  untimely,
} from '../../contracts/release/release-runs.ts';
import type { KnownRule, Release } from '../../contracts/release/release.ts';
import { FolderNotMade, makeFolder } from '../../target/record/make-folder.ts';
import { RecordNotWritten, systemCode, systemWords } from '../../target/record/record-error.ts';
import {
  certificateText,
  type SigningKey,
  statementOf,
  type Subject,
} from '../../reports/certificate/certificate.ts';
import { keyIdOf } from '../../reports/certificate/dsse.ts';
import { renderRelease } from '../../reports/forge/release-markdown.ts';
import { type ExitCode, UsageError } from '../exit-code.ts';
import { withoutSecrets } from '../safe-text.ts';
import { print, notify } from '../output.ts';
import { newRecordFolder } from '../record/record-folder.ts';
import type { RecordFile } from '../record/record-files.ts';
import type { ReleaseFlags } from './release.ts';
import { watched, type Watch } from './release-runs.ts';
import { besideRecords } from './beside-records.ts';
import type { OpenCertificateOutput } from '../tasks/release/open-certificate.ts';
import { EXIT_OF, otherRunLines, SAYS } from './release-words.ts';
import { ownRulesIn } from './own-rules-in.ts';
import { scopeOf } from './release-scope.ts';
import { signingKeyOf } from '../tasks/release/signing-key.ts';

/** The certificate of a release. */
const CERTIFICATE_FILE = 'certificate.json';
/** The same for a person. */
const RELEASE_FILE = 'release.md';

const MAX_NAME = 200;
/** More must rules without a verdict are counted. */
const MAX_GAPS = 10;
/** More of the same build are not certified. */
const MAX_OTHERS = 1_000;

/**
 * Makes one report and one certificate of several runs.
 *
 * @param dirs folders of the run records
 * @throws UsageError when a run is no evidence for a release, or they are not of one service
 * @throws RecordAltered when a record is not the one that its run left
 */
export async function makeRelease(dirs: readonly string[], flags: ReleaseFlags): Promise<ExitCode> {
  const name = withoutSecrets(flags.release.trim());
  if (name === '' || name.length > MAX_NAME)
    throw new UsageError(`--release takes the name of a release, of 1 to ${MAX_NAME} characters.`);
  if (dirs.length === 0) throw new UsageError('--release needs the folders of run records.');
  const key = signingKeyOf(flags.signingKey, process.env);
  const issued = new Date();
  const out = resolve(flags.out ?? newRecordFolder(process.cwd(), issued));
  requireFree(out, dirs);
  if (flags.out !== undefined) makeOwnFolder(out);
  const ownRules = await ownRulesIn(flags.config);
  return watched(dirs.length, flags.maxSeconds, ownRules, async ({ judge, open, beside }) => {
    const previous = await previousOf(flags, key, open);
    if (typeof previous === 'number') return previous;
    const runs: (JudgedRun & { readonly dir: string })[] = [];
    const subjects: Subject[] = [];
    const lineMarks: Record<string, string> = {};
    const known = new Map<string, KnownRule>();
    for (const dir of dirs) {
      const done = await judge(resolve(dir), 'make');
      if (typeof done === 'number') return done;
      const { recorded, judged, files } = done;
      runs.push({ dir, recorded, judged });
      for (const rule of done.known) known.set(rule.id, rule);
      addFiles(subjects, lineMarks, judged.record.id, files);
    }
    for (const kind of ['recorded', 'judged'] as const) {
      const [fault] = disagreements(runs.map((run) => ({ name: run.dir, run: run[kind] })));
      if (fault !== undefined)
        throw new UsageError(`${fault}. A release is one service, judged by one contract.`);
    }
    const [first, ...more] = runs;
    if (first === undefined) throw new Error('no run was judged');
    const issuedAt = issued.toISOString();
    const named = runs.map((run) => ({ name: run.dir, run: run.judged }));
    const [fault] = untimely({ release: name, issuedAt }, named);
    if (fault !== undefined)
      throw new UsageError(
        `${fault}. Name the release of its runs, and see to the clock of this machine.`,
      );
    const made = releaseOf({
      ...{ release: name, issuedAt, runs: [first, ...more], known: [...known.values()] },
      scope: scopeOf(flags.apis, named),
    });
    const found = await besideRecords(dirs, beside);
    if (typeof found === 'number') return found;
    const others = otherRuns(made, found.rows).slice(0, MAX_OTHERS);
    const unread = [...unendedRuns(made, found.unended), ...found.unread];
    const release = {
      ...made,
      ...(others.length === 0 ? {} : { others }),
      ...(unread.length === 0 ? {} : { unread: unread.slice(0, MAX_OTHERS) }),
    };
    const text = certificateText(statementOf({ ...release, lineMarks }, subjects), key);
    const signer = key === undefined ? {} : { signer: keyIdOf(key.publicKey) };
    makeOwnFolder(out);
    const changes =
      previous === undefined
        ? {}
        : {
            changes: releaseChanges(previous.release, release),
            isPreviousChecked: previous.signer !== undefined,
          };
    write(out, RELEASE_FILE, renderRelease(release, { subjects, ...signer, ...changes }));
    write(out, CERTIFICATE_FILE, text);
    show(release, out, signer.signer);
    return EXIT_OF[release.outcome];
  });
}

/** The release before, if one is named. */
async function previousOf(
  { previous }: ReleaseFlags,
  key: SigningKey | undefined,
  open: Watch['open'],
): Promise<OpenCertificateOutput | ExitCode | undefined> {
  if (previous === undefined) return undefined;
  const pem = key?.publicKey.export({ format: 'pem', type: 'spki' }).toString();
  const trusted = pem === undefined ? {} : { key: { pem, source: 'the signing key' } };
  return open({ file: resolve(previous), ...trusted });
}

function addFiles(
  subjects: Subject[],
  lineMarks: Record<string, string>,
  id: string,
  files: readonly RecordFile[],
): void {
  for (const { name, sha256, lineMarks: marks } of files) {
    const subject = `${id}/${name}`;
    subjects.push({ name: subject, digest: { sha256 } });
    if (marks !== undefined) lineMarks[subject] = marks;
  }
}

function requireFree(out: string, dirs: readonly string[]): void {
  if (dirs.some((dir) => !relative(resolve(dir), out).startsWith('..'))) {
    throw new UsageError(
      `${out} is in the folder of a run; a certificate needs one of its own, --out DIR.`,
    );
  }
  for (const file of [CERTIFICATE_FILE, RELEASE_FILE]) {
    if (existsSync(join(out, file))) throw isThere(join(out, file));
  }
}

function makeOwnFolder(out: string): void {
  try {
    makeFolder(out);
  } catch (error) {
    if (!(error instanceof FolderNotMade)) throw error;
    throw new UsageError(
      `${out} cannot hold a certificate: ${error.message}. --out names another.`,
    );
  }
}

/** Writes a file that is not there, so that of two who make a release into one folder only one does. */
function write(dir: string, name: string, text: string): void {
  const file = join(dir, name);
  let isOurs = false;
  try {
    const descriptor = openSync(file, 'wx');
    isOurs = true;
    writeFileSync(descriptor, text);
    closeSync(descriptor);
  } catch (error) {
    if (systemCode(error) === 'EEXIST') throw isThere(file);
    if (isOurs) rmSync(file, { force: true });
    throw new RecordNotWritten(file, systemWords(error));
  }
}

function isThere(file: string): UsageError {
  return new UsageError(`${file} is there already. --out names another folder.`);
}

function show(release: Release, out: string, signer: string | undefined): void {
  const failed = release.rules.filter(({ verdict }) => verdict === 'fail');
  const open = openGaps(release);
  const outside = apisOutOfScope(release);
  const lines = [
    `Release ${release.release} ${SAYS[release.outcome]}. Scope: ${(release.scope ?? []).join(', ')}${outside.length === 0 ? '' : `; out of scope: ${outside.join(', ')}`}.`,
    ...release.runs.flatMap(({ kind, outcome, startedAt, id, load }) => [
      `  ${kind} of ${startedAt} (${id}): ${SAYS[outcome]}`,
      ...(load?.broken ?? []).map((one) => `    threshold broken: ${one}`),
      ...(load?.invalid ?? []).map((why) => `    not all its figures count: ${why}`),
    ]),
    ...otherRunLines(release, '  beside them', MAX_GAPS),
    ...failed.map(({ id }) => `  broken: ${id}`),
    ...open
      .slice(0, MAX_GAPS)
      .map(({ rule, kind, reason }) => `  ${kind}: ${rule}, since ${reason}`),
    ...(open.length > MAX_GAPS
      ? [`  and ${open.length - MAX_GAPS} more must rules without a verdict`]
      : []),
    `${join(relative(process.cwd(), out) || '.', RELEASE_FILE)} says all of it, ${CERTIFICATE_FILE} beside it ${
      signer === undefined
        ? 'is not signed: --signing-key FILE or ASSAY_SIGNING_KEY signs it'
        : `is signed by the key ${signer.slice(0, 12)}`
    }.`,
  ];
  print(lines.map((line) => `${printable(line)}\n`).join(''));
  notify('`assay verify` checks the certificate against the folders of its runs.');
}
