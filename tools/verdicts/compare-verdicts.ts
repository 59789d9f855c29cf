/** What one rule says of a service. */
export interface RuleVerdict {
  readonly verdict: string;
  readonly level: string;
  /** Exchanges or groups judged. */
  readonly evidence: number;
  /** Fingerprints of what is broken, each once and sorted. */
  readonly findings: readonly string[];
}

/** What all rules say of the clean service, of a fault or of a variant. */
export interface ServiceVerdicts {
  /** `clean`, or the kind and the id: `fault limit-plus-one`. */
  readonly service: string;
  readonly seed: number;
  /** The rule that must catch a fault. */
  readonly breaks?: string;
  readonly exchanges: number;
  readonly rules: Readonly<Record<string, RuleVerdict>>;
}

/**
 * How much must be the same: `verdicts` of each rule and its level, and so the rules that catch a fault; or `full`:
 * the number of exchanges, the evidence and the fingerprints of findings as well.
 */
export type ComparisonMode = 'verdicts' | 'full';

/** Differences between two takes, one line each; services that only one of them has are differences too. */
export function differencesOf(
  before: readonly ServiceVerdicts[],
  after: readonly ServiceVerdicts[],
  mode: ComparisonMode,
): string[] {
  const then = keyed(before);
  const now = keyed(after);
  return [...new Set([...then.keys(), ...now.keys()])].flatMap((name) => {
    const [was, is] = [linesOf(then.get(name), mode), linesOf(now.get(name), mode)];
    return [...new Set([...was.keys(), ...is.keys()])]
      .filter((row) => was.get(row) !== is.get(row))
      .map(
        (row) => `${name} · ${row}: ${was.get(row) ?? 'not there'} → ${is.get(row) ?? 'not there'}`,
      );
  });
}

function keyed(services: readonly ServiceVerdicts[]): Map<string, ServiceVerdicts> {
  return new Map(services.map((one) => [`${one.service}, seed ${one.seed}`, one]));
}

function linesOf(of: ServiceVerdicts | undefined, mode: ComparisonMode): Map<string, string> {
  if (of === undefined) return new Map();
  const rules = Object.entries(of.rules).map(([id, rule]): [string, string] => {
    const { verdict, level, evidence, findings } = rule;
    const more =
      mode === 'full' ? `, ${evidence} judged, findings ${findings.join(' ') || 'none'}` : '';
    return [id, `${verdict} (${level})${more}`];
  });
  const killed = of.breaks === undefined ? [] : [['caught by its rule', caughtBy(of)] as const];
  const sent = mode === 'full' ? [['exchanges', String(of.exchanges)] as const] : [];
  return new Map([['service', 'there'], ...killed, ...sent, ...rules]);
}

function caughtBy({ breaks = '', rules }: ServiceVerdicts): string {
  const verdict = rules[breaks]?.verdict;
  return verdict === 'fail' || verdict === 'warn' ? breaks : 'no';
}
