/** Which run records may stand together for a release. */

import type { OtherRun, Release, ReleaseRun } from './release.ts';
import type { Outcome, RunJson, RunKind, RunTarget } from '../run/run.ts';
import { apisOfRun } from '../run/apis-of-run.ts';
import type { ApiName } from '../wire/exchange.ts';

/** A record: its name in messages, and its summary. */
export interface NamedRun {
  readonly name: string;
  readonly run: RunJson;
}

/** What a run was made with. */
export function kindOf({ kind, limits, load }: Pick<RunJson, 'kind' | 'limits' | 'load'>): RunKind {
  if (kind !== undefined) return kind;
  if (load !== undefined) return 'load';
  return limits.length > 0 ? 'limits' : 'check';
}

/** Labels that say which build was there: two of one release cannot differ in them. */
const BUILD: readonly string[] = ['build', 'commit', 'release', 'version'];
const OF_THE_BUILD: readonly string[] = [...BUILD, 'environment'];

/** A run that lies beside those of a release, as a history has it. */
type Beside = Omit<OtherRun, 'folder' | 'outOfScope'> &
  Pick<ReleaseRun, 'labels'> & { readonly run: string; readonly target: Pick<RunTarget, 'urls'> };

type Labels = Release['labels'];

/** Whether a release has a label that says which build it is of. */
export function namesBuild({ labels }: Pick<Release, 'labels'>): boolean {
  return BUILD.some((label) => Object.hasOwn(labels, label));
}

/** Other runs, those that do not conform first; of equal ones the newest. */
export function worstFirst<One extends Pick<OtherRun, 'outcome' | 'startedAt'>>(
  others: readonly One[],
): One[] {
  const rank = ({ outcome }: One): number => WORST.indexOf(outcome);
  const when = ({ startedAt }: One): number => Date.parse(startedAt);
  return others.toSorted((a, b) => rank(a) - rank(b) || when(b) - when(a));
}

const WORST: readonly Outcome[] = ['does-not-conform', 'undecided', 'conforms'];

/** Runs of the build of a release that it does not rest on, by the labels of both; those that failed first. */
export function otherRuns(
  { labels, runs, scope = [] }: Pick<Release, 'labels' | 'runs' | 'scope'>,
  found: readonly Beside[],
): OtherRun[] {
  const own = new Set(runs.map(({ id }) => id));
  const others = found.filter((one) => !own.has(one.id) && isOfBuild(labels, one.labels) === true);
  return worstFirst(others).map(({ id, run: folder, kind, outcome, startedAt, target }) => ({
    ...{ id, folder, kind, outcome, startedAt },
    outOfScope: Object.keys(target.urls).filter((api) => !scope.includes(api)),
  }));
}

/** Folders of runs that were not judged to their end, each with why, in brackets; those of other builds are left out. */
export function unendedRuns(
  { labels }: Pick<Release, 'labels'>,
  found: readonly { readonly run: string; readonly labels: Labels }[],
): string[] {
  const wordsOf = (isOf: boolean | undefined, words: string): string[] =>
    found
      .filter((one) => isOfBuild(labels, one.labels) === isOf)
      .map(({ run }) => `${run} (${words}: \`assay judge\` with it judges it)`);
  return [
    ...wordsOf(true, 'of this build, and not judged to its end'),
    ...wordsOf(undefined, 'it does not name its build, and is not judged to its end'),
  ];
}

/** Whether a run with some labels is of the build that others name; undefined if it names none. */
function isOfBuild(labels: Labels, other: Labels): boolean | undefined {
  const shared = BUILD.filter(
    (label) => Object.hasOwn(labels, label) && Object.hasOwn(other, label),
  );
  if (shared.length === 0) return undefined;
  return shared.every((label) => labels[label] === other[label]);
}

/** Names of files of a record begin with its id. */
const FIT_ID = /^[\w-]{1,64}$/;

