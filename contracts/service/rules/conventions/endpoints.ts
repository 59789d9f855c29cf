import { excerpt } from '../../../judging/excerpt.ts';
import type { Broken, Collected, GroupJudgement, Rule } from '../../../judging/rule.ts';
import { runRule } from '../../../judging/rule.ts';
import { GATEWAY } from '../../../rules/own-answer.ts';
import { sameRequest } from '../../../rules/valid-requests/valid-answer.ts';
import type { View } from '../../../judging/view.ts';
import { errorCodeOf } from '../../wire/error-body.ts';
import { apiOf } from '../../../wire/exchange.ts';
import { DOCUMENT_OPERATIONS, METADATA_OPERATIONS } from '../shared/operations.ts';
import { documentedShape } from '../shared/documented-shape.ts';

/** At least this many different valid requests must fail before an endpoint counts as not serving them. */
const SEVERAL = 5;

interface Attempt {
  readonly outcome: 'success' | 'redirect' | 'refused' | 'outage' | 'unanswered';
  readonly said: string;
}

function attemptOf(view: View): Attempt | null {
  const { outcome } = view.exchange;
  if (outcome.kind === 'failure') {
    // Bytes that do not decode are an answer, and a wrong one. Of what is too large for Assay nothing is known.
    const answered = outcome.failure === 'encoding';
    return { outcome: answered ? 'refused' : 'unanswered', said: outcome.message };
  }
  if (view.succeeded) return { outcome: 'success', said: String(view.status) };
  const said = `${view.status} ${excerpt(view.text, 120)}`;
  if (GATEWAY.includes(view.status)) return { outcome: 'outage', said };
  return { outcome: view.status < 400 ? 'redirect' : 'refused', said };
}

// A valid request may be refused for a reason of its own (no route for this pair now). So only a
// service that takes none of several is wrong. One that was never reached at all is not judged.
function judgeAttempts(
  attempts: readonly Collected<Attempt>[],
  least: number,
  expected: string,
): GroupJudgement[] {
  const succeeded = attempts.find(({ fact }) => fact.outcome === 'success');
  if (succeeded !== undefined) return [{ witnesses: [succeeded.witness], judgement: [] }];
  const refused = attempts.filter(({ fact: { outcome } }) => outcome === 'refused');
  const failed = attempts.filter(({ fact: { outcome } }) =>
    ['refused', 'outage'].includes(outcome),
  );
  const last = failed.at(-1);
  // An outage of so many moments may be one: of those several different requests must fail.
  const different = new Set(failed.map(({ witness }) => sameRequest(witness.request)));
  if (last === undefined || (refused.length < least && different.size < SEVERAL)) return [];
  const broken: Broken = {
    pointer: '',
    expected,
    actual: `none in ${failed.length}; the last: ${last.fact.said}`,
  };
  return [{ witnesses: failed.map(({ witness }) => witness), judgement: [broken] }];
}

/** The rule that an endpoint is there: of `least` valid requests one at least is served. */
function served(operation: string, source: string, least: number): Rule {
  return runRule<Attempt>({
    id: `${operation}.served`,
    level: 'must',
    source,
    protects: 'The endpoint is there and serves valid requests.',
    rulesOut: 'A service that has no such endpoint, or refuses every valid request to it.',
    api: apiOf(operation),
    operations: [operation],
    answer: 'any',
    once: true,
    leastEvidence: 1,
    underLoad: 'not judged',
    collect: (view) => (view.exchange.purpose.kind === 'valid' ? attemptOf(view) : null),
    conclude: (attempts) => judgeAttempts(attempts, least, 'a success for a valid request'),
  });
}

/**
 * Whether an answer says that nothing is served at a path by that method (RFC 9110 section 15). A 404
 * with a code of its own says that something else was not found, a route for example.
 */
function isAbsent({ status, json }: View): boolean {
  if (status === 404) return [undefined, 'NOT_FOUND'].includes(errorCodeOf(json));
  return status === 405 || status >= 500;
}

// §4.2 names the endpoints but not all that a request needs. Of quotes nothing beyond `data` is
// shown, of builds not which fields of an entry are required. So a refusal of what was sent is no
// fault, nor is that of a key. That nothing at all is served at the path is one.
function servedThere(operation: string): Rule {
  return runRule<Attempt>({
    id: `${operation}.served`,
    level: 'must',
    source: '§4.2',
    protects: 'The endpoint is there.',
    rulesOut: 'A service that answers 404, 405 or an error of its own to whatever is sent there.',
    api: apiOf(operation),
    operations: [operation],
    answer: 'any',
    once: true,
    leastEvidence: 1,
    underLoad: 'not judged',
    collect: (view) =>
      view.succeeded || view.status === 0 || isAbsent(view) ? attemptOf(view) : null,
    conclude: (attempts) =>
      judgeAttempts(attempts, SEVERAL, 'anything but 404, 405 or 5xx at the endpoint'),
  });
}

/** @param held what a service of wrong answers would leave out or mistype */
function shape(operation: string, source: string, held: string): Rule {
  const rulesOut = `A service whose ${held} lack a documented field, or have one of another type.`;
  return { ...documentedShape(operation, source), rulesOut };
}

export const endpointRules: readonly Rule[] = [
  served('zap.quote', '§4.1', SEVERAL),
  served('zap.build-tx', '§4.1', SEVERAL),
  served('zap.pools', '§4.1', 1),
  served('zap.pool-details', '§4.1', 2),
  served('zap.chains', '§4.1', 1),
  served('zap.providers', '§4.1', 1),
  shape('zap.pools', '§2.5, §4.1', 'pools'),
  shape('zap.pool-details', '§2.5, §4.1', 'details of pools'),
  shape('zap.chains', '§2.6, §4.1', 'chain objects'),
  shape('zap.providers', '§2.6, §4.1', 'providers'),
  servedThere('trade.build-tx'),
  servedThere('trade.quotes'),
  ...DOCUMENT_OPERATIONS.map((operation) => served(operation, '§1, §4.3, §5', 1)),
  ...METADATA_OPERATIONS.map((operation) => shape(operation, '§4.3, §5', 'metadata')),
];
