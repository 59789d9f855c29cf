import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { printable } from '../../contracts/run/printable.ts';
import {
  type ReleaseDifferences,
  releaseDifferences,
} from '../../contracts/release/release-differences.ts';
import { untimely } from '../../contracts/release/release-runs.ts';
import { type JudgedRun, releaseOf } from '../../contracts/release/release-outcome.ts';
import type { KnownRule, Release } from '../../contracts/release/release.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { print, notify } from '../output.ts';
import { judgedNow } from './judged-now.ts';
import { EXIT_OF, otherRunLines, SAYS } from './release-words.ts';
import { watched } from './release-runs.ts';
import { ownRulesIn } from './own-rules-in.ts';
import { keyText } from '../tasks/release/signing-key.ts';

/** What `assay verify` is called with, as it was written. */
export interface VerifyFlags {
  readonly key?: string;
  readonly maxSeconds?: string;
  readonly config?: string;
}

/** Why an unsigned certificate says nothing of a record that an earlier version wrote. */
const UNCOVERED =
  'was written by an earlier version of Assay, or made to look so: its chain covers neither its settings nor its end, and nobody signed them';
/** So far clocks may be apart. */
const MAX_AHEAD_MS = 86_400_000;
/** More verdicts that differ are counted. */
const MAX_SHOWN = 20;

/**
 * Checks a certificate: that the key signed it, that the records are the ones that it was made from, and
 * that judging them again gives the verdicts that it states.
 *
 * @param dirs folders of the run records
 * @throws UsageError when the certificate, the key or a folder is something else, or a key is missing
 * @throws CertificateRefused when it is not signed by the key, or is not whole
 */
export async function verifyRelease(
  certificate: string,
  dirs: readonly string[],
  { key, maxSeconds, config }: VerifyFlags,
): Promise<ExitCode> {
  const trusted = key === undefined ? {} : { key: { pem: keyText(key), source: key } };
  const ownRules = await ownRulesIn(config);
  return watched(dirs.length, maxSeconds, ownRules, async ({ open, judge }) => {
    const opened = await open({
      file: resolve(certificate),
      dirs: dirs.map((dir) => resolve(dir)),
      ...trusted,
    });
    if (typeof opened === 'number') return opened;
    const { release, faults, notes, signer } = opened;
    if (faults.length > 0) return refused(certificate, faults);
    const runs: JudgedRun[] = [];
    const known = new Map<string, KnownRule>();
    const broken: string[] = [];
    for (const dir of opened.dirs) {
      const done = await judge(dir, 'verify');
      if (typeof done === 'number') return done;
      runs.push(done);
      broken.push(...done.altered);
      if (!done.isCovered && signer === undefined) broken.push(`${dir} ${UNCOVERED}`);
      for (const rule of done.known) known.set(rule.id, rule);
    }
    const [first, ...more] = runs;
    if (first === undefined) throw new Error('a certificate without a run was taken');
    const now = releaseOf({
      ...{ release: release.release, issuedAt: release.issuedAt, runs: [first, ...more] },
      known: [...known.values()],
      ...(release.scope === undefined ? {} : { scope: release.scope }),
    });
    const { issuedAt } = release;
    if (Date.parse(issuedAt) > Date.now() + MAX_AHEAD_MS)
      broken.push(
        `it says that it was issued ${issuedAt}, which is still to come by the clock here`,
      );
    broken.push(
      ...untimely(
        release,
        runs.map(({ judged }, at) => ({ name: opened.dirs[at] ?? '', run: judged })),
      ),
    );
    const found = releaseDifferences(release, asJson(now), runs, isDeepStrictEqual);
    const isOtherwise = found.verdicts.length + found.newlyBroken.length > 0;
    if (broken.length > 0 || (!isOtherwise && found.claims.length > 0)) {
      const claims = found.claims.map((what) => `its records say otherwise of this: ${what}`);
      return refused(certificate, [...broken, ...claims]);
    }
    if (isOtherwise) return otherVerdicts(certificate, release, now, found);
    for (const note of notes) notify(note);
    const areAll = found.notAtHand.length === 0;
    const lines = [
      ...(found.isSameJudge ? [] : [`${otherJudge(release, now)} All below is of this judging.`]),
      verified(certificate, { certified: release, now }, signer, areAll),
      ...(areAll ? [] : [notJudged(found.notAtHand)]),
      ...judgedNow(now, new Date().toISOString().slice(0, 10)),
      ...otherRunLines(release, 'Beside them lay then, of the same build', MAX_SHOWN),
    ];
    print(lines.map((line) => `${printable(line)}\n`).join(''));
    if (areAll) return EXIT_OF[now.outcome];
    return now.outcome === 'does-not-conform' ? EXIT.doesNotConform : EXIT.undecided;
  });
}

