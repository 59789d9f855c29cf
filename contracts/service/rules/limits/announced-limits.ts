import type { Collected, GroupJudgement, Rule, Witness } from '../../../judging/rule.ts';
import { runRule } from '../../../judging/rule.ts';
import type { View } from '../../../judging/view.ts';
import { headerOf, type HeaderList } from '../../../wire/exchange.ts';
import { readRateLimitHeaders } from '../../../wire/rate-limit-headers.ts';
import type { RateLimitReading } from '../../../wire/rate-limit-reading.ts';
import { waitOf } from '../shared/reset-wait.ts';

type LimitedApi = 'zap' | 'trade';

/** What an answer says of one limit. */
interface AnnouncedLimit {
  readonly name: string;
  readonly limit: number;
  /** In which so many are admitted: the window, or what is left of it. */
  readonly seconds: number;
  readonly remaining: number | undefined;
  /** At most so many come back in a second. */
  readonly perSecond: number;
}

interface Fact {
  /** The operation, and with which credential it was asked. */
  readonly place: string;
  readonly client: string;
  readonly sentAtMs: number;
  readonly kind: 'served' | 'throttled' | 'other';
  /** Whether it costs a service what its limits are for: reads may be free. */
  readonly isPost: boolean;
  readonly announced: readonly AnnouncedLimit[];
  /** What remains, if that is less than nothing. */
  readonly belowZero: number | undefined;
}

/** No answer states more limits. */
const MAX_ANNOUNCED = 8;

/** Fields of answers that a cache may give out again, with what was left at that time. */
function mayBeCached(headers: HeaderList): boolean {
  const isKept = /\bpublic\b|max-age=0*[1-9]/i.test(headerOf(headers, 'cache-control') ?? '');
  const names = ['age', 'x-cache', 'cf-cache-status'];
  return isKept || names.some((name) => headerOf(headers, name) !== undefined);
}

function announcedBy(reading: RateLimitReading, nowMs: number): AnnouncedLimit[] {
  const { family, name = '', policies, remaining } = reading;
  const wait = waitOf(reading, nowMs);
  return policies.flatMap(({ limit, windowSeconds }): AnnouncedLimit[] => {
    const seconds = windowSeconds ?? wait;
    if (seconds === undefined || seconds < 1 || limit < 1) return [];
    const missing = Math.max(0, limit - (remaining ?? limit));
    const perSecond = Math.max(
      windowSeconds === undefined ? 0 : limit / windowSeconds,
      wait === undefined || wait < 1 ? 0 : missing / wait,
    );
    return [{ name: `${family} ${name} ${limit}`, limit, seconds, remaining, perSecond }];
  });
}

function factOf(view: View): Fact | null {
  const { exchange, operation, responseHeaders, throttled, succeeded } = view;
  const { request, sentAtMs } = exchange;
  // With the key of an earlier request, an answer may come without being counted.
  const isRepeat = headerOf(request.headers, 'idempotency-key') !== undefined;
  if (operation === undefined || view.status === 0 || isRepeat) return null;
  if (mayBeCached(responseHeaders)) return null;
  const { readings } = readRateLimitHeaders(responseHeaders);
  const announced = readings
    .flatMap((reading) => announcedBy(reading, sentAtMs))
    .slice(0, MAX_ANNOUNCED);
  const belowZero = readings.map(({ remaining }) => remaining).find((one = 0) => one < 0);
  if (announced.length === 0 && belowZero === undefined && !throttled) return null;
  const client = headerOf(request.headers, 'authorization') ?? '';
  const kind = throttled ? 'throttled' : succeeded ? 'served' : 'other';
  const isPost = request.method === 'POST';
  return {
    place: `${operation.id} ${client}`,
    client,
    sentAtMs,
    kind,
    isPost,
    announced,
    belowZero,
  };
}

/** What was announced of one limit at one operation, in the order of the requests. */
interface Course {
  readonly client: string;
  readonly limit: number;
  readonly answers: readonly {
    readonly sentAtMs: number;
    readonly announced: AnnouncedLimit;
    readonly witness: Witness;
  }[];
}

function coursesOf(facts: readonly Collected<Fact>[]): Course[] {
  const courses = new Map<
    string,
    { client: string; limit: number; answers: Course['answers'][number][] }
  >();
  for (const { fact, witness } of facts) {
    if (fact.kind !== 'served') continue;
    for (const announced of fact.announced) {
      const key = `${fact.place} ${announced.name}`;
      const { client, sentAtMs } = fact;
      const known = courses.get(key) ?? { client, limit: announced.limit, answers: [] };
      courses.set(key, known);
      known.answers.push({ sentAtMs, announced, witness });
    }
  }
  const inOrder = [...courses.values()];
  for (const { answers } of inOrder) answers.sort((a, b) => a.sentAtMs - b.sentAtMs);
  return inOrder;
}

