import type { Clause } from '../contracts/judging/clause.ts';
import { curlOf, quote } from '../contracts/run/curl.ts';
import { omit } from '../contracts/wire/json.ts';
import type { Judge, RuleResult, Verdict, Waiver } from '../contracts/judging/judge.ts';
import type { Observation } from '../contracts/judging/ledger.ts';
import type { LimitMeasurement } from '../contracts/run/load/limit-measurement.ts';
import type { RunLoad } from '../contracts/run/load/load-run.ts';
import type { FailOn, RuleChoice } from '../contracts/judging/rule-choice.ts';
import type {
  Counterexample,
  MeasuredLimit,
  Outcome,
  RegressionRow,
  RuleChoiceRow,
  RunJson,
  RunReplayed,
  RunRuleRow,
  RunSearch,
  RunTarget,
} from '../contracts/run/run.ts';
import type { ApiName } from '../contracts/wire/exchange.ts';
import { apisWithUrl } from '../contracts/run/apis-of-run.ts';
import { needsOf } from './needs.ts';

/** What is known of a run besides its exchanges. */
export interface RunFacts {
  readonly tool: RunJson['tool'];
  readonly startedAt: Date;
  readonly endedAt: Date;
  readonly seed: number;
  readonly profile: RunJson['profile'];
  readonly replay?: string;
  readonly choice: RuleChoice;
  readonly labels: Readonly<Record<string, string>>;
  /** Rules that the choice leaves out, by level. */
  readonly leftOut: RuleChoiceRow['leftOut'];
  readonly target: RunTarget;
  readonly contract: RunJson['contract'];
  readonly record: RunJson['record'];
  readonly waivers: readonly Waiver[];
  /** Which rules its configuration brought. */
  readonly ownRulesRow?: NonNullable<RunJson['ownRules']>;
  /** What the run said of rules that its configuration brought, and that are not at hand any more. */
  readonly notAtHand?: readonly RunRuleRow[];
  /** Whether the run ended before it was through. */
  readonly cutShort: boolean;
  readonly notices: readonly string[];
  /** How Assay itself failed, if it did. */
  readonly failure?: string;
  /** Of the document, to tell with broken rules what they hold. */
  readonly clauses: readonly Clause[];
  /** The rows of the ledger that follow from measured limits. */
  readonly limitLedger: (measurements: readonly LimitMeasurement[]) => readonly Observation[];
  /** The smallest requests found that show broken rules. */
  readonly counterexamples: readonly Counterexample[];
  /** Of a run that looked for rate limits: what it measured. Such a run judges nothing else. */
  readonly limits?: readonly MeasuredLimit[];
  /** Of a load run: what it came to, its answers apart. */
  readonly load?: RunLoad;
  /** What generating until the budget was spent has reached. */
  readonly search?: RunSearch;
  /** The command line that checks the same target, without what a replay adds. */
  readonly command?: string;
  /** Of a replay: what the finding said then, as far as that is told. */
  readonly replayed?: Pick<RunReplayed, 'then'>;
  /** What became of the counterexamples of earlier runs. */
  readonly regressions?: readonly RegressionRow[];
}

