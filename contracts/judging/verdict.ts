import type { Level, Rule } from './rule.ts';
import type { Finding, Accumulator } from './accumulator.ts';

/** What became of a rule in a run. */
export type Verdict =
  'pass' | 'fail' | 'warn' | 'observed' | 'inconclusive' | 'not-reached' | 'waived';

/** A rule with its verdict. */
export interface RuleResult {
  readonly rule: Rule;
  readonly verdict: Verdict;
  /** Exchanges or groups judged. */
  readonly evidence: number;
  readonly inconclusive: number;
  /** Answers that took too much to be judged; absent where none did. */
  readonly unjudged?: number;
  /** The name of a variable that stands where the rule would be broken, and what follows; absent where none does. */
  readonly replaced?: string;
  readonly findings: readonly Finding[];
  /** Why there is no pass or fail, whose waiver it is, or what the verdict does not rest on. */
  readonly reason?: string;
}

/** A known failure that is accepted for a while. */
export interface Waiver {
  readonly rule: string;
  readonly reason: string;
  readonly owner: string;
  /** Last day on which it holds, `YYYY-MM-DD`. */
  readonly expires: string;
}

/**
 * The verdict on a rule and what it rests on.
 *
 * @param accumulator with the facts of a run rule concluded
 * @param waiver of this rule, if there is one
 * @param today `YYYY-MM-DD`; a waiver that expired before it no longer holds
 */
export function resultOf(
  accumulator: Accumulator,
  waiver: Waiver | undefined,
  today: string,
): RuleResult {
  const { rule, unkept, unjudged, replaced } = accumulator;
  const findings = accumulator.findings();
  const [verdict, why] =
    findings.length > 0
      ? verdictOfBroken(rule, waiver, today)
      : accumulator.crash === undefined
        ? verdictOfUnbroken(accumulator)
        : (['inconclusive', accumulator.crash] as const);
  const reasons = [
    why,
    unkept === 0 ? undefined : reasonUnkept(unkept),
    unjudged === 0 ? undefined : reasonUnjudged(unjudged),
    replaced === undefined
      ? undefined
      : `in ${replaced.times} ${replaced.times === 1 ? 'place' : 'places'} Assay had replaced a secret, so nothing is known of what was there`,
  ].filter((one) => one !== undefined);
  const reason = reasons.length === 0 ? undefined : reasons.join('; ');
  const { evidence, inconclusive } = accumulator;
  const open = {
    ...(unjudged === 0 ? {} : { unjudged }),
    ...(replaced === undefined ? {} : { replaced: replaced.named }),
  };
  const result = { rule, verdict, evidence, inconclusive, ...open, findings };
  return reason === undefined ? result : { ...result, reason };
}

type Reasoned = readonly [verdict: Verdict, reason?: string];

function verdictOfBroken({ level }: Rule, waiver: Waiver | undefined, today: string): Reasoned {
  if (waiver === undefined) return [brokenVerdict(level)];
  const { owner, expires, reason } = waiver;
  if (today <= expires) return ['waived', `${reason} (${owner}, until ${expires})`];
  return [brokenVerdict(level), `the waiver of ${owner} expired on ${expires}: ${reason}`];
}

function verdictOfUnbroken({
  rule,
  evidence,
  inconclusive,
  unjudged,
  replaced,
  whyNothing,
}: Accumulator): Reasoned {
  if (replaced !== undefined) return ['inconclusive'];
  if (evidence >= rule.leastEvidence) return [rule.level === 'observe' ? 'observed' : 'pass'];
  if (inconclusive === 0 && unjudged > 0) return ['inconclusive'];
  if (inconclusive === 0) return ['not-reached', reasonNotReached(evidence, rule, whyNothing)];
  // Rules on what was measured compare no answers.
  const reason =
    rule.answer === 'throttled'
      ? 'what was measured does not decide it'
      : `in ${inconclusive} comparisons the service's answers moved meanwhile`;
  return ['inconclusive', reason];
}

function brokenVerdict(level: Level): Verdict {
  return level === 'must' ? 'fail' : level === 'should' ? 'warn' : 'observed';
}

function reasonUnkept(unkept: number): string {
  return `answers of the run were too many or too large to be kept: ${unkept} were not compared`;
}

function reasonUnjudged(unjudged: number): string {
  return `${unjudged} of the answers took too much to be judged, as JSON or by their schema`;
}

function reasonNotReached(
  evidence: number,
  rule: Rule,
  whyNothing = 'no exchange of the run shows it',
): string {
  return evidence === 0
    ? whyNothing
    : `${evidence} of the ${rule.leastEvidence} pieces of evidence that it needs`;
}
