/** A certified release against the same records judged now. */

import { kindOf } from './release-runs.ts';
import type { JudgedRun } from './release-outcome.ts';
import type { Release, ReleaseRun } from './release.ts';
import type { Verdict } from '../run/run.ts';

/** A verdict that comes out otherwise now. */
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
  const isSameJudge =
    certified.tool.sha256 === now.tool.sha256 && certified.contract.sha256 === now.contract.sha256;
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
  const bad: readonly (Verdict | null)[] = ['fail', 'warn'];
  return {
    isSameJudge,
    verdicts: others.filter(({ rule }) => known.has(rule)),
    newlyBroken: others.filter((one) => !known.has(one.rule) && bad.includes(one.now)),
    claims: claimsOf(certified, now, isSameJudge, equals),
  };
}

/** What does not depend on who judges must be the same always, and all of it where the judge is. */
function claimsOf(
  certified: Release,
  now: Release,
  isSameJudge: boolean,
  equals: (a: unknown, b: unknown) => boolean,
): string[] {
  const pairs: readonly (readonly [what: string, a: unknown, b: unknown])[] = [
    ['labels', certified.labels, now.labels],
    ['target', certified.target, now.target],
    ['what was run', certified.runs.map(asRun), now.runs.map(asRun)],
  ];
  const judged: readonly (readonly [what: string, a: unknown, b: unknown])[] = [
    ['contract', certified.contract, now.contract],
    ['outcomes of runs', certified.runs.map(outcome), now.runs.map(outcome)],
    ['outcome', certified.outcome, now.outcome],
    ['rules', certified.rules, now.rules],
    ['rules that were not reached', certified.gaps, now.gaps],
    ['waivers', certified.waivers, now.waivers],
  ];
  return [...pairs, ...(isSameJudge ? judged : [])]
    .filter(([, a, b]) => !equals(a, b))
    .map(([what]) => what);
}

/** What a run was, apart from how it was judged. */
function asRun(run: ReleaseRun): unknown {
  const { id, startedAt, endedAt, seed, profile, tool, exchanges, head, urls, labels } = run;
  return { id, startedAt, endedAt, seed, profile, tool, exchanges, head, urls, labels };
}

function outcome(run: ReleaseRun): unknown {
  return [run.outcome, run.kind, run.requests, run.credentials, run.choice, run.load];
}
