import type { LimiterTruth } from '../../../../fixtures/known-limiters/truth.ts';
import type { WildLimiter } from './wild-limiter.ts';

interface JavaCase {
  readonly name: string;
  /** Absent if the library has none. */
  readonly limit?: number;
  readonly refill: number;
  readonly periodMs: number;
  readonly parameters: string;
  readonly truths: WildLimiter['truths'];
  readonly note?: string;
}

function java({
  name,
  limit = 0,
  refill,
  periodMs,
  parameters,
  truths,
  note,
}: JavaCase): WildLimiter {
  return {
    family: 'java',
    name,
    parameters,
    truths,
    ...(note === undefined ? {} : { note }),
    command: ({ tool, port }) => ({
      program: 'java',
      args: [
        // Without it the second packet of an answer waits for 40 ms.
        ...['-Dsun.net.httpserver.nodelay=true', '-Xmx128m', '-cp', tool, 'Limiters'],
        ...[String(port), name, String(limit), String(refill), String(periodMs)],
      ],
    }),
  };
}

const bucketOf = (limit: number, perSecond: number): LimiterTruth => ({
  class: 'token-bucket',
  limit,
  perSecond,
  seconds: limit / perSecond,
});

/** All of it comes back at once, at times that its start decides. */
const cyclesOf = (limit: number, seconds: number): WildLimiter['truths'] => [
  { class: 'clock-window', limit, seconds },
  { class: 'interval-refill', limit, refill: limit, seconds, intervalSeconds: seconds },
];

/** Libraries of Java, for all clients together. */
export const JAVA_LIMITERS: readonly WildLimiter[] = [
  java({
    name: 'bucket4j greedy',
    parameters: '14 at once, 7 in 2 s',
    ...{ limit: 14, refill: 7, periodMs: 2000 },
    truths: [bucketOf(14, 3.5)],
  }),
  java({
    name: 'bucket4j intervally',
    parameters: '10 at once, 4 each 2 s',
    ...{ limit: 10, refill: 4, periodMs: 2000 },
    truths: [{ class: 'interval-refill', limit: 10, refill: 4, intervalSeconds: 2, seconds: 5 }],
    note: 'the intervals begin at its start, whoever asks',
  }),
  java({
    name: 'resilience4j',
    parameters: '16 each 3 s',
    ...{ limit: 16, refill: 16, periodMs: 3000 },
    truths: cyclesOf(16, 3),
    note: 'cycles one after another from its start on',
  }),
  java({
    name: 'guava',
    parameters: '5/s, a second saved up',
    ...{ refill: 5, periodMs: 1000 },
    truths: [bucketOf(6, 5)],
    note: 'the next one pays for what was taken too early, so one more than are saved up',
  }),
];
