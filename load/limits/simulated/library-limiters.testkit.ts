/**
 * Limiters as libraries and proxies in use have them, where they differ from the plain ones. Written from
 * what these do, without a glance at `models/`.
 */

import { ADMITTED as yes, rejected as no } from '../../../fixtures/known-limiters/limiter.ts';
import { chance } from './simulation.testkit.ts';
import type { TestLimiter } from './limiters.testkit.ts';

/**
 * HAProxy's `http_req_rate` of a stick table, with `deny if … gt n`: two periods, the one before counted
 * by what of it is left, in whole requests. Each request is counted before it is judged, denied ones as
 * well. The first period begins with the first request, and anew after two without any.
 */
export function requestRate(n: number, periodMs: number): TestLimiter {
  let tickMs = -Infinity;
  let [before, now] = [0, 0];
  return {
    decide: (at) => {
      if (at - tickMs >= 2 * periodMs) [tickMs, before, now] = [at, 0, 0];
      else if (at - tickMs >= periodMs) [tickMs, before, now] = [tickMs + periodMs, now, 0];
      now += 1;
      const left = 1 - (at - tickMs) / periodMs;
      return now + Math.floor(before * left) <= n ? yes : no(tickMs + periodMs - at);
    },
  };
}

/**
 * A window that opens with a request, on a clock of whole seconds: it is over when that many of them have
 * begun since, so that the first one is cut short. As mod_qos counts the events of a client.
 */
export function wholeSeconds(n: number, seconds: number, epochMs: number): TestLimiter {
  let began = -Infinity;
  let hits = 0;
  return {
    decide: (at) => {
      const now = Math.floor((at + epochMs) / 1000);
      if (now - began >= seconds) [began, hits] = [now, 0];
      hits += 1;
      return hits <= n ? yes : no((began + seconds) * 1000 - at - epochMs);
    },
  };
}

/**
 * Refills at intervals that a clock of its own keeps, so that the first one is cut short: as bucket4j has
 * it where intervals are aligned, or the bucket was made before the first request.
 */
export function alignedRefill(
  capacity: number,
  refill: number,
  everyMs: number,
  startMs: number,
): TestLimiter {
  let tokens = capacity;
  let filled = 0;
  return {
    decide: (at) => {
      const due = Math.floor((at - startMs) / everyMs);
      tokens = Math.min(capacity, tokens + (due - filled) * refill);
      filled = due;
      if (tokens < 1) return no(startMs + (due + 1) * everyMs - at);
      tokens -= 1;
      return yes;
    },
  };
}

/**
 * A bucket of whole tokens: what has come since the last time that any came is counted in whole ones, and
 * the rest of that time is lost.
 */
export function wholeTokens(capacity: number, tokenMs: number): TestLimiter {
  let tokens = capacity;
  let last = 0;
  return {
    decide: (at) => {
      const come = Math.floor((at - last) / tokenMs);
      if (come > 0) [tokens, last] = [Math.min(capacity, tokens + come), at];
      if (tokens < 1) return no(last + tokenMs - at);
      tokens -= 1;
      return yes;
    },
  };
}

/** A window of the clock whose counter is read only so often: what comes between is let through. */
export function sampledWindow(n: number, windowMs: number, everyMs: number): TestLimiter {
  let slot = -1;
  let [hits, seen, sampled] = [0, 0, -1];
  return {
    decide: (at) => {
      const now = Math.floor(at / windowMs);
      if (now !== slot) [slot, hits, seen] = [now, 0, 0];
      const sample = Math.floor(at / everyMs);
      if (sample !== sampled) [sampled, seen] = [sample, hits];
      if (seen >= n) return no((slot + 1) * windowMs - at);
      hits += 1;
      return yes;
    },
  };
}

/** Workers, each with a memory of its own; any of them may get a request. */
export function workersOf(
  count: number,
  make: (index: number) => TestLimiter,
  seed: number,
): TestLimiter {
  const random = chance(seed);
  const all = Array.from({ length: count }, (_, index) => make(index));
  return {
    decide: (at, doneAt) => {
      const one = all[Math.floor(random() * count)];
      return one === undefined ? yes : one.decide(at, doneAt);
    },
  };
}