/** The whole of `run.json`, from a judge that has seen all exchanges of the run. */
export function runJsonOf(judge: Judge, facts: RunFacts): RunJson {
  const { startedAt, endedAt, tool, seed, profile, replay, command, target, limits } = facts;
  const choice = choiceRow(facts);
  const day = startedAt.toISOString().slice(0, 10);
  const results = judge.results(facts.waivers, day);
  const configured = apisWithUrl({ target });
  const silent = configured.filter((api) => !judge.answeredApis.has(api));
  // A probe of limits may send nothing but what is refused.
  const idle = configured.filter(
    (api) => limits === undefined && !judge.servingApis.has(api) && hasRules(results, api),
  );
  const { counts } = judge;
  const failure = facts.failure ?? failureOf(judge.crashes);
  const replayed = replayedOf(facts, results);
  return {
    schemaVersion: 1,
    tool,
    startedAt: startedAt.toISOString(),
    endedAt: endedAt.toISOString(),
    seed,
    profile,
    ...(replay === undefined ? {} : { replay }),
    ...(replayed === undefined ? {} : { replayed }),
    ...(command === undefined ? {} : { command }),
    ...(choice === undefined ? {} : { choice }),
    ...(facts.ownRulesRow === undefined ? {} : { ownRules: facts.ownRulesRow }),
    ...(Object.keys(facts.labels).length === 0 ? {} : { labels: facts.labels }),
    ...(facts.waivers.length === 0 ? {} : { waivers: facts.waivers }),
    target,
    contract: facts.contract,
    record: facts.record,
    outcome: outcomeOf(
      results,
      // One finding shown again, or not, says little of the service.
      facts.cutShort ||
        failure !== undefined ||
        idle.length > 0 ||
        replay !== undefined ||
        isOwnOpen(facts, judge),
      limits !== undefined,
      facts.choice.failOn,
    ),
    complete: !facts.cutShort,
    ...(failure === undefined ? {} : { failure }),
    counts: { requests: counts.exchanges, ...counts },
    rules: [
      ...results.map((result) => {
        const row = withClauses(rowOf(result, { judge, configured, silent, facts }), facts.clauses);
        const found = facts.counterexamples.find(({ rule }) => rule === row.id);
        return row.findings.length === 0 || found === undefined
          ? row
          : { ...row, counterexample: withCommand(omit(found, 'rule'), facts) };
      }),
      ...(facts.notAtHand ?? []).map(rowNotAtHand),
    ],
    ledger:
      limits === undefined
        ? judge.ledger()
        : facts.limitLedger(limits.map(({ measurement }) => measurement)),
    limits: limits?.map(({ row }) => row) ?? [],
    ...(facts.load === undefined ? {} : { load: facts.load }),
    ...(facts.search === undefined ? {} : { search: facts.search }),
    ...(facts.regressions === undefined ? {} : { regressions: facts.regressions }),
    latencies: judge.latencies(),
    notices: [
      ...(failure === undefined ? [] : [ownFailure(failure)]),
      ...ownNotices(facts, judge),
      ...facts.notices,
      ...(replay === undefined ? idle.filter((api) => !silent.includes(api)).map(idleNotice) : []),
      ...waiverNotices(facts.waivers, results),
    ],
  };
}

/** What became of the finding that a replay was to show again. */
function replayedOf(
  { replay, replayed, cutShort }: RunFacts,
  results: readonly RuleResult[],
): RunReplayed | undefined {
  if (replay === undefined) return undefined;
  const { then } = replayed ?? {};
  const isShown = results.some(({ findings }) => findings.length > 0);
  const verdict = isShown ? 'shown' : cutShort ? 'unclear' : 'not-shown';
  return then === undefined ? { verdict } : { then, verdict };
}

/** A counterexample with the whole line that shows it again, where the run tells how it was begun. */
function withCommand(
  found: Omit<Counterexample, 'rule'>,
  { command, seed, profile }: RunFacts,
): Omit<Counterexample, 'rule'> {
  if (command === undefined) return found;
  const isWhole = found.replay.includes('@requests:');
  // What is met on the way through a run is met again with the same choices alone.
  const depth = profile === 'gate' ? '' : ` --profile ${profile}`;
  const choices = isWhole ? '' : `${depth} --seed ${seed}`;
  return { ...found, command: `${command}${choices} --replay ${quote(found.replay)}` };
}

/** What was chosen of the rules; undefined where all are judged as they are. */
function choiceRow({ choice, leftOut }: RunFacts): RuleChoiceRow | undefined {
  const { only, skip, levels, failOn } = choice;
  const isPlain = [only, skip, levels].every((words) => words.length === 0) && failOn === 'must';
  return isPlain ? undefined : { only, skip, levels, failOn, leftOut };
}

/** A fault of Assay as a sentence on the run. */
export function ownFailure(message: string): string {
  return `Assay itself failed, which says nothing of the target: ${message}`;
}

function failureOf([first, ...more]: readonly string[]): string | undefined {
  if (first === undefined) return undefined;
  return more.length === 0 ? first : `${first}, and ${more.length} more like it`;
}

/** Whether rules of the configuration that could fail the run are without a verdict of their own. */
function isOwnOpen({ notAtHand = [], choice }: RunFacts, { ownCrashes }: Judge): boolean {
  const failing = choice.failOn === 'should' ? ['must', 'should'] : ['must'];
  return ownCrashes.length > 0 || notAtHand.some(({ level }) => failing.includes(level));
}

/** A rule that nobody brings now: what its run said is told, and not believed. */
function rowNotAtHand(row: RunRuleRow): RunRuleRow {
  const { id, level, statedLevel, source, protects, api, verdict } = row;
  return {
    ...{ id, level },
    ...(statedLevel === undefined ? {} : { statedLevel }),
    ...{ source, verdict: 'not-reached', evidence: 0, protects, api },
    ...{ own: 'not-at-hand', findings: [] },
    reason: `it is a rule of the configuration of its run, which is not at hand; its run said ${verdict}`,
  };
}

/** More are counted. */
const MAX_NAMED = 5;

