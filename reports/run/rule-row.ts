/** The row of a rule in `run.json`: its verdict, what shows it, and why there is none. */

import type { Clause } from '../../contracts/judging/clause.ts';
import type { Judge, RuleResult } from '../../contracts/judging/judge.ts';
import { curlOf, quote } from '../../contracts/run/curl.ts';
import type { Counterexample, RunRuleRow } from '../../contracts/run/run.ts';
import type { ApiName } from '../../contracts/wire/exchange.ts';
import { given, omit } from '../../contracts/wire/json.ts';
import { needsOf } from './needs.ts';
import type { RunFacts } from './run-facts.ts';

/** What a row takes besides the result of its rule. */
export interface Judged {
  readonly judge: Judge;
  readonly configured: readonly ApiName[];
  /** Those of them that gave no response. */
  readonly silent: readonly ApiName[];
  readonly facts: RunFacts;
}

/** What became of a rule, with the clauses that it holds and the smallest requests that show it broken. */
export function ruleRow(result: RuleResult, judged: Judged): RunRuleRow {
  const { facts } = judged;
  const row = withClauses(rowOf(result, judged), facts.clauses);
  const found = facts.counterexamples.find(({ rule }) => rule === row.id);
  return row.findings.length === 0 || found === undefined
    ? row
    : { ...row, counterexample: withCommand(omit(found, 'rule'), facts) };
}

function rowOf(result: RuleResult, judged: Judged): RunRuleRow {
  const { configured, facts } = judged;
  const { rule, verdict, evidence, findings } = result;
  const reason = reasonOf(result, judged);
  const whole = facts.cutShort ? 'cut short' : 'whole';
  const probe = facts.limits === undefined ? undefined : whole;
  const isOpen = facts.notJudged !== undefined && configured.includes(rule.api);
  // What holds in all of its evidence is known by the evidence.
  const isPlain = result.rate?.broken === 0 && result.rate.judged === evidence;
  const needs =
    verdict === 'not-reached' && !isOpen
      ? needsOf(rule, facts.target, probe, (judged.judge.counts.nodes ?? 0) > 0)
      : undefined;
  return {
    id: rule.id,
    level: rule.level,
    ...(rule.statedLevel === undefined ? {} : { statedLevel: rule.statedLevel }),
    source: rule.source,
    verdict,
    evidence,
    ...(isPlain ? {} : given({ rate: result.rate })),
    ...(result.judgedAt?.length ? { judgedAt: result.judgedAt } : {}),
    protects: rule.protects,
    api: rule.api,
    ...(rule.isOwn === true ? { own: 'judged' as const } : {}),
    findings: findings.map(({ operation, request, ...found }) => {
      const { pointer, expected, actual, exchanges, count } = found;
      const { rate, share, further, isOfOutage, waived } = found;
      return {
        ...given({ operation }),
        ...{ pointer, expected, actual, exchanges, curl: curlOf(request), count },
        ...given({ rate, share, further, isOfOutage, waived }),
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
  { rule, verdict, evidence, reason }: RuleResult,
  { judge, configured, silent, facts: { notJudged } }: Judged,
): string | undefined {
  if (verdict !== 'not-reached') return reason;
  if (!configured.includes(rule.api)) return `the ${rule.api} API is not configured`;
  if (notJudged !== undefined) return notJudged;
  if (silent.includes(rule.api)) return `no response of the ${rule.api} API was recorded`;
  const tooLarge = rule.operations === '*' ? 0 : judge.tooLargeOf(rule.operations);
  if (evidence === 0 && tooLarge > 0) {
    const are = tooLarge === 1 ? 'answer was' : 'answers were';
    return `${tooLarge} ${are} larger than --max-body-bytes, and not read`;
  }
  return reason;
}

/** A counterexample with the whole line that shows it again, if the run says how it was begun. */
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

/** A rule that nobody brings now: what its run said is reported, and not believed. */
export function rowNotAtHand(row: RunRuleRow): RunRuleRow {
  const { id, level, statedLevel, source, protects, api, verdict } = row;
  return {
    ...{ id, level },
    ...(statedLevel === undefined ? {} : { statedLevel }),
    ...{ source, verdict: 'not-reached', evidence: 0, protects, api },
    ...{ own: 'not-at-hand', findings: [] },
    reason: `it is a rule of the configuration of its run, which is not at hand; its run said ${verdict}`,
  };
}
