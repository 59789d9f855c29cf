/** Runs as results of Allure, from which Allure makes its pages. */

import { ContentType, Status } from 'allure-js-commons';
import type { Category, EnvironmentInfo } from 'allure-js-commons/sdk';
import { ReporterRuntime, type Writer } from 'allure-js-commons/sdk/reporter';
import { kindOf } from '../../contracts/release/release-runs.ts';
import { apisOfRun } from '../../contracts/run/apis-of-run.ts';
import { type AllureCase, type AllureSource, ruleCases } from './allure-cases.ts';
import { thresholdCases, wholeCase } from './allure-run-cases.ts';
import { line } from './allure-words.ts';
import { numbered } from '../run-kinds.ts';
import type { ReportSource } from '../source.ts';

/** Of all attachments of a folder. */
const MAX_CHARACTERS = 16_000_000;
/** What stands in place of further ones. */
const LEFT_OUT = 'It was left out, as the results would be too large: the record has it.';

/** Kinds of results that Allure 2 shows apart; the beginnings of messages that we write. */
const CATEGORIES: Category[] = [
  { name: 'Broken promises', matchedStatuses: [Status.FAILED] },
  { name: 'No verdict', matchedStatuses: [Status.BROKEN] },
  ...['waived', 'not-reached', 'inconclusive', 'observed'].map((verdict) => ({
    name: `Rules: ${verdict}`,
    messageRegex: `${verdict}[\\s\\S]*`,
    matchedStatuses: [Status.SKIPPED],
  })),
];

/** Where results go, and who looks at each text last. */
export interface AllureFolder {
  /** Puts it there, in files with names of its own. */
  readonly writer: Writer;
  /** Takes the secrets of the environment out of a text. */
  readonly withoutSecrets: (text: string) => string;
}

/**
 * Writes runs into a folder, as results of Allure.
 *
 * @throws Error of the system when the folder cannot be written
 */
export function writeAllure(
  sources: readonly ReportSource[],
  { writer, withoutSecrets }: AllureFolder,
): void {
  const runtime = new ReporterRuntime({ writer });
  let room = MAX_CHARACTERS;

  function write({ reported, attachments }: AllureCase, startMs: number, stopMs: number): void {
    const uuid = runtime.startTest({ ...clean(reported, withoutSecrets), start: startMs });
    for (const { name, text } of attachments) {
      const safe = withoutSecrets(text);
      room -= safe.length;
      runtime.writeAttachment(uuid, null, name, Buffer.from(room < 0 ? LEFT_OUT : safe), {
        contentType: ContentType.TEXT,
        fileExtension: '.txt',
      });
    }
    runtime.stopTest(uuid, { stop: stopMs });
    runtime.writeTest(uuid);
  }

  const named = kindsOf(sources);
  for (const source of named) {
    const startMs = msOf(source.run.startedAt);
    for (const one of [...ruleCases(source), ...thresholdCases(source)]) {
      write(one, startMs, startMs);
    }
    // Only the run has a time: one exchange is evidence for many rules.
    write(wholeCase(source), startMs, Math.max(startMs, msOf(source.run.endedAt)));
  }
  writer.writeCategoriesDefinitions(CATEGORIES);
  writer.writeEnvironmentInfo(clean(environmentOf(named), withoutSecrets));
}

/** Sources with the kinds of their runs, which are the same whatever their records are named. */
function kindsOf(sources: readonly Pick<ReportSource, 'run' | 'exchanges'>[]): AllureSource[] {
  const kinds = numbered(sources.map(({ run }) => kindOf(run)));
  return sources.map(({ run, exchanges }, at) => ({ run, exchanges, kind: kinds[at] ?? '' }));
}

function environmentOf(sources: readonly AllureSource[]): EnvironmentInfo {
  const rows = sources.flatMap(({ run, kind }) => {
    const { tool, seed, profile, outcome, contract, target, labels = {} } = run;
    return [
      ['assay', tool.version],
      ['outcome', run.complete ? outcome : `${outcome}, partial`],
      ['profile', profile],
      ['seed', String(seed)],
      ['contract', contract.sha256],
      ...apisOfRun(run).map((api) => [api, target.urls[api] ?? 'not configured'] as const),
      ...Object.entries(labels).map(([name, value]) => [`label ${name}`, value] as const),
    ].map(([name = '', value = '']) => [line(`${kind}: ${name}`), line(value)] as const);
  });
  return Object.fromEntries(rows);
}

/** The same plain data with all its texts cleaned. */
function clean<T>(value: T, cleaned: (text: string) => string): T {
  if (typeof value === 'string') return cleaned(value) as T;
  if (Array.isArray(value)) return value.map((item: unknown) => clean(item, cleaned)) as T;
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [cleaned(key), clean(item as unknown, cleaned)]),
    ) as T;
  }
  return value;
}

/** Of a record that somebody else wrote: a time, or the beginning of time. */
function msOf(time: string): number {
  const ms = Date.parse(time);
  return Number.isNaN(ms) ? 0 : ms;
}