/** So many times a limit is more than two windows, or a full bucket and its refill, let through. */
const TIMES = 3;

// Sections 7 and 8: there are limits, and header fields that state them. How they count is not shown.
// Reads may be free, each operation or node may have a limit of its own, and the windows of some let
// twice as many through.
function judgeEnforced(facts: readonly Collected<Fact>[]): GroupJudgement[] {
  const throttled = new Map(
    facts.flatMap(({ fact, witness }) =>
      fact.kind === 'throttled' ? [[fact.client, witness] as const] : [],
    ),
  );
  const posts = facts.filter(({ fact }) => fact.isPost);
  return coursesOf(posts).flatMap(({ client, limit, answers }): GroupJudgement[] => {
    let first = 0;
    for (const [last, { sentAtMs, announced, witness }] of answers.entries()) {
      while (sentAtMs - (answers[first]?.sentAtMs ?? sentAtMs) >= announced.seconds * 1000)
        first += 1;
      const count = last - first + 1;
      if (count <= TIMES * limit) continue;
      const expected = `a refusal, since ${limit} requests in ${announced.seconds} s are announced`;
      const actual = `${count} served in that time`;
      return [{ witnesses: [witness], judgement: [{ pointer: '', expected, actual }] }];
    }
    const refused = throttled.get(client);
    return refused === undefined ? [] : [{ witnesses: [refused], judgement: [] }];
  });
}

/** At least so many requests beyond what came back meanwhile; of large limits a part may be reported. */
const MIN_UNCHANGED = 20;
const PART_OF_LIMIT = 0.01;

// draft-ietf-httpapi-ratelimit-headers-10 section 4.1: the quota units that remain, of
// which there are none at the least. A bucket may be full again before the next request comes, so only
// requests that leave faster than it fills are evidence.
function judgeRemains(facts: readonly Collected<Fact>[]): GroupJudgement[] {
  const below = facts.find(({ fact }) => fact.belowZero !== undefined);
  if (below !== undefined) {
    const expected = '0 remaining, or more, in the rate-limit fields';
    const actual = String(below.fact.belowZero);
    return [{ witnesses: [below.witness], judgement: [{ pointer: '', expected, actual }] }];
  }
  return coursesOf(facts).flatMap(({ limit, answers }): GroupJudgement[] => {
    const announced = answers.filter((answer) => answer.announced.remaining !== undefined);
    const [first] = announced;
    if (first === undefined) return [];
    const { remaining } = first.announced;
    const other = announced.find((answer) => answer.announced.remaining !== remaining);
    if (other !== undefined) {
      return [{ witnesses: [first.witness, other.witness], judgement: [] }];
    }
    const least = Math.max(MIN_UNCHANGED, limit * PART_OF_LIMIT);
    let used = 0;
    let before = first.sentAtMs;
    for (const { sentAtMs, announced: one, witness } of announced) {
      if (one.perSecond === 0) return [];
      used = Math.max(0, used - ((sentAtMs - before) / 1000) * one.perSecond) + 1;
      before = sentAtMs;
      if (used <= least) continue;
      const expected = `fewer than ${remaining}, after ${Math.floor(used)} requests that nothing made up for`;
      const actual = `${remaining} remaining in each of ${announced.length} answers`;
      const witnesses = [first.witness, witness];
      return [{ witnesses, judgement: [{ pointer: '', expected, actual }] }];
    }
    return [];
  });
}

function announcedLimits(api: LimitedApi): readonly Rule[] {
  const draft = 'draft-ietf-httpapi-ratelimit-headers';
  const base = {
    api,
    level: 'should',
    operations: '*',
    answer: 'responded',
    once: true,
    leastEvidence: 1,
    underLoad: 'not judged',
    collect: factOf,
    weigh: ({ announced }: Fact): number => 3 + announced.length,
  } as const;
  return [
    runRule<Fact>({
      ...base,
      id: `${api}.rate-limit-fields.remaining-is-a-count`,
      source: `implied by §7, ${draft}`,
      protects:
        'What remains by the rate-limit fields becomes less as requests are made, down to nothing.',
      rulesOut: 'A service that states a constant: two answers state different numbers.',
      conclude: judgeRemains,
    }),
    runRule<Fact>({
      ...base,
      id: `${api}.rate-limit-fields.limit-is-kept`,
      source: 'implied by §7, §8',
      needs: { apis: [], also: 'a rate limit that the requests of the run exceed' },
      protects: 'A limit that is announced is one that the service keeps.',
      rulesOut:
        'A service whose fields state a limit that nothing enforces: a client was refused for it.',
      conclude: judgeEnforced,
    }),
  ];
}

/** Rules on limits as each answer states them (sections 7 and 8). */
export const announcedLimitRules: readonly Rule[] = [
  ...announcedLimits('zap'),
  ...announcedLimits('trade'),
];
