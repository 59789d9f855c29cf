import type { Clause } from '../../contracts/judging/clause.ts';
import type { Answer, Level, Rule } from '../../contracts/judging/rule.ts';
import type { Fault } from '../../fixtures/service/faults/fault.ts';

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

/** What a person is told of a fault. */
type ToldFault = Pick<Fault, 'id' | 'breaks' | 'subtle' | 'summary'>;

/** Everything that is known of a rule, for a person. */
export function renderRule(
  rule: Rule,
  clauses: readonly Clause[],
  faults: readonly ToldFault[],
): string {
  const { id, protects, level, source, api, operations, answer, leastEvidence, scope } = rule;
  const { rulesOut } = rule;
  const evidence = scope === 'exchange' ? 'exchange' : 'comparison over the run';
  const own = clauses.filter(({ rules = [] }) => rules.includes(id));
  const caught = faults.filter(({ breaks }) => breaks === id);
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
    '',
    'Clauses',
    ...(own.length === 0 ? ['  none'] : own.map(clauseLine)),
    '',
    'Faults that it is known to catch',
    ...(caught.length === 0 ? ['  none'] : caught.map(faultLine)),
    '',
  ].join('\n');
}

function clauseLine({ section, text }: Clause): string {
  return `  §${section}  ${text}`;
}

function faultLine({ id, subtle, summary }: ToldFault): string {
  return `  ${id}${subtle ? ' (subtle)' : ''}: ${summary}`;
}
