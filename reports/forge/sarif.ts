import type { Location, Log, Notification, ReportingDescriptor, Result, Run } from 'sarif';
import type { RunJson, RunRuleRow } from '../../contracts/run/run.ts';
import { kindOf } from '../../contracts/release/release-runs.ts';
import { apisWithUrl } from '../../contracts/run/apis-of-run.ts';
import { baselineStateOf, findingState } from '../baseline-state.ts';
import { placeOf, type Placing, type SourceLine, USUAL_FILE } from './placing.ts';
import { type Problem, problemsOf } from '../problems.ts';
import { kindWords, numbered } from '../run-kinds.ts';
import { webPartsOf } from './sarif-web.ts';
import type { ReportSource } from '../source.ts';
import { plural, printable } from '../text.ts';
import { percentEncoded } from '../../contracts/wire/http/percent-encoded.ts';

const SCHEMA =
  'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';
/** Of the fingerprint, so that another way to make one does not meet this one. */
const FINGERPRINT = 'assay/v1';
/** GitHub shows as many of a run. */
const MAX_RESULTS = 5_000;
/** Of requests and answers, over all runs; an upload of 10 MB is refused. */
const MAX_WEB_CHARACTERS = 4_000_000;
const MAX_TEXT_CHARACTERS = 2_000;

/** What is known beside the runs. */
export interface SarifOptions {
  readonly placing: Placing;
  /** Where runs without a label `environment` took place. */
  readonly environment?: string;
}

/**
 * Runs as SARIF 2.1.0, each a run of it: a result for each finding of a broken rule, the causes first,
 * with the request and the answer that show it; waivers are suppressions. Lines are those of operations in
 * the user's contract, else the user's configuration or CI file. What was only observed is no result.
 * Of a run with a baseline each result says whether it is new. What is fixed is no result: viewers that know
 * nothing of baselines would show it as broken.
 */
export function renderSarif(sources: readonly ReportSource[], options: SarifOptions): string {
  const room = { left: MAX_WEB_CHARACTERS };
  const named = numbered(sources.map(({ run }) => categoryOf(run, options)));
  const ids = named.map((id) => id.replace(' ', '-'));
  const runs = sources.map((source, at) => runOf(source, ids[at] ?? '', options, room));
  const log: Log = { $schema: SCHEMA, version: '2.1.0', runs };
  return `${JSON.stringify(log, undefined, 2)}\n`;
}

/** What readers distinguish analyses by: APIs, environment and kind, the same in each run, and never its folder. */
function categoryOf(run: RunJson, { environment }: SarifOptions): string {
  const where = run.labels?.environment ?? environment;
  const parts = [apisWithUrl(run).join('_'), where ?? '', ...kindWords(run).split(' ')];
  return ['assay', ...parts.filter((part) => part !== '').map(percentEncoded)].join('/');
}

function runOf(
  source: ReportSource,
  category: string,
  options: SarifOptions,
  room: { left: number },
): Run {
  const { run } = source;
  const all = problemsOf(run);
  const problems = all.slice(0, MAX_RESULTS);
  const rules = descriptorsOf(run, problems);
  const places = new Map(rules.map(({ id }, at) => [id, at]));
  const more = all.length - problems.length;
  return {
    tool: {
      driver: { name: printable(run.tool.name), version: printable(run.tool.version), rules },
    },
    automationDetails: {
      // What follows the last slash would be of this run alone.
      id: `${category}/`,
      description: { text: `assay ${kindOf(run)}, seed ${run.seed}` },
    },
    columnKind: 'utf16CodeUnits',
    originalUriBaseIds: { '%SRCROOT%': { description: { text: 'The root of the checkout.' } } },
    invocations: [
      {
        executionSuccessful: run.complete && run.failure === undefined,
        startTimeUtc: run.startedAt,
        endTimeUtc: run.endedAt,
        toolExecutionNotifications: [
          ...run.notices.map(noticeOf),
          ...(more > 0
            ? [noticeOf(`${plural(more, 'finding')} more are in the record alone.`)]
            : []),
        ],
      },
    ],
    results: problems.map((problem) =>
      resultOf(problem, places.get(problem.check) ?? 0, source, options, room),
    ),
  };
}

