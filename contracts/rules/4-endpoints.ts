import { excerpt } from '../excerpt.ts';
import type { Broken, Collected, GroupJudgement, Rule } from '../rule.ts';
import { runRule } from '../rule.ts';
import type { View } from '../view.ts';
import { apiOf, DOCUMENT_OPERATIONS, METADATA_OPERATIONS } from './operations.ts';
import { responseShape } from './response-shape.ts';

/** So many different valid requests must fail before an endpoint counts as not serving them. */
const SEVERAL = 5;

interface Attempt {
  readonly outcome: 'success' | 'redirect' | 'refused' | 'unanswered';
  readonly said: string;
}

function attemptOf(view: View): Attempt | null {
  const { outcome } = view.exchange;
  if (outcome.kind === 'failure') {
    // Bytes that are too many or do not decode are an answer, and a wrong one.
    const answered = outcome.failure === 'too-large' || outcome.failure === 'encoding';
    return { outcome: answered ? 'refused' : 'unanswered', said: outcome.message };
  }
  if (view.succeeded) return { outcome: 'success', said: String(view.status) };
  const said = `${view.status} ${excerpt(view.text, 120)}`;
  return { outcome: view.status < 400 ? 'redirect' : 'refused', said };
}

// A valid request may be refused for a reason of its own (no route for this pair now), so only a
// service that takes none of several is wrong. One that was never reached at all is not judged.
function judgeAttempts(attempts: readonly Collected<Attempt>[], least: number): GroupJudgement[] {
  const succeeded = attempts.find(({ fact }) => fact.outcome === 'success');
  if (succeeded !== undefined) return [{ witnesses: [succeeded.witness], judgement: [] }];
  const refused = attempts.filter(({ fact }) => fact.outcome === 'refused');
  const last = refused.at(-1);
  if (last === undefined || refused.length < least) return [];
  const broken: Broken = {
    pointer: '',
    expected: 'a success for a valid request',
    actual: `none in ${refused.length}; the last: ${last.fact.said}`,
  };
  return [{ witnesses: refused.map(({ witness }) => witness), judgement: [broken] }];
}

/** The rule that an endpoint is there: of `least` valid requests one at least is served. */
function served(operation: string, source: string, least: number): Rule {
  return runRule<Attempt>({
    id: `${operation}.served`,
    level: 'must',
    source,
    protects: 'The endpoint is there and serves valid requests.',
    api: apiOf(operation),
    operations: [operation],
    answer: 'any',
    leastEvidence: 1,
    collect: (view) => (view.exchange.purpose.kind === 'valid' ? attemptOf(view) : null),
    conclude: (attempts) => judgeAttempts(attempts, least),
  });
}

/** Statuses that say that nothing is served at a path by that method (RFC 9110 section 15). */
const ABSENT: readonly number[] = [404, 405, 501];

// §4.2 names the endpoint but not its request beyond `data`, so a refusal of what was sent is no
// fault; that nothing at all is served there is one.
const tradeQuotesServed: Rule = runRule<Attempt>({
  id: 'trade.quotes.served',
  level: 'must',
  source: '§4.2',
  protects: 'The endpoint is there.',
  api: 'trade',
  operations: ['trade.quotes'],
  answer: 'any',
  leastEvidence: 1,
  collect: (view) =>
    view.succeeded || ABSENT.includes(view.status) || view.status === 0 ? attemptOf(view) : null,
  conclude: (attempts) => judgeAttempts(attempts, SEVERAL),
});

export const endpointRules: readonly Rule[] = [
  served('zap.quote', '§4.1', SEVERAL),
  served('zap.build-tx', '§4.1', SEVERAL),
  served('zap.pools', '§4.1', 1),
  served('zap.pool-details', '§4.1', 2),
  served('zap.chains', '§4.1', 1),
  served('zap.providers', '§4.1', 1),
  responseShape('zap.pools', '§2.5, §4.1'),
  responseShape('zap.pool-details', '§2.5, §4.1'),
  responseShape('zap.chains', '§2.6, §4.1'),
  responseShape('zap.providers', '§2.6, §4.1'),
  served('trade.build-tx', '§4.2', SEVERAL),
  tradeQuotesServed,
  ...DOCUMENT_OPERATIONS.map((operation) => served(operation, '§1, §4.3, §5', 1)),
  ...METADATA_OPERATIONS.map((operation) => responseShape(operation, '§4.3, §5')),
];
