/** Parts of the report on a release: figures, what changed, other runs, waivers, and who signs it. */

import type { ReleaseChanges } from '../../contracts/release/release-changes.ts';
import { namesBuild, worstFirst } from '../../contracts/release/release-runs.ts';
import type { Release } from '../../contracts/release/release.ts';
import type { Outcome } from '../../contracts/run/run.ts';
import { latencyCell, ms, rate } from '../terminal/load-figures.ts';
import { plural } from '../text.ts';
import { limitWords } from './markdown-parts.ts';
import { codeSpan as code, list, plain, table } from './markdown-text.ts';

/** An outcome in the words of a release page. */
export const OUTCOME_WORDS: Readonly<Record<Outcome, string>> = {
  conforms: 'conforms',
  'does-not-conform': 'does not conform',
  undecided: 'incomplete',
};

/** Names that stand in one line; more are counted. */
const MAX_NAMES = 60;
/** Days that are more say nothing beside the date. */
const DAYS_AHEAD = 366;
const DAY_MS = 86_400_000;

function named(names: readonly string[]): string {
  const more = names.length - MAX_NAMES;
  const shown = names.slice(0, MAX_NAMES).map((name) => code(name));
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more, in the certificate` : ''}`;
}

/** What load and limits came to in figures. */
export function measuredBlocks({ runs }: Release): string[] {
  const loads = runs.flatMap(({ load }) => (load === undefined ? [] : [load]));
  const rows = loads.flatMap(({ scenario, figures, broken }) => {
    if (figures === undefined) return [];
    const { sent, served, errors, throttled, seconds, p50Ms, p95Ms, p99Ms, held } = figures;
    // Certificates of earlier versions have 0 for latencies of no answer.
    const latencies = [p50Ms, p95Ms, p99Ms].map((one) => latencyCell(one === 0 ? undefined : one));
    return [
      [
        ...[plain(scenario), String(sent), seconds > 0 ? rate(served / seconds) : '–'],
        ...[String(errors), String(throttled), ...latencies],
        [...held.map((one) => `${code(one)} held`), ...broken.map((one) => `${code(one)} broken`)]
          .join(', ')
          .replaceAll('|', '\\|'),
      ],
    ];
  });
  const limits = runs.flatMap((run) => run.limits ?? []);
  return [
    ...(rows.length === 0
      ? []
      : [
          table(
            'load|requests|served/s|errors|throttled|p50 ms|p95 ms|p99 ms|thresholds'.split('|'),
            rows,
          ),
        ]),
    ...(limits.length === 0
      ? ['No limits were measured.']
      : [list(limits.map((row) => `limit: ${limitWords(row)}`))]),
  ];
}

/** What changed since an earlier release, a line each. */
export function changeLines(changes: ReleaseChanges): string[] {
  const { scope, rules, waived, noLongerWaived, load, limits } = changes;
  const broken = rules.filter(({ now }) => now === 'fail' || now === 'warn');
  const mended = rules.filter(
    ({ then, now }) => (then === 'fail' || then === 'warn') && now === 'pass',
  );
  const isKnown = (verdict: (typeof rules)[number]['now']): boolean =>
    verdict !== null && verdict !== 'not-reached' && verdict !== 'inconclusive';
  const judged = rules.filter(({ then, now }) => !isKnown(then) && now === 'pass');
  const lost = rules.filter(({ then, now }) => isKnown(then) && !isKnown(now));
  const said = (words: string, ids: readonly string[]): string[] =>
    ids.length === 0 ? [] : [`${words}: ${named(ids)}`];
  const ids = (changed: typeof rules): string[] => changed.map(({ rule }) => rule);
  const lines = [
    ...said('in one scope alone', scope),
    ...(changes.isOtherContract ? ['judged by another contract'] : []),
    ...said('broken now', ids(broken)),
    ...said('holds now', ids(mended)),
    ...said('judged now, and not then', ids(judged)),
    ...said('judged then, and not now', ids(lost)),
    ...said('waived now', waived),
    ...said('no longer waived', noLongerWaived),
    ...load.map(
      ({ of, then, now }) =>
        `load ${plain(of)}: 95th percentile ${now === undefined ? 'not measured' : `${ms(now)} ms`}, then ${then === undefined ? 'not measured' : `${ms(then)} ms`}`,
    ),
    ...limits.map(
      ({ of, then, now }) =>
        `limit ${now === undefined ? `${plain(of)} not measured` : limitWords(now)}; then ${then === undefined ? 'not measured' : limitWords(then)}`,
    ),
  ];
  return lines.length === 0 ? ['nothing in rules, waivers, figures of load or limits'] : lines;
}

/** Runs of the build that the release does not rest on, those that do not conform first. */
export function otherLines(release: Release): string[] {
  if (!namesBuild(release)) return ['not known: the runs have no label of a build, such as commit'];
  const others = worstFirst(release.others ?? []);
  const unread = (release.unread ?? []).map(
    (folder) => `${plain(folder)}: **not known** what came of it`,
  );
  if (others.length + unread.length === 0) return ['none beside the given records'];
  return [
    ...others.map(
      ({ folder, kind, outcome, startedAt, outOfScope }) =>
        `${code(folder)} (${kind} of ${startedAt}): **${OUTCOME_WORDS[outcome]}**${outOfScope.length === 0 ? '' : `; it drove out of scope: ${outOfScope.join(', ')}`}`,
    ),
    ...unread,
  ];
}

/** *Should* rules that no run judged, by name. */
export function unjudgedShoulds({ rules }: Release): string {
  const open = rules.filter(
    ({ level, verdict }) =>
      level === 'should' &&
      (verdict === null || verdict === 'not-reached' || verdict === 'inconclusive'),
  );
  if (open.length === 0) return 'All *should* rules of the scope were judged.';
  return `${plural(open.length, 'rule')}: ${named(open.map(({ id }) => id))}.`;
}

/** Waivers with their days, and what each accepts. */
export function waiverLines({ waivers, gaps, issuedAt }: Release): string[] {
  const today = Date.parse(issuedAt.slice(0, 10));
  return waivers.map(({ rule, reason, owner, expires, ...waiver }) => {
    const gap = gaps.find((one) => one.rule === rule && one.waiver !== undefined);
    const left = Math.round((Date.parse(expires) - today) / DAY_MS);
    const ahead = left > DAYS_AHEAD ? '' : `, ${plural(left, 'day')} left`;
    const days = left < 0 ? ', expired' : left === 0 ? ', its last day' : ahead;
    const what = gap === undefined ? '' : ` (${gap.kind}, waived)`;
    const operation = 'operation' in waiver ? ` on ${code(waiver.operation ?? '')}` : '';
    return `${code(rule)}${operation}${what}: ${plain(reason)} (${plain(owner)}, until ${plain(expires)}${days})`;
  });
}

/** Lines to be filled in by whoever approves the release. */
export const APPROVERS: string = table(
  ['approved by', 'role', 'date', 'signature'],
  Array.from({ length: 3 }, () => [' ', ' ', ' ', ' ']),
);
