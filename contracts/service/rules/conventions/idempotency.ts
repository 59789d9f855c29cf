/** Long because five rules judge the story of one key by the same facts. */

import type { Broken, Collected, GroupJudgement, Level, Rule } from '../../../judging/rule.ts';
import { runRule } from '../../../judging/rule.ts';
import type { View } from '../../../judging/view.ts';
import { memoOf } from '../../../judging/view.ts';
import { errorCodeOf } from '../../wire/error-body.ts';
import { TRADE_OPERATIONS } from '../shared/operations.ts';

/** The kind of relation that the driver marks the exchanges with; a group is the story of one key. */
export const IDEMPOTENCY = 'idempotency';

/**
 * The place of a request in the story of its key: `first` use, the same request `again`, `other-body`
 * or `elsewhere` (another endpoint) with a key that was used; `twin-1` … the two of one round, sent at
 * the same time; `bare` and so on the same requests without a key.
 */
export type IdempotencyRole =
  | 'first'
  | 'again'
  | 'other-body'
  | 'elsewhere'
  | `twin-${number}`
  | 'bare'
  | 'bare-other-body'
  | 'bare-elsewhere'
  | 'bare-twin';

/** At least this many refusals in a row show that a request is refused for its key and not by chance. */
export const MIN_CERTAIN_REFUSALS = 3;

const DRAFT = 'draft-ietf-httpapi-idempotency-key-header';
const CONFLICT = 409;
/** Statuses that say that the service is not available at the moment (RFC 9110 section 15.6). */
const OUTAGES: readonly number[] = [502, 503, 504];

/** What an answer in the story of a key says. */
export interface KeyFact {
  readonly group: string;
  readonly role: string;
  readonly kind: 'served' | 'conflict' | 'refused' | 'failed';
  /** Status and code, for people. */
  readonly said: string;
  /** A digest of the answer's text, by which answers are distinguished. */
  readonly text: string;
}

const KEY_FACT = memoOf(readKeyFact);

/** What the answer to a marked request says; null for others, and where it says nothing. */
export function keyFactOf(view: View): KeyFact | null {
  return view.get(KEY_FACT);
}

function readKeyFact(view: View): KeyFact | null {
  const place = view.exchange.relations.find(({ kind }) => kind === IDEMPOTENCY);
  if (place === undefined || view.throttled || view.status === 0) return null;
  if (OUTAGES.includes(view.status)) return null;
  const said = `${view.status} ${errorCodeOf(view.json) ?? ''}`.trim();
  return {
    group: place.group,
    role: place.role,
    kind: kindOf(view),
    said,
    text: digestOf(view.text),
  };
}

/** Length and FNV-1a hash of a text: enough to distinguish a few answers that nobody forges. */
export function digestOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return `${text.length}:${hash >>> 0}`;
}

function kindOf({ succeeded, status }: View): KeyFact['kind'] {
  if (succeeded) return 'served';
  if (status === CONFLICT) return 'conflict';
  return status >= 500 ? 'failed' : 'refused';
}

/** Whether the last answers are so many of these kinds in a row that it cannot be chance. */
export function endsIn(facts: readonly KeyFact[], kinds: readonly KeyFact['kind'][]): boolean {
  const last = facts.slice(-MIN_CERTAIN_REFUSALS);
  return last.length === MIN_CERTAIN_REFUSALS && last.every(({ kind }) => kinds.includes(kind));
}

/** Whether the two answers of a round say that no client can rely on either. */
export function isBadRound(round: readonly Pick<KeyFact, 'kind'>[]): boolean {
  return (
    round.some(({ kind }) => kind === 'failed') || !round.some(({ kind }) => kind === 'served')
  );
}

/** Whether the answers to another body are those to the first one: what a replay would be. */
export function isReplayed(
  first: KeyFact | undefined,
  other: readonly Pick<KeyFact, 'kind' | 'text'>[],
): boolean {
  return (
    first !== undefined &&
    other.length > 0 &&
    other.every(({ kind, text }) => kind === 'served' && text === first.text)
  );
}

type Story = readonly Collected<KeyFact>[];

