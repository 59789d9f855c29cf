/** Whether a finding is new, by the comparison of its run with a baseline; in all formats the same. */

import { fingerprintOf } from '../contracts/compare/fingerprint.ts';
import type { RunJson, RunRuleRow } from '../contracts/run/run.ts';
import type { RunComparison } from '../contracts/run/run-comparison.ts';

/** `still`: the baseline has it as well · `unclear`: nothing can be said of the baseline. */
export type BaselineState = 'new' | 'still' | 'unclear';

/**
 * What became of a finding, by its fingerprint. The lists of a comparison are bounded: what stands in none
 * of them is of the one that is not whole, if that is one alone.
 */
export function baselineStateOf(
  fingerprint: string,
  { findings: { fresh, still, open } }: RunComparison,
): BaselineState {
  const isIn = ({ rows }: typeof fresh): boolean =>
    rows.some((row) => row.fingerprint === fingerprint);
  if (isIn(still)) return 'still';
  if (isIn(fresh)) return 'new';
  if (isIn(open) || open.more > 0) return 'unclear';
  if (still.more > 0 && fresh.more === 0) return 'still';
  return fresh.more > 0 && still.more === 0 ? 'new' : 'unclear';
}

/** What became of a broken rule: new where any of its findings is; undefined without a baseline. */
export function ruleStateOf(
  { id, findings }: Pick<RunRuleRow, 'id' | 'findings'>,
  { baseline }: Pick<RunJson, 'baseline'>,
): BaselineState | undefined {
  if (baseline === undefined || findings.length === 0) return undefined;
  const states = new Set(
    findings.map((finding) => baselineStateOf(fingerprintOf(id, finding), baseline)),
  );
  return (['new', 'unclear', 'still'] as const).find((state) => states.has(state));
}

/** A state in words that fit into a sentence; undefined without a baseline. */
export function stateWords(
  state: BaselineState | undefined,
  { baseline }: Pick<RunJson, 'baseline'>,
): string | undefined {
  if (baseline === undefined || state === undefined) return undefined;
  const isBeside = baseline.base.beside !== undefined;
  return {
    new: isBeside ? 'not in the baseline' : 'new since the baseline',
    still: 'in the baseline as well',
    unclear: isBeside
      ? 'whether the baseline has it is not known'
      : 'whether it is new since the baseline is not known',
  }[state];
}

/** What was known of a finding before its run, in words that fit into a sentence. */
export function findingState(
  fingerprint: string,
  { baseline, known }: Pick<RunJson, 'baseline' | 'known'>,
): string | undefined {
  const state = baseline === undefined ? undefined : baselineStateOf(fingerprint, baseline);
  const since = stateWords(state, baseline === undefined ? {} : { baseline });
  return joined([knownState(fingerprint, known), since]);
}

/** The same of a broken rule; new where any of its findings is. */
export function ruleState(
  rule: Pick<RunRuleRow, 'id' | 'findings'>,
  run: Pick<RunJson, 'baseline' | 'known'>,
): string | undefined {
  const states = rule.findings.map((one) => knownState(fingerprintOf(rule.id, one), run.known));
  const isNew = (state: string | undefined): boolean => state?.startsWith('new') === true;
  return joined([states.find(isNew) ?? states[0], stateWords(ruleStateOf(rule, run), run)]);
}

/** A run whose findings have the order in which they are shown: what is neither waived nor known leads in each rule. */
export function inOrder<Run extends Pick<RunJson, 'known' | 'rules'>>(run: Run): Run {
  const { known } = run;
  const isAccepted = (id: string, finding: RunRuleRow['findings'][number]): boolean =>
    finding.waived !== undefined ||
    (known !== undefined && Object.hasOwn(known.known, fingerprintOf(id, finding)));
  const rules = run.rules.map((rule): RunRuleRow => {
    const accepted = rule.findings.filter((one) => isAccepted(rule.id, one));
    if (accepted.length === 0) return rule;
    return {
      ...rule,
      findings: [...rule.findings.filter((one) => !accepted.includes(one)), ...accepted],
    };
  });
  return { ...run, rules };
}

function knownState(fingerprint: string, known: RunJson['known']): string | undefined {
  if (known === undefined) return undefined;
  const { known: since, fresh } = known;
  if (Object.hasOwn(since, fingerprint)) return `known since ${since[fingerprint] ?? ''}`;
  if (!Object.hasOwn(fresh, fingerprint)) return undefined;
  return fresh[fingerprint] === 'more-often'
    ? 'new, as it shows more often than is known'
    : 'new, not among what is known';
}

function joined(states: readonly (string | undefined)[]): string | undefined {
  const said = states.filter((state) => state !== undefined);
  return said.length === 0 ? undefined : said.join(', ');
}
