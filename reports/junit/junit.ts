import { measuredWords } from '../../contracts/run/load/selected-row.ts';
import XMLBuilder from 'fast-xml-builder';
import { brokenThresholds, isOpen, isUndecided } from '../../contracts/run/load/load-outcome.ts';
import { NOT_COVERED } from '../../contracts/run/record-lines.ts';
import type { RunJson, RunRuleRow } from '../../contracts/run/run.ts';
import { given } from '../../contracts/wire/json.ts';
import { wholeOutcome } from '../../contracts/run/whole-outcome.ts';
import { apisOfRun } from '../../contracts/run/apis-of-run.ts';
import { inOrder, ruleState } from '../baseline-state.ts';
import { comparisonHeadline } from '../comparison-words.ts';
import { headlineOf } from '../headline.ts';
import { atTimesText, attribute, detailsOf, messageOf } from './junit-text.ts';
import { askedRules } from '../rules-pass.ts';
import { kindWords, numbered } from '../run-kinds.ts';
import type { ReportSource } from '../source.ts';

/** Elements by name, attributes by `@_` and name. */
type Node = Record<string, unknown>;

const builder = new XMLBuilder({
  ignoreAttributes: false,
  format: true,
  suppressEmptyNode: true,
  // Else an attribute of the value `true` loses it.
  suppressBooleanAttributes: false,
});

/**
 * The run as JUnit XML, by the schema that Jenkins publishes for its xUnit plugin: a test suite for
 * each API and a test case for each rule. `fail` is a failure, and `warn` where the run fails on it;
 * else that passes and names its findings in system-out; `not-reached`, `inconclusive`, `waived` and
 * `observed` are skipped, with the reason. Rules of an API that is not configured are left out.
 * Of a run with a baseline each says whether that has it, and each suite what became of the run. Characters
 * that XML cannot hold are left out. The thresholds of a load run are a test suite of their own. A
 * run that is undecided, did not come to its end, or in which Assay itself failed, has a test suite with an
 * error that says so: with nothing but passed and skipped cases it would look as if nothing was wrong.
 *
 * Only the whole run has a time, in seconds. One exchange is evidence for many rules, and those of
 * several APIs are sent at once: times of test cases or suites would sum to more than the run took.
 */
export function renderJUnit(run: RunJson): string {
  return build([run], suitesOf(run, ''));
}

/**
 * Several runs as one document: the suites and test cases of each have its kind behind their own, since readers of
 * JUnit take test cases of the same name for one, also in later runs, whose folders have other names.
 */
export function renderJUnitOf(sources: readonly Pick<ReportSource, 'run'>[]): string {
  const [only] = sources;
  if (sources.length === 1 && only !== undefined) return renderJUnit(only.run);
  const kinds = numbered(sources.map(({ run }) => kindWords(run)));
  return build(
    sources.map(({ run }) => run),
    sources.flatMap(({ run }, at) => suitesOf(run, ` (${kinds[at] ?? ''})`)),
  );
}

function build(runs: readonly RunJson[], suites: readonly Node[]): string {
  const seconds = runs.reduce(
    (sum, { startedAt, endedAt }) =>
      sum + Math.max(0, Date.parse(endedAt) - Date.parse(startedAt)) / 1000,
    0,
  );
  const root: Node = {
    '?xml': { '@_version': '1.0', '@_encoding': 'UTF-8' },
    testsuites: {
      '@_name': 'assay',
      // No skipped: the schema has that of suites and test cases alone.
      ...summed(suites),
      '@_time': seconds.toFixed(3),
      testsuite: suites,
    },
  };
  return builder.build(root);
}

/** @param suffix of the names of suites and classes */
function suitesOf(asFound: RunJson, suffix: string): Node[] {
  const run = inOrder(asFound);
  const rules = askedRules(run);
  const suites = apisOfRun(run).flatMap((api) => {
    const cases = rules.filter((rule) => rule.api === api);
    if (cases.length === 0) return [];
    return {
      '@_name': attribute(`assay.${api}${suffix}`),
      ...totals(cases, run),
      '@_skipped': String(cases.filter(isSkipped).length),
      '@_timestamp': attribute(run.startedAt),
      properties: {
        property: [
          property('seed', String(run.seed)),
          ...Object.entries(run.labels ?? {}).map(([name, value]) => property(name, value)),
          property('url', run.target.urls[api] ?? 'not configured'),
          property('contract', run.contract.sha256),
          ...(run.baseline === undefined
            ? []
            : [property('baseline', comparisonHeadline(run.baseline))]),
        ],
      },
      testcase: cases.map((rule) => testCase(rule, run, suffix)),
      ...given({ 'system-out': atTimesText(run, api) }),
    };
  });
  const all = [
    ...suites,
    ...loadSuite(run, loadCases(run, suffix), suffix),
    ...endSuite(run, suffix),
  ];
  const [first, ...others] = all;
  if (first === undefined || !run.notices.includes(NOT_COVERED)) return all;
  return [{ ...first, 'system-err': NOT_COVERED }, ...others];
}

