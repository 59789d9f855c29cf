import type { Clause } from '../../../contracts/judging/clause.ts';
import type { Answer, Level, Rule } from '../../../contracts/judging/rule.ts';
import type { Fault } from '../../../fixtures/service/faults/fault.ts';
import type { ReportedVariant } from './near-variants.ts';
import type { RulePlace } from './rule-place.ts';

const LEVELS: Readonly<Record<Level, string>> = {
  must: 'must: the document states it, or a client that follows it is hurt; a breach fails the run',
  should:
    'should: it follows from the document or from an RFC that it invokes; a breach is a warning',
  observe: 'observe: the document is silent; nothing is judged',
};

const ANSWERS: Readonly<Record<Answer, string>> = {
  success: 'successes (2xx)',
  error: 'errors (any status but 2xx), throttling left out',
  throttled: 'answers that say that a rate limit was exceeded',
  answered: 'all answers, throttling left out',
  any: 'all answers and failures to answer, throttling left out',
  responded: 'all answers, those too that say that a rate limit was exceeded',
};

/** What a person is shown of a fault. */
type ReportedFault = Pick<Fault, 'id' | 'subtle' | 'summary'>;

/** What belongs to a rule. */
export interface RuleSurroundings {
  /** Absent if no sources are at hand. */
  readonly place?: RulePlace;
  readonly clauses: readonly Clause[];
  readonly faults: readonly ReportedFault[];
  readonly variants: readonly ReportedVariant[];
  /** Mocked cases that break it; absent if they are not at hand. */
  readonly cases?: readonly string[];
  /** Specs that name it. */
  readonly specs: readonly string[];
  readonly commands: readonly string[];
  /** The place of a fault or variant, if the sources are at hand. */
  readonly placeOf: (id: string) => RulePlace | undefined;
}

/** Everything that is known of a rule, for a person. */
export function renderRule(rule: Rule, around: RuleSurroundings): string {
  const { id, protects, level, source, api, operations, answer, leastEvidence, scope } = rule;
  const { rulesOut } = rule;
  const { place, cases, specs, commands } = around;
  const evidence = scope === 'exchange' ? 'exchange' : 'comparison over the run';
  return [
    id,
    `  ${protects}`,
    '',
    `  Level       ${LEVELS[level]}`,
    `  Source      ${source}`,
    `  Operations  ${operations === '*' ? `everything under the ${api} API` : operations.join(', ')}`,
    `  Answers     ${ANSWERS[answer]}`,
    ...(rulesOut === undefined ? [] : [`  Rules out   ${rulesOut}`]),
    `  Evidence    at least ${leastEvidence} ${evidence}${leastEvidence === 1 ? '' : 's'}`,
    ...(place === undefined ? [] : [`  Written in  ${place.file}:${place.line}`]),
    ...listed('Clauses', around.clauses.map(clauseLine)),
    ...listed(
      'Faults that it is known to catch',
      around.faults.map((one) => faultLine(one) + written(around.placeOf(one.id))),
    ),
    ...listed(
      'Correct services near it, by their words',
      around.variants.map((one) => variantLine(one) + written(around.placeOf(one.id))),
    ),
    ...(cases === undefined ? [] : listed('Mocked cases that break it', cases)),
    ...(specs.length === 0 ? [] : listed('Specs that name it', specs)),
    ...listed('To run it alone', commands),
    '',
  ].join('\n');
}

function listed(heading: string, lines: readonly string[]): string[] {
  return ['', heading, ...(lines.length === 0 ? ['none'] : lines).map((line) => `  ${line}`)];
}

function clauseLine({ section, text }: Clause): string {
  return `§${section}  ${text}`;
}

function written(place: RulePlace | undefined): string {
  return place === undefined ? '' : ` (${place.file}:${place.line})`;
}

function faultLine({ id, subtle, summary }: ReportedFault): string {
  return `${id}${subtle ? ' (subtle)' : ''}: ${summary}`;
}

function variantLine({ id, reads }: ReportedVariant): string {
  return `${id}: ${reads}`;
}