function inRole(story: Story, role: IdempotencyRole): Story {
  return story.filter(({ fact }) => fact.role === role);
}

function broken(witnesses: Story, expected: string, said?: string): GroupJudgement {
  // The request that shows it stands first.
  const shown = [...witnesses].reverse();
  const actual = said ?? shown[0]?.fact.said ?? '';
  const found: Broken = { pointer: '', expected, actual };
  return { witnesses: shown.map(({ witness }) => witness), judgement: [found] };
}

function held(witnesses: Story): GroupJudgement {
  return { witnesses: witnesses.slice(0, 1).map(({ witness }) => witness), judgement: [] };
}

const factsOf = (story: Story): KeyFact[] => story.map(({ fact }) => fact);
const isServed = ({ fact }: Collected<KeyFact>): boolean => fact.kind === 'served';

// What the header is for: a client that repeats a request gets no word that it is wrong. 409 is left
// open, which says that the first is in progress (section 2.7 of the draft), or was done.
function judgeReplay(story: Story): GroupJudgement | undefined {
  if (!inRole(story, 'first').some(isServed)) return undefined;
  const again = inRole(story, 'again');
  if (endsIn(factsOf(again), ['refused', 'failed'])) {
    if (!inRole(story, 'bare').some(isServed)) return undefined;
    return broken(
      again,
      'the repeated request served, as it is without an Idempotency-Key, or 409',
    );
  }
  // Served once more, or answered that it was done: one that is refused is no evidence.
  const taken = again.filter(({ fact }) => fact.kind === 'served' || fact.kind === 'conflict');
  return taken.length > 0 ? held(taken) : undefined;
}

// RFC 9110 section 15.6: 5xx says that the server erred. A key that comes again with another request
// is the client's doing; 422 is the draft's answer, being served another.
function judgeReuse(story: Story): GroupJudgement | undefined {
  for (const role of ['other-body', 'elsewhere'] as const) {
    const reused = inRole(story, role);
    if (!endsIn(factsOf(reused), ['failed'])) continue;
    if (!inRole(story, `bare-${role}`).some(isServed)) continue;
    return broken(reused, 'an answer to a client that reuses a key, 422 for example, and not 5xx');
  }
  // A key is known to the service only once a request with it was served.
  if (!inRole(story, 'first').some(isServed)) return undefined;
  const reused = [...inRole(story, 'other-body'), ...inRole(story, 'elsewhere')];
  const answered = reused.filter(({ fact }) => fact.kind !== 'failed');
  return answered.length > 0 ? held(answered) : undefined;
}

// One of two equal requests at the same time must win; the other may have to wait (409), or get
// the same answer. Only what happens in every round, and without a key in none, counts.
function judgeTwins(story: Story): GroupJudgement | undefined {
  const rounds = [1, 2, 3].map((round) => inRole(story, `twin-${round}`));
  const complete = rounds.filter((round) => round.length === 2);
  const bad = complete.filter((round) => isBadRound(factsOf(round)));
  if (complete.length > bad.length) return held(complete.flat());
  const bare = inRole(story, 'bare-twin');
  if (bad.length < MIN_CERTAIN_REFUSALS || bare.length < 2 || !bare.every(isServed))
    return undefined;
  const failed = bad.flat().filter(({ fact }) => fact.kind === 'failed');
  const expected = 'one of two simultaneous requests with one key served, and neither answered 5xx';
  return broken(failed.length > 0 ? failed : bad.flat(), expected);
}

// Section 2.7 of the draft: a key that comes again with another payload should be refused (422). A
// service that keeps no memory of keys serves it. What neither does is to answer the first request
// once more; both requests without a key show that the answer depends on what differs.
function judgeOtherBody(story: Story): GroupJudgement | undefined {
  const [first] = inRole(story, 'first').filter(isServed);
  const other = inRole(story, 'other-body');
  if (first === undefined || other.length === 0) return undefined;
  if (!isReplayed(first.fact, factsOf(other))) {
    // An error of the service replays nothing, nor does it show that nothing is replayed.
    const answered = other.filter(
      ({ fact }) => fact.kind !== 'failed' && fact.text !== first.fact.text,
    );
    return answered.length > 0 ? held(answered) : undefined;
  }
  const texts = (role: IdempotencyRole): string[] =>
    inRole(story, role)
      .filter(isServed)
      .map(({ fact }) => fact.text);
  const [bare, bareOther] = [texts('bare'), texts('bare-other-body')];
  if (other.length < 2 || bare.length < 2 || bareOther.length < 2) return undefined;
  if (bareOther.some((text) => bare.includes(text))) return undefined;
  const expected = 'a refusal (422), or an answer to the body that was sent';
  return broken([first, ...other], expected, 'the answer to another body');
}