function totals(rules: readonly RunRuleRow[], run: RunJson): Node {
  const failures = rules.filter((rule) => isFailure(rule, run)).length;
  return {
    '@_tests': String(rules.length),
    '@_failures': String(failures),
    '@_errors': '0',
  };
}

/** A threshold of a load run as a test case. */
interface LoadCase {
  readonly node: Node;
  readonly state: 'passed' | 'failed' | 'skipped';
}

/** The thresholds of a load run; what is not decided, or does not count, is skipped. */
function loadCases({ load }: RunJson, suffix: string): LoadCase[] {
  if (load === undefined) return [];
  const certain = new Set(brokenThresholds(load));
  const [why = 'the generator did not keep its schedule'] = load.invalid;
  return load.thresholds.map((one): LoadCase => {
    const classname = attribute(`assay.load${suffix}`);
    const name = { '@_classname': classname, '@_name': attribute(one.expression) };
    const was = measuredWords(one);
    const said = { '@_message': attribute(`expected ${one.expression}, ${was}`) };
    if (certain.has(one)) {
      return { node: { ...name, failure: { '@_type': 'threshold', ...said } }, state: 'failed' };
    }
    if (!isOpen(one, load)) return { node: name, state: 'passed' };
    const uncompared = 'a comparison with earlier runs showed nothing';
    const message = attribute(isUndecided(one) ? uncompared : why);
    return { node: { ...name, skipped: { '@_message': message } }, state: 'skipped' };
  });
}

function loadSuite(
  { startedAt, load }: RunJson,
  cases: readonly LoadCase[],
  suffix: string,
): Node[] {
  if (cases.length === 0 || load === undefined) return [];
  return [
    {
      '@_name': attribute(`assay.load${suffix}`),
      ...totalsOf(cases),
      '@_skipped': String(cases.filter(({ state }) => state === 'skipped').length),
      '@_timestamp': attribute(startedAt),
      properties: { property: [property('scenario', load.scenario)] },
      testcase: cases.map(({ node }) => node),
    },
  ];
}

/** What a run that cannot be taken for a whole one, or came to no verdict, says of that. */
function endSuite(run: RunJson, suffix: string): Node[] {
  const { startedAt, complete, failure, notices, replayed } = run;
  // A replay is undecided of the service, and has done what it was for.
  const isOpen = replayed === undefined && wholeOutcome(run).outcome === 'undecided';
  if (complete && failure === undefined && !isOpen) return [];
  const type = failure !== undefined ? 'failure-of-assay' : complete ? 'undecided' : 'partial';
  const error = { '@_type': type, '@_message': attribute(headlineOf(run).words) };
  const name = attribute(`assay.run${suffix}`);
  return [
    {
      '@_name': name,
      ...{ '@_tests': '1', '@_failures': '0', '@_errors': '1', '@_skipped': '0' },
      '@_timestamp': attribute(startedAt),
      testcase: {
        ...{ '@_classname': name, '@_name': complete ? 'comes to a verdict' : 'comes to its end' },
        error: notices.length === 0 ? error : { ...error, '#text': attribute(notices.join('\n')) },
      },
    },
  ];
}

function totalsOf(cases: readonly LoadCase[]): Node {
  return {
    '@_tests': String(cases.length),
    '@_failures': String(cases.filter(({ state }) => state === 'failed').length),
    '@_errors': '0',
  };
}

function summed(suites: readonly Node[]): Node {
  const names = ['@_tests', '@_failures', '@_errors'];
  return Object.fromEntries(
    names.map((name) => [
      name,
      String(suites.reduce((sum, suite) => sum + Number(suite[name]), 0)),
    ]),
  );
}

function isSkipped({ verdict }: RunRuleRow): boolean {
  return !['pass', 'fail', 'warn'].includes(verdict);
}

function isFailure({ verdict }: RunRuleRow, { choice }: RunJson): boolean {
  return verdict === 'fail' || (verdict === 'warn' && choice?.failOn === 'should');
}

function testCase(rule: RunRuleRow, run: RunJson, suffix: string): Node {
  const [first] = rule.findings;
  const classname = attribute(`assay.${rule.api}${suffix}`);
  const name = { '@_classname': classname, '@_name': attribute(rule.id) };
  const details = detailsOf(rule, run);
  if (isFailure(rule, run)) {
    const state = ruleState(rule, run);
    const message =
      first === undefined
        ? rule.id
        : `${state === undefined ? '' : `${state}: `}${messageOf(rule, first)}`;
    return {
      ...name,
      failure: { '@_type': rule.level, '@_message': attribute(message), '#text': details },
    };
  }
  if (rule.verdict === 'warn') return { ...name, 'system-out': details };
  if (!isSkipped(rule)) return name;
  const message = rule.reason === undefined ? rule.verdict : `${rule.verdict}: ${rule.reason}`;
  return {
    ...name,
    skipped: { '@_message': attribute(message) },
    ...(first === undefined ? {} : { 'system-out': details }),
  };
}

function property(name: string, value: string): Node {
  return { '@_name': attribute(name), '@_value': attribute(value) };
}
