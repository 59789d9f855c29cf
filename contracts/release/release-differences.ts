/** A certified release against the same records judged now. */

import { kindOf } from './release-runs.ts';
import type { JudgedRun } from './release-outcome.ts';
import type { Release, ReleaseRun } from './release.ts';
import type { Verdict } from '../run/run.ts';

/** A verdict that comes out differently now. */
export interface OtherVerdict {
  readonly rule: string;
  /** The id of the run, and what it was made with. */
  readonly run: Pick<ReleaseRun, 'id' | 'kind'>;
  readonly then: Verdict | null;
  readonly now: Verdict | null;
}

/** In what a certificate and its records differ. */
export interface ReleaseDifferences {
  /** Whether the same code judged both by the same contract: then nothing may differ. */
  readonly isSameJudge: boolean;
  /** Of rules that the certificate knows. */
  readonly verdicts: readonly OtherVerdict[];
  /** Rules that the certificate does not know, and that are broken by its records. */
  readonly newlyBroken: readonly OtherVerdict[];
  /** Rules that the certificate speaks of and nobody brings now: what it says of them is not checked. */
  readonly notAtHand: readonly string[];
  /** What else of the certificate its records do not say, in words. */
  readonly claims: readonly string[];
}

/**
 * @param certified as the certificate says
 * @param now the release that its records make now, of the runs in the same order
 * @param runs the same runs
 * @param equals whether two values of JSON are the same
 */
export function releaseDifferences(
  certified: Release,
  now: Release,
  runs: readonly JudgedRun[],
  equals: (a: unknown, b: unknown) => boolean,
): ReleaseDifferences {
  const isSameTool = certified.tool.sha256 === now.tool.sha256;
  const isSameJudge = isSameTool && certified.contract.sha256 === now.contract.sha256;
  const ofRecords = [now.contract, ...runs.map(({ recorded }) => recorded.contract)];
  const isOfRecords = ofRecords.some(({ sha256 }) => sha256 === certified.contract.sha256);
  const known = new Map(certified.rules.map((rule) => [rule.id, rule]));
  const present = new Map(now.rules.map((rule) => [rule.id, rule]));
  const others = [...new Set([...known.keys(), ...present.keys()])].flatMap((rule) =>
    runs.flatMap(({ judged }, at): OtherVerdict[] => {
      const then = known.get(rule)?.verdicts[at] ?? null;
      const is = present.get(rule)?.verdicts[at] ?? null;
      const run = { id: judged.record.id, kind: kindOf(judged) };
      return then === is ? [] : [{ rule, run, then, now: is }];
    }),
  );
  const notAtHand = rulesNotAtHand(runs);
  const checked = others.filter(({ rule }) => !notAtHand.has(rule));
  const bad: readonly (Verdict | null)[] = ['fail', 'warn'];
  return {
    isSameJudge,
    verdicts: checked.filter(({ rule }) => known.has(rule)),
    newlyBroken: checked.filter((one) => !known.has(one.rule) && bad.includes(one.now)),
    notAtHand: [...notAtHand],
    claims: [
      // The same code takes the contract that is in the records.
      ...(isSameTool && !isOfRecords ? ['contract'] : []),
      ...claimsOf(without(notAtHand, certified), without(notAtHand, now), {
        isSameJudge,
        isWhole: notAtHand.size === 0,
        equals,
      }),
    ],
  };
}

/** Rules that the configuration of a run brought, and that were not at hand when it was judged again. */
function rulesNotAtHand(runs: readonly JudgedRun[]): ReadonlySet<string> {
  const rows = runs.flatMap(({ judged }) => judged.rules);
  return new Set(rows.filter(({ own }) => own === 'not-at-hand').map(({ id }) => id));
}

function without(rules: ReadonlySet<string>, release: Release): Release {
  return {
    ...release,
    rules: release.rules.filter(({ id }) => !rules.has(id)),
    gaps: release.gaps.filter(({ rule }) => !rules.has(rule)),
  };
}

/** What does not depend on who judges must be the same always, and all of it where the judge is. */
function claimsOf(
  certified: Release,
  now: Release,
  {
    isSameJudge,
    isWhole,
    equals,
  }: {
    readonly isSameJudge: boolean;
    /** Whether all rules were judged again: else outcomes may rest on those that were not. */
    readonly isWhole: boolean;
    readonly equals: (a: unknown, b: unknown) => boolean;
  },
): string[] {
  const pairs: readonly (readonly [what: string, a: unknown, b: unknown])[] = [
    ['labels', certified.labels, now.labels],
    ['target', certified.target, now.target],
    ['what was run', certified.runs.map(asRun), now.runs.map(asRun)],
  ];
  const judged: readonly (readonly [what: string, a: unknown, b: unknown])[] = [
    ['tool', certified.tool, now.tool],
    ['contract', certified.contract, now.contract],
    ['settings and figures of runs', certified.runs.map(asMeasured), now.runs.map(asMeasured)],
    ...(isWhole
      ? [
          ['outcomes of runs', certified.runs.map(outcomeOf), now.runs.map(outcomeOf)] as const,
          ['outcome', certified.outcome, now.outcome] as const,
        ]
      : []),
    ['rules', certified.rules, now.rules],
    ['rules that were not reached', certified.gaps, now.gaps],
    ['waivers', certified.waivers, now.waivers],
  ];
  return [...pairs, ...(isSameJudge ? judged : [])]
    .filter(([, a, b]) => !equals(a, b))
    .map(([what]) => what);
}

/** What a run was, apart from how it was judged. */
function asRun(run: ReleaseRun): Partial<ReleaseRun> {
  const { id, startedAt, endedAt, seed, profile, tool, exchanges, head, urls, labels } = run;
  return { id, startedAt, endedAt, seed, profile, tool, exchanges, head, urls, labels };
}

/** All else of a run but what it came to: also what was measured, of load and of limits. */
function asMeasured(run: ReleaseRun): unknown {
  const others = new Set(['outcome', ...Object.keys(asRun(run))]);
  return Object.fromEntries(Object.entries(run).filter(([name]) => !others.has(name)));
}

function outcomeOf({ outcome }: ReleaseRun): string {
  return outcome;
}
