import type { Collected, GroupJudgement, Rule, Witness } from '../../../judging/rule.ts';
import { runRule } from '../../../judging/rule.ts';
import type { View } from '../../../judging/view.ts';
import { headerOf, type HeaderList } from '../../../wire/exchange.ts';
import { readRateLimitHeaders } from '../../../wire/rate-limit-headers.ts';
import type { RateLimitReading } from '../../../wire/rate-limit-reading.ts';
import { waitOf } from '../shared/reset-wait.ts';

type LimitedApi = 'zap' | 'trade';

/** What an answer says of one limit. */
interface Told {
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
  readonly told: readonly Told[];
  /** What remains, where that is less than nothing. */
  readonly belowZero: number | undefined;
}

/** No answer tells of more limits. */
const MAX_TOLD = 8;

/** Fields of answers that a cache may give out again, with what was left at that time. */
function mayBeCached(headers: HeaderList): boolean {
  const isKept = /\bpublic\b|max-age=0*[1-9]/i.test(headerOf(headers, 'cache-control') ?? '');
  const names = ['age', 'x-cache', 'cf-cache-status'];
  return isKept || names.some((name) => headerOf(headers, name) !== undefined);
}

function toldBy(reading: RateLimitReading, nowMs: number): Told[] {
  const { family, name = '', policies, remaining } = reading;
  const wait = waitOf(reading, nowMs);
  return policies.flatMap(({ limit, windowSeconds }): Told[] => {
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
  const told = readings.flatMap((reading) => toldBy(reading, sentAtMs)).slice(0, MAX_TOLD);
  const belowZero = readings.map(({ remaining }) => remaining).find((one = 0) => one < 0);
  if (told.length === 0 && belowZero === undefined && !throttled) return null;
  const client = headerOf(request.headers, 'authorization') ?? '';
  const kind = throttled ? 'throttled' : succeeded ? 'served' : 'other';
  const isPost = request.method === 'POST';
  return { place: `${operation.id} ${client}`, client, sentAtMs, kind, isPost, told, belowZero };
}

/** What was told of one limit at one operation, in the order in which it was asked. */
interface Course {
  readonly client: string;
  readonly limit: number;
  readonly answers: readonly {
    readonly sentAtMs: number;
    readonly told: Told;
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
    for (const told of fact.told) {
      const key = `${fact.place} ${told.name}`;
      const { client, sentAtMs } = fact;
      const known = courses.get(key) ?? { client, limit: told.limit, answers: [] };
      courses.set(key, known);
      known.answers.push({ sentAtMs, told, witness });
    }
  }
  const inOrder = [...courses.values()];
  for (const { answers } of inOrder) answers.sort((a, b) => a.sentAtMs - b.sentAtMs);
  return inOrder;
}

/** So many times a limit is more than two windows, or a full bucket and its refill, let through. */
const TIMES = 3;

// Sections 7 and 8: there are limits, and header fields that tell of them. How they count is not shown:
// reads may be free, each operation or node may have a limit of its own, and the windows of some let
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
    for (const [last, { sentAtMs, told, witness }] of answers.entries()) {
      while (sentAtMs - (answers[first]?.sentAtMs ?? sentAtMs) >= told.seconds * 1000) first += 1;
      const count = last - first + 1;
      if (count <= TIMES * limit) continue;
      const expected = `a refusal, since ${limit} requests in ${told.seconds} s are announced`;
      const actual = `${count} served in that time`;
      return [{ witnesses: [witness], judgement: [{ pointer: '', expected, actual }] }];
    }
    const refused = throttled.get(client);
    return refused === undefined ? [] : [{ witnesses: [refused], judgement: [] }];
  });
}

/** At least so many requests beyond what came back meanwhile; of large limits a part may be told. */
const MIN_UNCHANGED = 20;
const PART_OF_LIMIT = 0.01;

// draft-ietf-httpapi-ratelimit-headers-10 section 4.1: the quota units that remain, of
// which there are none at the least. A bucket may be full again before the next request comes, so only requests that leave faster than it fills are telling.
function judgeRemains(facts: readonly Collected<Fact>[]): GroupJudgement[] {
  const below = facts.find(({ fact }) => fact.belowZero !== undefined);
  if (below !== undefined) {
    const expected = '0 remaining, or more, in the rate-limit fields';
    const actual = String(below.fact.belowZero);
    return [{ witnesses: [below.witness], judgement: [{ pointer: '', expected, actual }] }];
  }
  return coursesOf(facts).flatMap(({ limit, answers }): GroupJudgement[] => {
    const told = answers.filter((answer) => answer.told.remaining !== undefined);
    const [first] = told;
    if (first === undefined) return [];
    const { remaining } = first.told;
    const other = told.find((answer) => answer.told.remaining !== remaining);
    if (other !== undefined) {
      return [{ witnesses: [first.witness, other.witness], judgement: [] }];
    }
    const least = Math.max(MIN_UNCHANGED, limit * PART_OF_LIMIT);
    let used = 0;
    let before = first.sentAtMs;
    for (const { sentAtMs, told: one, witness } of told) {
      if (one.perSecond === 0) return [];
      used = Math.max(0, used - ((sentAtMs - before) / 1000) * one.perSecond) + 1;
      before = sentAtMs;
      if (used <= least) continue;
      const expected = `fewer than ${remaining}, after ${Math.floor(used)} requests that nothing made up for`;
      const actual = `${remaining} remaining in each of ${told.length} answers`;
      const witnesses = [first.witness, witness];
      return [{ witnesses, judgement: [{ pointer: '', expected, actual }] }];
    }
    return [];
  });
}

function toldLimits(api: LimitedApi): readonly Rule[] {
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
    weigh: ({ told }: Fact): number => 3 + told.length,
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

/** Rules on limits as each answer tells of them (sections 7 and 8). */
export const toldLimitRules: readonly Rule[] = [...toldLimits('zap'), ...toldLimits('trade')];
