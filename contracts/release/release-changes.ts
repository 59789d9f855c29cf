/** What changed between two releases, for a person. No verdict rests on it. */

import { apiOf } from '../wire/exchange.ts';
import type { LimitFigures } from '../run/run-limits.ts';
import type { Release, ReleaseRule, ReleaseRun } from './release.ts';

/** A rule whose verdict over all runs became another. */
export interface ChangedRule {
  readonly rule: string;
  readonly then: ReleaseRule['verdict'];
  readonly now: ReleaseRule['verdict'];
}

/** A figure of both releases: what it is of, and what it was and is. */
export interface ChangedFigure<T> {
  readonly of: string;
  readonly then?: T;
  readonly now?: T;
}

/** What changed since an earlier release. */
export interface ReleaseChanges {
  readonly then: Pick<Release, 'release' | 'issuedAt' | 'outcome'>;
  /** APIs that are in one scope alone. */
  readonly scope: readonly string[];
  readonly isOtherContract: boolean;
  readonly rules: readonly ChangedRule[];
  /** Rules with a waiver of theirs that is new, and with one that is gone. */
  readonly waived: readonly string[];
  readonly noLongerWaived: readonly string[];
  /** By scenario, if both have figures: the 95th percentile in ms. */
  readonly load: readonly ChangedFigure<number>[];
  readonly limits: readonly ChangedFigure<LimitFigures>[];
}

/** What changed between two releases. */
export function releaseChanges(then: Release, now: Release): ReleaseChanges {
  const before = new Map(then.rules.map(({ id, verdict }) => [id, verdict]));
  const after = new Map(now.rules.map(({ id, verdict }) => [id, verdict]));
  const [had, has] = [then, now].map(({ waivers }) => new Set(waivers.map(({ rule }) => rule)));
  const [was, is] = [new Set(then.scope ?? then.target.apis), new Set(now.scope)];
  const { release, issuedAt, outcome } = then;
  const scope = [...new Set([...was, ...is])].filter((api) => was.has(api) !== is.has(api));
  // That an API is in one scope alone is said once, and not of each of its rules.
  const isCompared = (rule: string): boolean =>
    (before.has(rule) && after.has(rule)) || !scope.includes(apiOf(rule));
  return {
    then: { release, issuedAt, outcome },
    scope,
    isOtherContract: then.contract.sha256 !== now.contract.sha256,
    rules: [...new Set([...before.keys(), ...after.keys()])].flatMap((rule) => {
      const change = { rule, then: before.get(rule) ?? null, now: after.get(rule) ?? null };
      return change.then === change.now || !isCompared(rule) ? [] : [change];
    }),
    waived: [...(has ?? [])].filter((rule) => had?.has(rule) !== true),
    noLongerWaived: [...(had ?? [])].filter((rule) => has?.has(rule) !== true),
    load: figures(then, now, ({ load }) => {
      const { p95Ms = 0 } = load?.figures ?? {};
      return load === undefined || p95Ms === 0 ? [] : [[load.scenario, p95Ms]];
    }),
    limits: figures(then, now, ({ limits = [] }) =>
      limits.map((row) => [`${row.api} ${row.scope}`, row]),
    ),
  };
}

function figures<T>(
  then: Release,
  now: Release,
  of: (run: ReleaseRun) => (readonly [key: string, value: T])[],
): ChangedFigure<T>[] {
  const [before, after] = [then, now].map(({ runs }) => new Map(runs.flatMap(of)));
  return [...new Set([...(before?.keys() ?? []), ...(after?.keys() ?? [])])].flatMap((key) => {
    const [was, is] = [before?.get(key), after?.get(key)];
    if (JSON.stringify(was) === JSON.stringify(is)) return [];
    return {
      of: key,
      ...(was === undefined ? {} : { then: was }),
      ...(is === undefined ? {} : { now: is }),
    };
  });
}
