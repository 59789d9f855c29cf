/** Long because each part of what runs say together of a release takes the same rows of rules. */

import { brokenThresholds } from '../run/load/load-outcome.ts';
import type { LatencySummary, RunLoad } from '../run/load/load-run.ts';
import type {
  KnownRule,
  Release,
  ReleaseFigures,
  ReleaseGap,
  ReleaseRule,
  ReleaseRun,
} from './release.ts';
import type { ApiName } from '../wire/exchange.ts';
import { given } from '../wire/json.ts';
import { kindOf } from './release-runs.ts';
import type { Level } from '../judging/rule.ts';
import { limitFigures } from '../run/run-limits.ts';
import type { Outcome, RunJson, RunKind, RunRuleRow, RunTarget, Verdict } from '../run/run.ts';
import { accepts, type Waiver } from '../judging/verdict.ts';
import { apisOfRun } from '../run/apis-of-run.ts';
import { wholeOutcome } from '../run/whole-outcome.ts';

/** A run as it was recorded, and as its record was judged when the release was made. */
export interface JudgedRun {
  readonly recorded: RunJson;
  readonly judged: RunJson;
}

/** What a release is made of. */
export interface ReleaseFacts {
  readonly release: string;
  /** Date and time of RFC 3339. */
  readonly issuedAt: string;
  /** Of the same contract and the same target, one at least. */
  readonly runs: readonly [JudgedRun, ...JudgedRun[]];
  /** All rules that a release is held to. */
  readonly known: readonly KnownRule[];
  /** The APIs that it speaks of. Absent, all is said as certificates of version 1 do. */
  readonly scope?: readonly ApiName[];
}

/** Of the verdicts of several runs the first of these is that of the rule: the worst, then the best known. */
const STRONGEST: readonly Verdict[] = [
  'fail',
  'warn',
  'waived',
  'pass',
  'observed',
  'inconclusive',
  'not-reached',
];

/**
 * What runs come to together: it conforms when every run does and no must rule is left of which nothing
 * is known, unless a waiver accepts that.
 */
export function releaseOf({ release, issuedAt, runs, known, scope }: ReleaseFacts): Release {
  const [{ judged: first }] = runs;
  const judged = runs.map((run) => run.judged);
  const rules = rulesOf(judged, known, scope);
  const waivers = distinct(judged.flatMap((run) => run.waivers ?? []));
  const day = issuedAt.slice(0, 10);
  const gaps = rules.flatMap((rule) => gapOf(rule, judged, known, waivers, day) ?? []);
  const rows = runs.map((run) => runRow(run, scope !== undefined));
  const apis = [...new Set(judged.flatMap(({ target }) => target.apis ?? []))];
  const waived = new Set(rules.filter(({ verdict }) => verdict === 'waived').map(({ id }) => id));
  return {
    release,
    issuedAt,
    outcome: outcomeOf(rows, gaps, scope !== undefined),
    tool: first.tool,
    contract: first.contract,
    target: {
      kind: first.target.kind,
      ...(apis.length === 0 ? {} : { apis }),
      urls: Object.assign({}, ...judged.map(({ target }) => target.urls)) as RunTarget['urls'],
    },
    ...(scope === undefined ? {} : { scope }),
    labels: commonLabels(judged),
    runs: rows,
    rules,
    gaps,
    waivers: waivers.filter(
      ({ rule }) => waived.has(rule) || gaps.some((gap) => gap.waiver?.rule === rule),
    ),
  };
}

/** Of version 1, what no run reached counts as broken. */
function outcomeOf(
  runs: readonly ReleaseRun[],
  gaps: readonly ReleaseGap[],
  isScoped: boolean,
): Outcome {
  const open = openGaps({ gaps });
  const isBroken = ({ kind }: ReleaseGap): boolean =>
    isScoped ? kind === 'expired' : kind !== 'inconclusive';
  const has = (outcome: Outcome): boolean => runs.some((run) => run.outcome === outcome);
  if (has('does-not-conform') || open.some(isBroken)) return 'does-not-conform';
  return has('undecided') || open.length > 0 ? 'undecided' : 'conforms';
}

function runRow({ recorded, judged }: JudgedRun, hasFigures: boolean): ReleaseRun {
  const { startedAt, endedAt, seed, profile, target, record, counts, load, choice } = judged;
  return {
    id: record.id,
    kind: kindOf(judged),
    outcome: wholeOutcome(judged).outcome,
    ...{ startedAt, endedAt, seed, profile },
    tool: recorded.tool,
    requests: counts.requests,
    exchanges: record.exchanges ?? 0,
    head: record.head ?? '',
    urls: target.urls,
    credentials: target.credentials,
    labels: judged.labels ?? {},
    ...(choice === undefined ? {} : { choice }),
    ...(load === undefined
      ? {}
      : {
          load: {
            scenario: load.scenario,
            broken: brokenThresholds(load).map(({ expression }) => expression),
            invalid: load.invalid,
            ...(hasFigures ? { figures: figuresOf(load) } : {}),
          },
        }),
    ...(hasFigures && judged.limits.length > 0 ? { limits: judged.limits.map(limitFigures) } : {}),
  };
}

