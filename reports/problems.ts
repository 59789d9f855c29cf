import { measuredWords } from '../contracts/run/load/selected-row.ts';
import { fingerprintOf } from '../contracts/compare/fingerprint.ts';
import { brokenThresholds } from '../contracts/run/load/load-outcome.ts';
import type { RunFinding, RunJson, RunRuleRow } from '../contracts/run/run.ts';
import { wholeOutcome } from '../contracts/run/whole-outcome.ts';
import { type BaselineState, baselineStateOf, inOrder } from './baseline-state.ts';
import { causesFirst, isOfOutage } from './causes.ts';
import { intermittentWords, placeWords } from './finding-words.ts';
import { cut, printable } from './text.ts';

/** One thing that a tool for code would show of a run: a finding, or what keeps the run from a verdict. */
export interface Problem {
  /** Id of the rule, or a name of ours: `load.threshold`, `assay.undecided`, `assay.failed`. */
  readonly check: string;
  /** `error` fails the run. */
  readonly level: 'error' | 'warning';
  /** What is wrong, in one sentence without line breaks or controls. */
  readonly words: string;
  /** The same in other runs, whatever the words. */
  readonly fingerprint: string;
  /** Of a broken rule. */
  readonly rule?: RunRuleRow;
  readonly finding?: RunFinding;
  /** Of a finding of a run with a baseline: whether that has it. */
  readonly since?: BaselineState;
  /** Why it is accepted, whose waiver it is and until when; absent if nothing is waived. */
  readonly waived?: string;
}

/** Longer values are cut in words. */
const MAX_CHARACTERS = 400;

/** The problems of a run, the causes first; those that are waived last. */
export function problemsOf(run: RunJson): Problem[] {
  const all = inOrder(run).rules;
  const waived = all.filter(({ verdict }) => verdict === 'waived');
  const rules = causesFirst(all);
  const broken = [
    ...rules.filter((rule) => !isOfOutage(rule)).flatMap((rule) => ofRule(rule, run)),
    ...ofOutage(rules.filter(isOfOutage), run),
  ];
  return [
    ...broken,
    ...ofLoad(run),
    ...ofRun(run, broken),
    ...waived.flatMap((rule) => ofWaived(rule, run)),
  ];
}

function ofRule(rule: RunRuleRow, run: RunJson): Problem[] {
  const isFailing = rule.verdict === 'fail' || run.choice?.failOn === 'should';
  const level = isFailing ? 'error' : 'warning';
  return rule.findings.map((finding) => ({
    ...ofFinding(rule, finding, run),
    level,
    ...(finding.waived === undefined ? {} : { waived: words(finding.waived) }),
  }));
}

/** All that only an outage broke is one problem. */
function ofOutage(rules: readonly RunRuleRow[], run: RunJson): Problem[] {
  if (rules.length === 0) return [];
  const isFailing = run.choice?.failOn === 'should' || rules.some(({ level }) => level === 'must');
  const text = `${rules.length} ${rules.length === 1 ? 'rule is' : 'rules are'} broken by the answers of an outage alone: ${rules.map(({ id }) => id).join(', ')}`;
  return [{ ...own('assay.outage', text), level: isFailing ? 'error' : 'warning' }];
}

function ofWaived(rule: RunRuleRow, run: RunJson): Problem[] {
  const level = rule.level === 'must' ? 'error' : 'warning';
  const reason = rule.reason ?? 'no reason was recorded';
  return rule.findings.map((finding) => ({
    ...{ ...ofFinding(rule, finding, run), level },
    waived: words(finding.waived ?? reason),
  }));
}

function ofFinding(
  rule: RunRuleRow,
  finding: RunFinding,
  { baseline }: RunJson,
): Omit<Problem, 'level'> {
  const { pointer, operation, expected, actual } = finding;
  const at = placeWords(rule, finding);
  const inOperation = pointer === '' || operation === undefined ? '' : ` of ${operation}`;
  const fingerprint = fingerprintOf(rule.id, finding);
  const rate = intermittentWords(finding);
  return {
    check: words(rule.id),
    words: `at ${words(`${at}${inOperation}`)}: expected ${words(expected)}, was ${words(actual)}${rate === undefined ? '' : `; ${rate}`}`,
    fingerprint,
    ...{ rule, finding },
    ...(baseline === undefined ? {} : { since: baselineStateOf(fingerprint, baseline) }),
  };
}

function ofLoad({ load }: RunJson): Problem[] {
  if (load === undefined) return [];
  return brokenThresholds(load).map((one) => ({
    ...own('load.threshold', one.expression, one.expression),
    words: words(`the threshold ${one.expression} of load is broken: ${measuredWords(one)}`),
  }));
}

/** Why there is no verdict, if nothing is broken for certain. */
function ofRun(run: RunJson, broken: readonly Problem[]): Problem[] {
  const { failure, replayed } = run;
  if (failure !== undefined) {
    return [
      own('assay.failed', `Assay itself failed, which says nothing of the target: ${failure}`),
    ];
  }
  if (broken.some(({ level }) => level === 'error')) return [];
  if (replayed !== undefined && replayed.verdict !== 'unclear') return [];
  const { outcome, reasons } = wholeOutcome(run);
  if (outcome !== 'undecided') return [];
  return [own('assay.undecided', `undecided: ${reasons[0] ?? ''}`)];
}

/** A problem that is no finding of a rule; an error, since the run is not green. */
function own(check: string, text: string, kind = ''): Problem {
  const fingerprint = fingerprintOf(check, { pointer: '', operation: kind });
  return { check, level: 'error', words: words(text), fingerprint };
}

function words(text: string): string {
  const wellFormed = text.slice(0, MAX_CHARACTERS * 2).replaceAll(/\p{Surrogate}/gu, '\uFFFD');
  return cut(printable(wellFormed), MAX_CHARACTERS);
}