// Section 4: each endpoint has answers of its own. A key that comes to another one, with the same body or
// not, may be refused, or serve what is asked there. The answer of the first is what nobody asked for.
function judgeElsewhere(story: Story): GroupJudgement | undefined {
  const [first] = inRole(story, 'first').filter(isServed);
  const elsewhere = inRole(story, 'elsewhere').filter(({ fact }) => fact.kind !== 'failed');
  if (first === undefined || elsewhere.length === 0) return undefined;
  const replayed = elsewhere.filter(({ fact }) => isReplayed(first.fact, [fact]));
  if (replayed.length === 0) return held(elsewhere);
  const expected = 'a refusal (422), or an answer of the endpoint that was asked';
  return broken([first, ...replayed], expected, 'the answer of another endpoint, byte for byte');
}

function storiesOf(facts: readonly Collected<KeyFact>[]): Story[] {
  const stories = new Map<string, Collected<KeyFact>[]>();
  for (const fact of facts) {
    const story = stories.get(fact.fact.group);
    if (story === undefined) stories.set(fact.fact.group, [fact]);
    else story.push(fact);
  }
  return [...stories.values()];
}

/** Rules on what a key means for the request that comes with it (section 1, convention 5). */
export function idempotencyRules(api: 'zap' | 'trade'): readonly Rule[] {
  const rule = (
    name: string,
    source: string,
    protects: string,
    rulesOut: string,
    judge: (story: Story) => GroupJudgement | undefined,
    level: Level = 'should',
  ): Rule =>
    runRule<KeyFact>({
      id: `${api}.idempotency-key.${name}`,
      level,
      source,
      protects,
      rulesOut,
      api,
      operations: api === 'zap' ? ['zap.quote', 'zap.build-tx'] : TRADE_OPERATIONS,
      answer: 'answered',
      relation: IDEMPOTENCY,
      underLoad: 'without failures',
      leastEvidence: 1,
      collect: keyFactOf,
      conclude: (facts) =>
        storiesOf(facts).flatMap((story) => {
          const judgement = judge(story);
          return judgement === undefined ? [] : [judgement];
        }),
    });
  return [
    rule(
      'replay-is-taken',
      `implied by §1, ${DRAFT} section 2.6`,
      'A request that is repeated with its Idempotency-Key is not refused as wrong.',
      'A service that takes each key once: it would refuse the request that it has served.',
      judgeReplay,
    ),
    rule(
      'reuse-is-no-server-error',
      'implied by §1, RFC 9110 section 15.6',
      'A key that comes again with another request does not make the service fail.',
      'A service that fails if a key that it has stored comes with another request: it would answer 5xx.',
      judgeReuse,
    ),
    rule(
      'twins-are-served',
      `implied by §1, ${DRAFT} section 2.6`,
      'Of two equal requests with one key at the same time one is served.',
      'A service whose equal requests block each other: both would be refused, or one would fail.',
      judgeTwins,
    ),
    rule(
      'other-body-is-not-replayed',
      `${DRAFT} section 2.7`,
      'A request with a key that was used for another body is not answered as that other one.',
      'A service that finds answers by the key alone: it would give the answer to the first body, word for word.',
      judgeOtherBody,
    ),
    rule(
      'other-endpoint-is-not-replayed',
      'implied by §1, §4 (no service)',
      'A request with a key that was used at another endpoint is not answered as that one was.',
      'A service that finds answers by the key and the body: a build would be answered by its quote, without steps.',
      judgeElsewhere,
      'must',
    ),
  ];
}