function noticeOf(text: string): Notification {
  return { level: 'note', message: { text: textOf(text) } };
}

/** Rules that something was judged by, and what else results are about. */
function descriptorsOf(run: RunJson, problems: readonly Problem[]): ReportingDescriptor[] {
  const rows = run.rules.filter(({ verdict }) => verdict !== 'not-reached');
  const known = new Map(rows.map((row) => [printable(row.id), descriptorOf(row)]));
  for (const { check, level } of problems) {
    if (!known.has(check)) known.set(check, { id: check, defaultConfiguration: { level } });
  }
  return [...known].map(([id, descriptor]) => ({ ...descriptor, id }));
}

function descriptorOf(row: RunRuleRow): ReportingDescriptor {
  const { id, level, source, protects, clauses = [], api, verdict, evidence } = row;
  return {
    id,
    shortDescription: { text: textOf(protects) },
    ...(clauses.length === 0 ? {} : { help: { text: textOf(clauses.join('\n')) } }),
    defaultConfiguration: {
      level: level === 'must' ? 'error' : level === 'should' ? 'warning' : 'note',
    },
    properties: { tags: [api, level, textOf(source)], verdict, evidence },
  };
}

function resultOf(
  problem: Problem,
  ruleIndex: number,
  source: ReportSource,
  { placing }: SarifOptions,
  room: { left: number },
): Result {
  const { check, level, words, fingerprint, finding, rule, waived } = problem;
  const state = source.run.known === undefined ? undefined : findingState(fingerprint, source.run);
  const shown =
    finding === undefined ? undefined : source.exchanges.get(finding.exchanges[0] ?? '');
  return {
    ruleId: check,
    ruleIndex,
    level,
    kind: 'fail',
    message: { text: textOf(state === undefined ? words : `${words} (${state})`) },
    locations: [locationOf(placeOf(placing, finding) ?? USUAL_FILE, problem)],
    partialFingerprints: { [FINGERPRINT]: fingerprint },
    // If one result has them, all say whether they have.
    suppressions:
      waived === undefined
        ? []
        : [{ kind: 'external', status: 'accepted', justification: textOf(waived) }],
    ...stateOf(problem, source.run),
    ...(finding === undefined ? {} : { occurrenceCount: finding.count }),
    ...webPartsOf(shown, room),
    ...(finding === undefined || rule === undefined
      ? {}
      : {
          properties: {
            exchanges: finding.exchanges,
            ...(rule.counterexample === undefined
              ? {}
              : { replay: textOf(rule.counterexample.replay, 100_000) }),
          },
        }),
  };
}

/** SARIF has no word for what cannot be determined: that is shown. */
function stateOf(
  { fingerprint, finding }: Problem,
  { baseline, known }: RunJson,
): Pick<Result, 'baselineState'> {
  if (baseline === undefined && known === undefined) return {};
  const isBefore =
    finding !== undefined &&
    ((baseline !== undefined && baselineStateOf(fingerprint, baseline) === 'still') ||
      (known !== undefined && Object.hasOwn(known.known, fingerprint)));
  return { baselineState: isBefore ? 'unchanged' : 'new' };
}

function locationOf({ path, line }: SourceLine, { finding }: Problem): Location {
  const uri = path.split('/').map(percentEncoded).join('/');
  const logical = finding === undefined ? [] : [finding.operation, finding.pointer];
  const name = logical.filter((part) => part !== undefined && part !== '').join(' ');
  return {
    physicalLocation: {
      artifactLocation: { uri, uriBaseId: '%SRCROOT%' },
      region: { startLine: line },
    },
    ...(name === '' ? {} : { logicalLocations: [{ fullyQualifiedName: textOf(name) }] }),
  };
}

/** Without what viewers read as links (section 3.11.6), controls or half characters. */
function textOf(text: string, mostCharacters = MAX_TEXT_CHARACTERS): string {
  const plain = text.slice(0, mostCharacters).replaceAll(/\p{Surrogate}/gu, '\uFFFD');
  return printable(plain).replaceAll('](', '] (');
}
