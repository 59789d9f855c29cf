/** A run as test results of Allure, whoever writes them. */

import type { Label, Link, StatusDetails, TestResult } from 'allure-js-commons';
import { Severity, Stage, Status } from 'allure-js-commons';
import { isIntermittent, type RunJson, type RunRuleRow } from '../../contracts/run/run.ts';
import type { Exchange } from '../../contracts/wire/exchange.ts';
import { inOrder } from '../baseline-state.ts';
import { placeWords } from '../finding-words.ts';
import { requestText, responseText } from './allure-exchange.ts';
import { addressOf, line, lines, paragraphs, shellLine } from './allure-words.ts';
import { detailsOf } from '../junit/junit-text.ts';
import type { ReportSource } from '../source.ts';

/** A file beside a test result: plain text. */
export interface AllureAttachment {
  readonly name: string;
  readonly text: string;
}

/** What Allure is given of a rule, a threshold or a run; times are those of whoever writes it. */
export interface AllureCase {
  /** Id of the rule, or a name of ours: `assay.run`, `load.threshold …`. */
  readonly id: string;
  readonly reported: Pick<
    TestResult,
    | 'name'
    | 'fullName'
    | 'testCaseId'
    | 'titlePath'
    | 'status'
    | 'stage'
    | 'statusDetails'
    | 'labels'
    | 'links'
    | 'parameters'
  > & { readonly description?: string };
  readonly attachments: readonly AllureAttachment[];
}

/** A run among those of one report. */
export interface AllureSource extends Pick<ReportSource, 'run' | 'exchanges'> {
  /** `check`, `limits`, `load`; with a number behind it from the second of a kind on. */
  readonly kind: string;
}

const MAX_CLAUSES = 10;
/** For a shell. */
const MAX_LINES = 50;

/**
 * The rules of a run as test results. `fail` is failed, and `warn` where the run fails on it; else that is
 * passed and names its findings; what was not judged is skipped, with the reason. Rules of an API that
 * is not configured are left out. The id of a rule and the kind of its run are what a test case is known by
 * in later runs; seed and address are not.
 */
export function ruleCases(source: AllureSource): AllureCase[] {
  const run = inOrder(source.run);
  return run.rules
    .filter(({ api, verdict }) => verdict !== 'not-reached' || run.target.urls[api] !== undefined)
    .map((rule) => ruleCase(rule, { ...source, run }));
}

function ruleCase(rule: RunRuleRow, { run, exchanges, kind }: AllureSource): AllureCase {
  const { api, verdict, level, source, clauses = [], protects } = rule;
  const status = statusOf(rule, run);
  const name = line(rule.id);
  return {
    id: rule.id,
    reported: {
      ...{ name, fullName: name, testCaseId: name, status },
      titlePath: [`assay ${kind}`, api, sectionOf(source)],
      stage: status === Status.SKIPPED ? Stage.PENDING : Stage.FINISHED,
      statusDetails: detailsFor(rule, run, status),
      description: paragraphs([protects, ...clauses.slice(0, MAX_CLAUSES)]),
      labels: [
        ...ownLabels(kind),
        ...labels({ epic: api, feature: sectionOf(source), story: rule.id }),
        ...labels({ parentSuite: `assay ${kind}`, suite: api, subSuite: sectionOf(source) }),
        ...labels({ severity: severityOf(rule), tag: verdict, rule: rule.id, level, source }),
        ...labels({ verdict, evidence: String(rule.evidence) }),
        ...clauses.slice(0, MAX_CLAUSES).flatMap((clause) => labels({ clause })),
        ...ownerOf(rule, run),
      ],
      links: linksOf(source),
      parameters: parametersOf(run, kind, run.target.urls[api]),
    },
    attachments: attachmentsOf(rule, exchanges),
  };
}

/** Labels that everything has; none says anything of the machine. */
export function ownLabels(kind: string): Label[] {
  return labels({ framework: 'assay', language: 'http', layer: 'API', run: kind });
}

/** The kind of the run distinguishes test cases; what is excluded does not. */
export function parametersOf(run: RunJson, kind: string, url?: string): TestResult['parameters'] {
  return [
    { name: 'run', value: kind },
    { name: 'seed', value: String(run.seed), excluded: true },
    ...(url === undefined ? [] : [{ name: 'url', value: line(url), excluded: true }]),
  ];
}

/** Labels by their names. */
export function labels(values: Readonly<Record<string, string>>): Label[] {
  return Object.entries(values).map(([name, value]) => ({ name, value: line(value) }));
}

function statusOf({ verdict }: RunRuleRow, { choice }: RunJson): Status {
  switch (verdict) {
    case 'pass':
      return Status.PASSED;
    case 'fail':
      return Status.FAILED;
    case 'warn':
      return choice?.failOn === 'should' ? Status.FAILED : Status.PASSED;
    default:
      return Status.SKIPPED;
  }
}

function detailsFor(rule: RunRuleRow, run: RunJson, status: Status): StatusDetails {
  const { verdict, reason, findings } = rule;
  const [first] = findings;
  const trace = first === undefined ? {} : { trace: lines(detailsOf(rule, run)) };
  if (status === Status.SKIPPED) {
    return { message: line(reason === undefined ? verdict : `${verdict}: ${reason}`), ...trace };
  }
  if (verdict === 'pass') return {};
  if (first === undefined) return { message: line(reason ?? verdict) };
  const { expected, actual } = first;
  return {
    message: line(`${line(placeWords(rule, first), 200)}: expected ${expected}, was ${actual}`),
    ...{ expected: line(expected), actual: line(actual) },
    ...(findings.every(isIntermittent) ? { flaky: true } : {}),
    ...trace,
  };
}

/** What loses money stops a merge. */
function severityOf({ level, source }: RunRuleRow): Severity {
  if (level === 'must') {
    return source.endsWith('(loses money)') ? Severity.BLOCKER : Severity.CRITICAL;
  }
  return level === 'should' ? Severity.NORMAL : Severity.TRIVIAL;
}

/** Where the promise stands, without what its breach does. */
function sectionOf(source: string): string {
  return line(source.slice(0, 200).replace(/ \([^()]*\)$/, ''), 100);
}

function ownerOf({ id, verdict }: RunRuleRow, { waivers = [] }: RunJson): Label[] {
  const owner = waivers.find(({ rule }) => rule === id)?.owner;
  return verdict !== 'waived' || owner === undefined ? [] : labels({ owner });
}

function linksOf(source: string): Link[] {
  const url = addressOf(source);
  return url === undefined ? [] : [{ type: 'link', name: sectionOf(source), url }];
}

/** The smallest requests that show what is broken, and the exchange that does. */
function attachmentsOf(
  { findings, counterexample }: RunRuleRow,
  exchanges: ReadonlyMap<string, Exchange>,
): AllureAttachment[] {
  const [first] = findings;
  if (first === undefined) return [];
  const ids = [...(counterexample?.exchanges ?? []).slice(-1), ...first.exchanges];
  const shown = ids.map((id) => exchanges.get(id)).find((exchange) => exchange !== undefined);
  const curl = (counterexample?.curl ?? [first.curl]).slice(0, MAX_LINES);
  const command = counterexample?.command;
  return [
    { name: 'curl', text: curl.map(shellLine).join('\n') },
    ...(command === undefined ? [] : [{ name: 'replay', text: shellLine(command) }]),
    ...(shown === undefined
      ? []
      : [
          { name: 'request', text: requestText(shown) },
          { name: 'response', text: responseText(shown) },
        ]),
  ];
}
