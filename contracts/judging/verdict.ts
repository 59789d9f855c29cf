import type { Level, Rule } from './rule.ts';
import type { Accumulator } from './accumulator.ts';
import type { Finding } from './findings/broken-places.ts';
import type { JudgedAt, Rate } from './findings/pieces.ts';

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
  /** How often it was judged broken, of how often it was judged outside of outages; absent if not known. */
  readonly rate?: Rate;
  /** How often it was judged, by operation, outside of outages; absent if not known. */
  readonly judgedAt?: readonly JudgedAt[];
  /** Answers that took too much to be judged; absent if none did. */
  readonly unjudged?: number;
  /** The name of a variable that stands where the rule would be broken, and what follows; absent if none does. */
  readonly replaced?: string;
  readonly findings: readonly Finding[];
  /** Whether what was broken was so only where nothing was served, so that it is not reached. */
  readonly isSetAside?: true;
  /** Why there is no pass or fail, whose waiver it is, or what the verdict does not rest on. */
  readonly reason?: string;
}

/** A known failure that is accepted for a while. */
export interface Waiver {
  readonly rule: string;
  /** Of the contract: it accepts what is broken there alone; wherever the rule is broken when absent. */
  readonly operation?: string;
  readonly reason: string;
  readonly owner: string;
  /** Last day on which it holds, `YYYY-MM-DD`. */
  readonly expires: string;
}

/** Whether a waiver of its rule accepts a finding on a day, `YYYY-MM-DD`. */
export function accepts(
  { operation, expires }: Waiver,
  finding: Pick<Finding, 'operation'>,
  today: string,
): boolean {
  return today <= expires && isOn(operation, finding);
}

/** Whether a broken rule fails a run, by its level and unless a waiver accepts it wherever it is broken. */
export function failsRun(
  { id, level }: Pick<Rule, 'id' | 'level'>,
  failOn: Level,
  waivers: readonly Waiver[],
  today: string,
): boolean {
  if (level !== 'must' && level !== failOn) return false;
  // What is broken at another operation would not be accepted.
  return !waivers.some(
    ({ rule, operation, expires }) => rule === id && operation === undefined && today <= expires,
  );
}

/** Whether a finding is of an operation; of whichever when that is undefined. */
export function isOn(operation: string | undefined, finding: Pick<Finding, 'operation'>): boolean {
  return operation === undefined || operation === finding.operation;
}

/**
 * The verdict on a rule and what it rests on.
 *
 * @param accumulator with the facts of a run rule concluded
 * @param waivers of this rule
 * @param today `YYYY-MM-DD`; a waiver that expired before it no longer holds
 */
export function resultOf(
  accumulator: Accumulator,
  waivers: readonly Waiver[],
  today: string,
): RuleResult {
  const { rule, unkept, unjudged, replaced } = accumulator;
  const found = accumulator.findings();
  const {
    findings,
    reasoned: [verdict, why],
  } =
    found.length > 0
      ? broken(rule, found, waivers, today)
      : {
          findings: found,
          reasoned:
            accumulator.crash === undefined
              ? verdictOfUnbroken(accumulator)
              : (['inconclusive', accumulator.crash] as const),
        };
  const reasons = [
    why,
    unkept === 0 ? undefined : reasonUnkept(unkept),
    unjudged === 0 ? undefined : reasonUnjudged(unjudged),
    replaced === undefined
      ? undefined
      : `in ${replaced.times} ${replaced.times === 1 ? 'place' : 'places'} Assay had replaced a secret, so nothing is known of what was there`,
  ].filter((one) => one !== undefined);
  const reason = reasons.length === 0 ? undefined : reasons.join('; ');
  const { evidence, inconclusive, rate, judgedAt } = accumulator;
  const open = {
    ...(rate === undefined ? {} : { rate }),
    ...(judgedAt === undefined ? {} : { judgedAt }),
    ...(unjudged === 0 ? {} : { unjudged }),
    ...(replaced === undefined ? {} : { replaced: replaced.named }),
  };
  const result = { rule, verdict, evidence, inconclusive, ...open, findings };
  return reason === undefined ? result : { ...result, reason };
}

type Reasoned = readonly [verdict: Verdict, reason?: string];

/** A rule is waived if each of its findings is accepted. Each says by what, unless one waiver accepts them all. */
function broken(
  { level }: Rule,
  found: readonly Finding[],
  waivers: readonly Waiver[],
  today: string,
): { readonly findings: readonly Finding[]; readonly reasoned: Reasoned } {
  const findings = found.map((finding): Finding => {
    const waiver = waivers.find((one) => accepts(one, finding, today));
    return waiver === undefined ? finding : { ...finding, waived: acceptedWords(waiver) };
  });
  if (findings.every(({ waived }) => waived !== undefined)) {
    const reasons = new Set(findings.map(({ waived }) => waived));
    const reasoned = ['waived', [...reasons].join('; ')] as const;
    return { findings: reasons.size === 1 ? found : findings, reasoned };
  }
  const expired = waivers
    .filter(
      ({ operation, expires }) => expires < today && findings.some((one) => isOn(operation, one)),
    )
    .map(({ owner, expires, reason }) => `the waiver of ${owner} expired on ${expires}: ${reason}`);
  const verdict = brokenVerdict(level);
  return { findings, reasoned: expired.length === 0 ? [verdict] : [verdict, expired.join('; ')] };
}

function acceptedWords({ owner, expires, reason }: Waiver): string {
  return `${reason} (${owner}, until ${expires})`;
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
      : (whyNothing ?? `in ${inconclusive} comparisons the service's answers moved meanwhile`);
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
