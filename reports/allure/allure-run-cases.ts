import { measuredWords } from '../../contracts/run/load/selected-row.ts';
/** What Allure is given of a run beside its rules. */

import { Stage, Status } from 'allure-js-commons';
import { brokenThresholds, isOpen, isUndecided } from '../../contracts/run/load/load-outcome.ts';
import { wholeOutcome } from '../../contracts/run/whole-outcome.ts';
import type { LimitRow } from '../../contracts/run/run.ts';
import {
  type AllureAttachment,
  type AllureCase,
  type AllureSource,
  labels,
  ownLabels,
  parametersOf,
} from './allure-cases.ts';
import { line, lines, paragraphs } from './allure-words.ts';
import { headlineOf } from '../headline.ts';
import { limitFields } from '../terminal/terminal-limits.ts';

const MAX_NOTICES = 50;

/** The thresholds of a load run; what is not decided, or does not count, is skipped. */
export function thresholdCases(source: AllureSource): AllureCase[] {
  const { load } = source.run;
  if (load === undefined) return [];
  const certain = new Set(brokenThresholds(load));
  const [why = 'the generator did not keep its schedule'] = load.invalid;
  return load.thresholds.map((one): AllureCase => {
    const { expression } = one;
    const was = measuredWords(one);
    const id = `load.threshold ${expression}`;
    if (certain.has(one)) {
      return ownCase(id, source, Status.FAILED, `expected ${expression}, ${was}`);
    }
    if (!isOpen(one, load)) return ownCase(id, source, Status.PASSED);
    const uncompared = 'a comparison with earlier runs showed nothing';
    return ownCase(id, source, Status.SKIPPED, isUndecided(one) ? uncompared : why);
  });
}

/**
 * The run as a whole: passed if it came to a verdict, whatever that is, since what is broken stands by
 * itself; broken if it did not, or was cut short.
 */
export function wholeCase(source: AllureSource): AllureCase {
  const { run } = source;
  const isDecided =
    run.complete && wholeOutcome(run).outcome !== 'undecided' && run.failure === undefined;
  const { words } = headlineOf(run);
  const made = ownCase(
    'assay.run',
    source,
    isDecided ? Status.PASSED : Status.BROKEN,
    isDecided ? undefined : words,
  );
  return {
    ...made,
    reported: {
      ...made.reported,
      description: paragraphs([words, ...run.notices.slice(0, MAX_NOTICES)]),
    },
    attachments: [
      ...attachment('rate limits', run.limits.flatMap(limitText)),
      ...attachment(
        'what the document leaves open',
        run.ledger.map(({ clause, observed }) => `${line(clause)}: ${line(observed.join('; '))}`),
      ),
    ],
  };
}

function ownCase(id: string, source: AllureSource, status: Status, message?: string): AllureCase {
  const { kind, run } = source;
  const name = line(id);
  return {
    id,
    reported: {
      ...{ name, fullName: name, testCaseId: name, status },
      titlePath: [`assay ${kind}`],
      stage: status === Status.SKIPPED ? Stage.PENDING : Stage.FINISHED,
      statusDetails: message === undefined ? {} : { message: line(message) },
      labels: [...ownLabels(kind), ...labels({ parentSuite: `assay ${kind}` })],
      links: [],
      parameters: parametersOf(run, kind),
    },
    attachments: [],
  };
}

function limitText(row: LimitRow): string[] {
  const head = `${line(row.api)}, ${line(row.scope)}: ${line(row.verdict)}`;
  return [head, ...limitFields(row).map(([label, text]) => `  ${label}: ${line(text)}`)];
}

function attachment(name: string, texts: readonly string[]): AllureAttachment[] {
  return texts.length === 0 ? [] : [{ name, text: lines(texts.join('\n')) }];
}