/** Why a run is no evidence for a release, as a clause after its name; undefined if it is. */
export function unfitness({
  complete,
  record,
  failure,
  replay,
  load,
  unjudged,
}: RunJson): string | undefined {
  if (failure !== undefined) return `is of a run in which Assay itself failed: ${failure}`;
  if (replay !== undefined) return 'shows one finding again, which says nothing of the other rules';
  if (unjudged !== undefined)
    return 'was not judged to its end by its run; `assay judge` with this folder judges all that it holds';
  if (!complete || record.head === undefined)
    return 'is of a run that did not come to its end, so nobody knows what it would have found';
  if (load?.part !== undefined)
    return `is part ${load.part.index} of ${load.part.of} of a load run; merge the parts first`;
  return FIT_ID.test(record.id) ? undefined : 'has an id that no run of Assay has';
}

/**
 * Why a release cannot be made of these runs, or was not, as sentences: they say that they are of another one, or
 * ended after it was certified.
 */
export function untimely(
  { release, issuedAt }: Pick<Release, 'release' | 'issuedAt'>,
  runs: readonly NamedRun[],
): string[] {
  return runs.flatMap(({ name, run: { labels = {}, endedAt } }) => [
    ...(labels.release === undefined || labels.release === release
      ? []
      : [`${name} has the label release ${labels.release}, and the release is ${release}`]),
    ...(Date.parse(endedAt) <= Date.parse(issuedAt)
      ? []
      : [`${name} ended ${endedAt}, after the certificate was issued (${issuedAt})`]),
  ]);
}

/** How runs differ that should be of the same service and the same contract, as sentences. */
export function disagreements(runs: readonly NamedRun[]): string[] {
  const [first, ...others] = runs;
  if (first === undefined) return [];
  const ids = new Map<string, string>();
  const repeated = runs.flatMap(({ name, run: { record } }) => {
    const before = ids.get(record.id);
    ids.set(record.id, name);
    return before === undefined ? [] : [`${before} and ${name} are the same run`];
  });
  const apis = new Set(runs.flatMap(({ run }) => apisOfRun(run)));
  return [
    ...repeated,
    ...others.flatMap((other) => contractFault(first, other)),
    ...others.flatMap((other) => kindFault(first, other)),
    ...[...apis].flatMap((api) => differing(runs, `asked the ${api} API at`, urlsAt(api))),
    ...unlabelled(runs),
    ...OF_THE_BUILD.flatMap((label) =>
      differing(runs, `have the label ${label}`, ({ labels }) => labels?.[label]),
    ),
  ];
}

/** Runs without a label that another one has: nobody knows whether they are of the same build. */
function unlabelled(runs: readonly NamedRun[]): string[] {
  const labels = new Map(
    runs.flatMap(({ name, run }) => Object.keys(run.labels ?? {}).map((label) => [label, name])),
  );
  return [...labels].flatMap(([label, having]) =>
    runs
      .filter(({ run }) => !Object.hasOwn(run.labels ?? {}, label))
      .map(({ name }) => `${name} lacks the label ${label}, which ${having} has`),
  );
}

function contractFault(a: NamedRun, b: NamedRun): string[] {
  const [one, other] = [a.run.contract.sha256, b.run.contract.sha256];
  if (one === other) return [];
  return [
    `${a.name} and ${b.name} were judged by different contracts (${one.slice(0, 12)} and ${other.slice(0, 12)})`,
  ];
}

function kindFault(a: NamedRun, b: NamedRun): string[] {
  const [one, other] = [a.run.target.kind, b.run.target.kind];
  if (one === other) return [];
  const named = one === 'reference' ? a : b;
  return [`${named.name} is of the embedded reference service, and others are not`];
}

/** The embedded service listens on other ports each time. */
function urlsAt(api: ApiName): (run: RunJson) => string | undefined {
  return ({ target: { kind, urls } }) => (kind === 'reference' ? undefined : urls[api]);
}

function differing(
  runs: readonly NamedRun[],
  what: string,
  valueOf: (run: RunJson) => string | undefined,
): string[] {
  const having = runs.filter(({ run }) => valueOf(run) !== undefined);
  const [first] = having;
  const other = having.find(
    ({ run }) => first !== undefined && valueOf(run) !== valueOf(first.run),
  );
  if (first === undefined || other === undefined) return [];
  const [one, another] = [first, other].map(({ run }) => valueOf(run) ?? '');
  return [`${first.name} and ${other.name} ${what} ${one ?? ''} and ${another ?? ''}`];
}