/** As it comes out of a file. */
function asJson(release: Release): Release {
  return JSON.parse(JSON.stringify(release)) as Release;
}

function refused(certificate: string, faults: readonly string[]): ExitCode {
  for (const fault of faults.slice(0, MAX_SHOWN)) notify(`assay: ${fault}.`);
  if (faults.length > MAX_SHOWN) notify(`assay: and ${faults.length - MAX_SHOWN} more.`);
  notify(`assay: ${certificate} does not certify these records.`);
  return EXIT.failed;
}

function otherVerdicts(
  certificate: string,
  certified: Release,
  now: Release,
  { verdicts, newlyBroken, isSameJudge }: ReleaseDifferences,
): ExitCode {
  const all = [...verdicts, ...newlyBroken];
  const lines = all
    .slice(0, MAX_SHOWN)
    .map(
      ({ rule, run, then, now: is }) =>
        `  ${rule} in ${run.kind} ${run.id}: ${then ?? 'not judged'}, and ${is ?? 'not judged'} now`,
    );
  const more = all.length - MAX_SHOWN;
  const why = isSameJudge
    ? 'The code and the contract that judge are the same, so the certificate does not state what its records say.'
    : otherJudge(certified, now);
  print(
    [
      `The records are those of ${certificate}, and judging them again comes out otherwise:`,
      ...lines,
      ...(more > 0 ? [`  and ${more} more`] : []),
      `Certified: the release ${SAYS[certified.outcome]}. Now: it ${SAYS[now.outcome]}.`,
      why,
    ]
      .map((line) => `${printable(line)}\n`)
      .join(''),
  );
  return EXIT.doesNotConform;
}

function otherJudge({ tool, contract }: Release, now: Release): string {
  const [one, other] = [tool, now.tool].map(
    ({ name, version, sha256 }) => `${name} ${version} (code ${sha256.slice(0, 12)})`,
  );
  const contracts =
    contract.sha256 === now.contract.sha256
      ? 'by the same contract'
      : `and by another contract (${contract.sha256.slice(0, 12)}, now ${now.contract.sha256.slice(0, 12)})`;
  return `It was judged by ${one ?? ''}, now by ${other ?? ''}, ${contracts}.`;
}

function notJudged(rules: readonly string[]): string {
  const more = rules.length > MAX_SHOWN ? ` and ${rules.length - MAX_SHOWN} more` : '';
  const named = `${rules.slice(0, MAX_SHOWN).join(', ')}${more}`;
  return `These rules were not judged again, since the configuration that brought them is not at hand: ${named}. What the certificate says of them, and of the outcome as far as it rests on them, is not checked; --config FILE names that configuration.`;
}

function verified(
  certificate: string,
  { certified, now }: { readonly certified: Release; readonly now: Release },
  signer: string | undefined,
  areAllJudged: boolean,
): string {
  const who =
    signer === undefined
      ? 'It is not signed, so it does not say who made it.'
      : `It is signed by the key ${signer.slice(0, 12)}.`;
  const { runs, release, outcome } = now;
  const otherwise =
    certified.outcome === outcome
      ? ''
      : ` The certificate says that it ${SAYS[certified.outcome]}; that is not what its records say now.`;
  return `${certificate} is verified: release ${release} ${SAYS[outcome]}, by ${runs.length} run${runs.length === 1 ? '' : 's'} whose files are as they were certified and whose ${areAllJudged ? '' : 'other '}verdicts come out the same. ${who}${otherwise}`;
}