function figuresOf({ whole, steps, thresholds }: RunLoad): ReleaseFigures {
  const { sent, served, errors, throttled } = whole.counts;
  // Records of earlier versions have zeros for latencies of no answer.
  const { p50Ms, p95Ms, p99Ms }: Partial<LatencySummary> =
    whole.latency.count === 0 ? {} : whole.latency;
  const held = thresholds.filter((one) => one.held).map(({ expression }) => expression);
  const seconds = steps.reduce((sum, step) => sum + step.seconds, 0);
  return { sent, served, errors, throttled, seconds, ...given({ p50Ms, p95Ms, p99Ms }), held };
}

/** The rules that a release speaks of: those of its scope, and what its runs found broken out of it. */
function rulesOf(
  judged: readonly RunJson[],
  known: readonly KnownRule[],
  scope: readonly ApiName[] | undefined,
): ReleaseRule[] {
  const byId = judged.map(({ rules }) => new Map(rules.map((row) => [row.id, row])));
  const stated = new Map(known.map((rule) => [rule.id, rule]));
  const ids = new Set([...stated.keys(), ...byId.flatMap((rows) => [...rows.keys()])]);
  return [...ids].flatMap((id) => {
    const rows = byId.map((run) => run.get(id));
    const found = rows.filter((row) => row !== undefined);
    const verdicts = rows.map((row) => row?.verdict ?? null);
    const verdict = STRONGEST.find((one) => verdicts.includes(one)) ?? null;
    const api = found[0]?.api ?? stated.get(id)?.api;
    const isOutside = scope !== undefined && api !== undefined && !scope.includes(api);
    if (isOutside && verdict !== 'fail' && verdict !== 'warn') return [];
    return {
      id,
      level: levelOf(found, stated.get(id)),
      source: found[0]?.source ?? stated.get(id)?.source ?? '',
      verdict,
      evidence: found.reduce((sum, { evidence }) => sum + evidence, 0),
      verdicts,
    };
  });
}

/** The strictest of the runs; the rule's own if no run judged it. */
function levelOf(rows: readonly RunRuleRow[], known: KnownRule | undefined): Level {
  const levels = rows.length > 0 ? rows.map(({ level }) => level) : [known?.level ?? 'observe'];
  if (levels.includes('must')) return 'must';
  return levels.includes('should') ? 'should' : 'observe';
}

function gapOf(
  { id: rule, level, verdict }: ReleaseRule,
  judged: readonly RunJson[],
  known: readonly KnownRule[],
  waivers: readonly Waiver[],
  day: string,
): ReleaseGap | undefined {
  if (level !== 'must') return undefined;
  const own = waivers.filter((waiver) => waiver.rule === rule);
  // What is not known is not known wherever it is asked.
  const waiver = own.find(({ operation, expires }) => operation === undefined && day <= expires);
  if (verdict === 'waived') {
    const last =
      own
        .map(({ expires }) => expires)
        .sort()
        .at(-1) ?? 'another day';
    const reason = `the waiver that accepts that it is broken ended on ${last}`;
    const findings = judged.flatMap(({ rules }) =>
      rules.filter(({ id }) => id === rule).flatMap((row) => row.findings),
    );
    const isAccepted =
      own.some(({ expires }) => day <= expires) &&
      findings.every((finding) => own.some((one) => accepts(one, finding, day)));
    return isAccepted ? undefined : { rule, kind: 'expired', reason };
  }
  if (verdict !== null && verdict !== 'not-reached' && verdict !== 'inconclusive') return undefined;
  return {
    rule,
    kind: verdict === 'inconclusive' ? 'inconclusive' : 'not-reached',
    reason: reasonOf(rule, verdict, judged, known),
    ...(waiver === undefined ? {} : { waiver }),
  };
}

const MADE_BY: Readonly<Record<RunKind, string>> = {
  check: 'no run of `assay check` is among them',
  limits: 'no run of `assay limits` is among them',
  load: 'no run of `assay load` is among them',
};

function reasonOf(
  id: string,
  verdict: Verdict | null,
  judged: readonly RunJson[],
  known: readonly KnownRule[],
): string {
  const kind = known.find((rule) => rule.id === id)?.kind ?? 'check';
  const rows = judged.flatMap((run) =>
    run.rules
      .filter((row) => row.id === id && row.verdict === verdict)
      .map((row) => ({ run, row })),
  );
  // The run that is made for the rule says best what it lacked.
  const reported = rows.find(({ run }) => kindOf(run) === kind) ?? rows[0];
  if (reported !== undefined) {
    const { reason = 'the run does not say why', needs } = reported.row;
    return needs === undefined ? reason : `${reason}; it needs ${needs}`;
  }
  if (judged.every((run) => kindOf(run) !== kind)) return MADE_BY[kind];
  return 'it was left out by --only or --skip';
}

function commonLabels(judged: readonly RunJson[]): Record<string, string> {
  const all = judged.flatMap(({ labels = {} }) => Object.entries(labels));
  return Object.fromEntries(
    all.filter(([key, value]) => all.every(([name, other]) => name !== key || other === value)),
  );
}

function distinct(waivers: readonly Waiver[]): Waiver[] {
  return [...new Map(waivers.map((one) => [JSON.stringify(one), one])).values()];
}

/** Gaps that no waiver accepts. */
export function openGaps({ gaps }: Pick<Release, 'gaps'>): ReleaseGap[] {
  return gaps.filter(({ waiver }) => waiver === undefined);
}

/** The APIs of the service that a release says nothing of. */
export function apisOutOfScope({ target, scope }: Pick<Release, 'target' | 'scope'>): ApiName[] {
  return apisOfRun({ target }).filter((api) => scope?.includes(api) === false);
}