/** What a person must know of rules of the configuration, unless the run told it when it was recorded. */
function ownNotices({ notAtHand = [], notices }: RunFacts, { ownCrashes }: Judge): string[] {
  const more = notAtHand.length > MAX_NAMED ? ` and ${notAtHand.length - MAX_NAMED} more` : '';
  const named = notAtHand.slice(0, MAX_NAMED).map(({ id }) => id);
  const missing = `Not judged again: ${named.join(', ')}${more}. The configuration of the run brought these rules; --config FILE names it.`;
  return [
    ...ownCrashes.map(
      (crash) => `A rule of the configuration failed, which says nothing of the target: ${crash}.`,
    ),
    ...(notAtHand.length === 0 ? [] : [missing]),
  ].filter((notice) => !notices.includes(notice));
}

/** Of an API without promises, as of the AI runtime, no success can be asked for. */
function hasRules(results: readonly RuleResult[], api: ApiName): boolean {
  return results.some(({ rule }) => rule.api === api && rule.level === 'must');
}

/**
 * A broken must decides at once. Without one the run must have been through, and each API have
 * served something: a service that answers nothing but errors proves nothing. A limit that was
 * measured to the end is what its run was for, though no rule may speak of it.
 */
function outcomeOf(
  results: readonly RuleResult[],
  openEnded: boolean,
  wasMeasured: boolean,
  failOn: FailOn,
): Outcome {
  const failing: readonly Verdict[] = failOn === 'should' ? ['fail', 'warn'] : ['fail'];
  if (results.some(({ verdict }) => failing.includes(verdict))) return 'does-not-conform';
  const decided =
    wasMeasured || results.some(({ verdict }) => ['pass', 'warn', 'waived'].includes(verdict));
  return openEnded || !decided ? 'undecided' : 'conforms';
}

/** What a row takes besides the result of its rule. */
interface Judged {
  readonly judge: Judge;
  readonly configured: readonly ApiName[];
  readonly silent: readonly ApiName[];
  readonly facts: Pick<RunFacts, 'target' | 'limits' | 'cutShort'>;
}

function rowOf(result: RuleResult, { judge, configured, silent, facts }: Judged): RunRuleRow {
  const { rule, verdict, evidence, findings } = result;
  const reason = reasonOf(result, configured, silent);
  const whole = facts.cutShort ? 'cut short' : 'whole';
  const probe = facts.limits === undefined ? undefined : whole;
  const needs = verdict === 'not-reached' ? needsOf(rule, facts.target, probe) : undefined;
  return {
    id: rule.id,
    level: rule.level,
    ...(rule.statedLevel === undefined ? {} : { statedLevel: rule.statedLevel }),
    source: rule.source,
    verdict,
    evidence,
    protects: rule.protects,
    api: rule.api,
    ...(rule.isOwn === true ? { own: 'judged' as const } : {}),
    findings: findings.map(({ pointer, expected, actual, exchanges, request, count }) => {
      const operation = judge.operationOf(rule.api, request);
      return {
        ...(operation === undefined ? {} : { operation }),
        ...{ pointer, expected, actual, exchanges, curl: curlOf(request), count },
      };
    }),
    ...(reason === undefined ? {} : { reason }),
    ...(needs === undefined ? {} : { needs }),
  };
}

/** A broken rule with what the document says of it, in our words. */
function withClauses(row: RunRuleRow, clauses: readonly Clause[]): RunRuleRow {
  if (row.findings.length === 0) return row;
  const own = clauses.filter(({ rules = [] }) => rules.includes(row.id));
  const reported = own.map(({ section, text }) => `§${section}: ${text}`);
  return reported.length === 0 ? row : { ...row, clauses: reported };
}

function reasonOf(
  { rule, verdict, reason }: RuleResult,
  configured: readonly ApiName[],
  silent: readonly ApiName[],
): string | undefined {
  if (verdict !== 'not-reached') return reason;
  if (!configured.includes(rule.api)) return `the ${rule.api} API is not configured`;
  if (silent.includes(rule.api)) return `the ${rule.api} API gave no response`;
  return reason;
}

function idleNotice(api: ApiName): string {
  return `The ${api} API answered no request with success, so little could be judged. Is its base URL the right one, and no redirect?`;
}

function waiverNotices(waivers: readonly Waiver[], results: readonly RuleResult[]): string[] {
  const known = new Set(results.map(({ rule }) => rule.id));
  return waivers
    .filter(({ rule }) => !known.has(rule))
    .map(({ rule }) => `The waiver for ${rule} names no rule; it has no effect.`);
}
