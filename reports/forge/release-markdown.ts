/** What is said of a release, for a person who decides on it and answers for it later. */

import type { Release, ReleaseRun } from '../../contracts/release/release.ts';
import type { ReleaseChanges } from '../../contracts/release/release-changes.ts';
import { apisOutOfScope, openGaps } from '../../contracts/release/release-outcome.ts';
import { apisOfRun } from '../../contracts/run/apis-of-run.ts';
import { type Outcome, type Verdict, VERDICTS } from '../../contracts/run/run.ts';
import type { Subject } from '../certificate/certificate.ts';
import { codeSpan as code, list, plain, table } from './markdown-text.ts';
import {
  APPROVERS,
  changeLines,
  measuredBlocks,
  otherLines,
  OUTCOME_WORDS,
  unjudgedShoulds,
  waiverLines,
} from './release-parts.ts';
import { plural } from '../text.ts';

/** What the text says besides the release. */
export interface ReleaseTextOptions {
  readonly subjects: readonly Subject[];
  /** What changed since the release before; absent if none was named. */
  readonly changes?: ReleaseChanges;
  /** Whether the certificate of that was signed by the key that signs this one. */
  readonly isPreviousChecked?: boolean;
  /** The id of the key that signed the certificate; absent if it is not signed. */
  readonly signer?: string;
}

const SAYS: Readonly<Record<Outcome, string>> = {
  conforms: 'conforms',
  'does-not-conform': 'does not conform',
  undecided: 'is incomplete',
};

/** The report on a release as Markdown. */
export function renderRelease(release: Release, options: ReleaseTextOptions): string {
  const { issuedAt, outcome, tool, contract, target, labels } = release;
  const urls = Object.entries(target.urls).map(([api, url]) => `${api} ${code(url)}`);
  const said = Object.entries(labels).map(([key, value]) => `${plain(key)} ${code(value)}`);
  const open = openGaps(release);
  const { changes } = options;
  return [
    `# Release ${plain(release.release)} ${SAYS[outcome]} (${scopeWords(release)})`,
    whyOf(release),
    '## What was checked',
    list([
      target.kind === 'reference'
        ? 'the embedded reference service of Assay'
        : `the service at ${urls.join(', ')}`,
      ...(said.length === 0 ? [] : [`labels: ${said.join(', ')}`]),
      `contract ${code(contract.sha256)}${filesWords(contract.files?.length ?? 0)}`,
      `judged by ${plain(tool.name)} ${plain(tool.version)}, code ${code(tool.sha256)}`,
      `on ${issuedAt}`,
    ]),
    '## On what evidence',
    runsTable(release.runs),
    ...release.runs.flatMap((run) => remarksOn(run, release)),
    verdictsTable(release),
    ...section('Broken, and so the release does not conform', broken(release, ['fail'])),
    ...section('Broken, at a lower level than must', broken(release, ['warn'])),
    ...section(
      'Must rules without a verdict',
      open.map(({ rule, kind, reason }) => `${code(rule)} (${kind}): ${plain(reason)}`),
    ),
    '### Load and limits',
    ...measuredBlocks(release),
    '### Other runs of this build',
    list(otherLines(release)),
    ...(changes === undefined
      ? []
      : [
          `### What changed since ${plain(changes.then.release)}, which ${SAYS[changes.then.outcome]} (${changes.then.issuedAt.slice(0, 10)}${options.isPreviousChecked === true ? '' : '; its signature was not checked'})`,
          list(changeLines(changes)),
        ]),
    '### Should rules that were not judged',
    unjudgedShoulds(release),
    ...section('Accepted by a waiver', waiverLines(release)),
    '## Approval',
    APPROVERS,
    '## How to check it again',
    howToCheck(release, options),
  ]
    .filter((part) => part !== '')
    .map((part) => `${part}\n`)
    .join('\n');
}

function scopeWords(release: Release): string {
  const { scope = apisOfRun({ target: release.target }) } = release;
  const others = apisOutOfScope(release);
  const out = others.length === 0 ? '' : `; out of scope: ${others.join(', ')}`;
  return `scope: ${scope.join(', ')}${out}`;
}

/** One sentence on what decided. */
function whyOf(release: Release): string {
  const { outcome, runs } = release;
  const open = openGaps(release);
  const failed = release.rules.filter(({ verdict }) => verdict === 'fail').length;
  const loads = runs.flatMap(({ load }) => load?.broken ?? []);
  const invalid = runs.flatMap(({ load }) => load?.invalid ?? []);
  const reasons = [
    ...(failed === 0 ? [] : [`${plural(failed, 'must rule')} broken`]),
    ...(loads.length === 0 ? [] : [`${plural(loads.length, 'threshold')} of load broken`]),
    ...(invalid.length === 0 ? [] : ['not all figures of load count']),
    ...(open.length === 0
      ? []
      : [`${plural(open.length, 'must rule')} without a verdict, which no waiver accepts`]),
  ];
  if (outcome === 'conforms')
    return `${runs.length === 1 ? 'The run conforms' : `All ${runs.length} runs conform`}, and each must rule has a verdict, waivers apart.${besides(release)}`;
  if (reasons.length > 0) return `${reasons.join('; ')}.${besides(release)}`;
  const other = runs.filter((run) => run.outcome === outcome).length;
  return `${plural(other, 'run')} ${outcome === 'undecided' ? 'incomplete' : 'not conforming'}.${besides(release)}`;
}

