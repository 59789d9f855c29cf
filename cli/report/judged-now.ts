/** What `assay verify` says of a release, all of it by its own judging. */

import { apisOutOfScope, openGaps } from '../../contracts/release/release-outcome.ts';
import type { Release } from '../../contracts/release/release.ts';
import { VERDICTS } from '../../contracts/run/run-rules.ts';

/** More are counted. */
const MAX_NAMED = 20;

/**
 * Counts, gaps, target, labels, waivers and levels of a release, a line each.
 *
 * @param today as `2026-12-31`
 */
export function judgedNow(now: Release, today: string): string[] {
  const { runs, rules, target, labels, waivers } = now;
  const exchanges = runs.reduce((sum, run) => sum + run.exchanges, 0);
  const verdicts = [...VERDICTS, null].flatMap((verdict) => {
    const count = rules.filter((rule) => rule.verdict === verdict).length;
    return count === 0 ? [] : [`${count} ${verdict ?? 'not judged'}`];
  });
  const gaps = openGaps(now).map(({ rule, kind }) => `${rule} (${kind})`);
  const urls = Object.entries(target.urls).map(([api, url]) => `${api} ${url}`);
  const levels = runs.flatMap(({ choice }) => choice?.levels ?? []);
  const changed = [...new Set(levels.map(({ rules: words, level }) => `${words} is ${level}`))];
  const chosen = runs.flatMap(({ choice }) => [
    ...(choice?.only ?? []).map((word) => `only ${word}`),
    ...(choice?.skip ?? []).map((word) => `without ${word}`),
  ]);
  const outside = apisOutOfScope(now);
  const isReference = target.kind === 'reference';
  return [
    `Judged now: ${exchanges} exchanges, ${rules.length} rules: ${verdicts.join(', ')}.`,
    `Must rules without a verdict: ${named(gaps)}.`,
    `Target: ${named(urls)}.`,
    `Scope: ${now.scope === undefined ? 'all APIs, as certificates of version 1 have it' : now.scope.join(', ')}${outside.length === 0 ? '' : `; out of scope: ${outside.join(', ')}`}.`,
    `Labels: ${named(Object.entries(labels).map((pair) => pair.join('=')))}.`,
    `Waivers: ${named(waivers.map(({ rule, expires, owner }) => `${rule} until ${expires} (${today > expires ? 'expired today' : 'not expired today'}, ${owner})`))}.`,
    `Changed levels: ${named(changed)}. Rules chosen or left out: ${named([...new Set(chosen)])}.`,
    isReference
      ? 'The embedded reference service of Assay was judged: this says nothing of any other.'
      : 'The service at these URLs was judged, not the embedded reference service of Assay.',
  ];
}

function named(items: readonly string[]): string {
  if (items.length === 0) return 'none';
  const more = items.length - MAX_NAMED;
  return `${items.slice(0, MAX_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
