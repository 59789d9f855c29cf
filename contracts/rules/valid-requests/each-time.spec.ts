import { expect, test } from 'vitest';
import { PROFILES } from '../../judging/profile.ts';
import type { Collected } from '../../judging/rule.ts';
import {
  certainAfter,
  judgeEachTime,
  OUTAGES_IN_A_ROW,
  OUTAGES_ONE_IN,
  RUNS_WITHOUT_ALARM,
} from './each-time.ts';
import type { SentFact } from './sent-requests.ts';
import { hashOf } from '../../wire/text-hash.ts';

/** Requests of a run of the largest profile. */
const MOST_REQUESTS = Math.max(...Object.values(PROFILES).map(({ maxRequests }) => maxRequests));

test('the fewest outages are asked for that alarm in fewer than one of 10,000 legal runs', () => {
  // Each request of a run may begin a series, so this is more than the probability of any.
  const alarmsOfRuns = (outages: number): number =>
    RUNS_WITHOUT_ALARM * MOST_REQUESTS * OUTAGES_ONE_IN ** -outages;
  expect(alarmsOfRuns(OUTAGES_IN_A_ROW)).toBeLessThan(1);
  expect(alarmsOfRuns(OUTAGES_IN_A_ROW - 1)).toBeGreaterThan(1);
});

/** Numbers from 0 to below 1 that repeat with the seed. */
function chanceOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A run over a service with outages, of which each is asked again until it is certain or over. */
function runOver(seed: number, outagesOneIn: number, requests: number): Collected<SentFact>[] {
  const chance = chanceOf(seed);
  const facts: Collected<SentFact>[] = [];
  const send = (path: string): SentFact['answer'] => {
    const answer = chance() < 1 / outagesOneIn ? 'outage' : 'served';
    const request = { method: 'GET', path, url: path, headers: [], body: null };
    facts.push({
      fact: {
        kind: 'books.list',
        same: hashOf(path),
        answer,
        mayChange: false,
        said: answer === 'outage' ? '503' : '',
      },
      witness: { id: `x${facts.length}`, request },
    });
    return answer;
  };
  for (let number = 0; facts.length < requests; number += 1) {
    for (let time = 0; time < OUTAGES_IN_A_ROW && send(`/books/${number}`) === 'outage';) {
      send('/books');
      time += 1;
    }
  }
  return facts;
}

const alarms = (facts: readonly Collected<SentFact>[]): number =>
  judgeEachTime(facts, 'excusable').filter(({ judgement }) => judgement?.length === 1).length;

test('a service with outages one time in fifteen raises no alarm in any of thirty whole runs', () => {
  const found = Array.from({ length: 30 }, (_, seed) => alarms(runOver(seed, 15, MOST_REQUESTS)));
  expect(found.every((count) => count === 0)).toBe(true);
  // The same run sees it if the outages are of every second answer.
  expect(alarms(runOver(1, 2, 4_000))).toBe(1);
});

test('how often is certain: by what an answer may be gone the next moment, or is stated', () => {
  expect(certainAfter(['failed'])).toBe(3);
  expect(certainAfter(['failed', 'outage'])).toBe(5);
  expect(certainAfter(['unanswered'])).toBe(5);
  expect(certainAfter(['outage'])).toBe(8);
  expect(certainAfter(['outage', 'stated'])).toBe(8);
  expect(certainAfter(['stated', 'failed'])).toBe(3);
});