/** What a reader must not miss of runs that the release does not rest on. */
function besides({ others = [] }: Release): string {
  const failed = others.filter(({ outcome }) => outcome === 'does-not-conform').length;
  return failed === 0
    ? ''
    : ` But ${plural(failed, 'other run')} of this build ${failed === 1 ? 'does' : 'do'} not conform: see below.`;
}

function runsTable(runs: readonly ReleaseRun[]): string {
  const rows = runs.map((run) => [
    cell(run.id),
    run.load === undefined ? run.kind : `load: ${plain(run.load.scenario)}`,
    OUTCOME_WORDS[run.outcome],
    run.startedAt,
    String(run.seed),
    run.kind === 'check' ? run.profile : '–',
    String(run.requests),
    String(run.exchanges),
  ]);
  const head = 'run kind outcome began seed profile requests exchanges'.split(' ');
  return table(head, rows);
}

/** What a reader must know of a run: what it left out, what did not hold, and what recorded it. */
function remarksOn(run: ReleaseRun, { tool, scope }: Release): string[] {
  const { id, choice, load } = run;
  const reported: string[] = [];
  const outside = Object.keys(run.urls).filter((api) => scope?.includes(api) === false);
  if (outside.length > 0) reported.push(`it drove out of scope: ${outside.join(', ')}`);
  if (run.tool.sha256 !== tool.sha256) {
    const { name, version, sha256 } = run.tool;
    reported.push(`recorded with ${plain(name)} ${plain(version)}, code ${code(sha256)}`);
  }
  if (choice !== undefined) {
    const { only, skip, levels, failOn, leftOut } = choice;
    const words = (list: readonly string[]): string => list.map((word) => code(word)).join(', ');
    if (only.length > 0) reported.push(`judged only ${words(only)}`);
    if (skip.length > 0) reported.push(`left out ${words(skip)}`);
    const all = leftOut.must + leftOut.should + leftOut.observe;
    if (all > 0) reported.push(`so ${plural(all, 'rule')} left out, ${leftOut.must} of them must`);
    for (const { rules, level } of levels) reported.push(`level of ${code(rules)}: ${level}`);
    if (failOn === 'should') reported.push('a broken should rule fails it as well');
  }
  for (const one of load?.broken ?? []) reported.push(`threshold ${code(one)} broken`);
  for (const one of load?.invalid ?? [])
    reported.push(`not all its figures count: ${plain(one.replace(/\.$/, ''))}`);
  return reported.length === 0 ? [] : [`Run ${code(id)}: ${reported.join('; ')}.`];
}

function verdictsTable({ rules }: Release): string {
  const levels = ['must', 'should', 'observe'] as const;
  const countOf = (level: string, verdict: Verdict | null): number =>
    rules.filter((rule) => rule.level === level && rule.verdict === verdict).length;
  const rows = [...VERDICTS, null].map((verdict) => [
    verdict ?? 'not judged',
    ...levels.map((level) => String(countOf(level, verdict))),
  ]);
  return table(['verdict of a rule over all runs', ...levels], rows);
}

function broken({ rules, runs }: Release, wanted: readonly Verdict[]): string[] {
  return rules
    .filter(({ verdict }) => verdict !== null && wanted.includes(verdict))
    .map(({ id, level, source, verdicts }) => {
      const where = runs.filter((_, at) => wanted.some((verdict) => verdicts[at] === verdict));
      const ids = where.map((run) => code(run.id)).join(', ');
      return `${code(id)} (${level}, ${plain(source)}), found by ${ids}`;
    });
}

function howToCheck({ tool }: Release, { signer, subjects }: ReleaseTextOptions): string {
  const who =
    signer === undefined
      ? 'The certificate is not signed: it shows that files are as they were when it was made, and nothing of who made it. Whoever alters records can make another one.'
      : `The certificate is signed by the Ed25519 key ${code(signer)}. Take the public key from its owner, not from where the certificate lies.`;
  const key = signer === undefined ? '' : ' --key key.pem';
  return [
    `Keep the folders of the runs as they are, beside \`certificate.json\`. With Assay ${tool.version.replace(/[^\w.+-]/g, '')} installed,`,
    '',
    '```',
    `npx --no -- assay verify certificate.json RUN…${key}`,
    '```',
    '',
    `checks signature and the digests of ${plural(subjects.length, 'file')}, which the certificate lists, judges all recorded exchanges again without a network, and reports every verdict that comes out otherwise.`,
    '',
    who,
    '',
    'It proves that these verdicts follow from these recorded exchanges. It does not prove that the exchanges took place as recorded, or that the service of today is the one that answered.',
  ].join('\n');
}

/** Code within a table, whose cells end at a bar even within code (GFM section 4.10). */
function cell(text: string): string {
  return code(text).replaceAll('|', '\\|');
}

function section(title: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [`### ${title}`, list(items)];
}

function filesWords(files: number): string {
  return files === 0 ? '' : ` with ${plural(files, 'file')} of the user`;
}
