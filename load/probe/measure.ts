/** What all stages found of one bucket, as the rules read it and as reports show it. */

import type { LimitMeasurement, WaitTruth } from '../../contracts/run/load/limit-measurement.ts';
import { bucketMet } from '../../contracts/run/load/bucket-met.ts';
import type {
  LimitCost,
  LimitRow,
  LimitScenario,
  MeasuredLimit,
  RetryAfterRow,
} from '../../contracts/run/run.ts';
import {
  PUT_OFF,
  headerClaims,
  recoveriesOf,
  remainingTruth,
  slowRoundTripMs,
  waitTruths,
  type MeasuredRejection,
} from '../limits/index.ts';
import type { Reported } from './sender.ts';
import { failuresCounted } from './failures-count.ts';
import type { FannedOut } from './fan-out.ts';
import { clientLimit } from './facts/client-limit.ts';
import { rounded } from './facts/facts.ts';
import { isRejected, type ProbedBucket } from './probing.ts';
import type { Waited } from './wait-cycle.ts';

/** What came after the limit was found; what was not done is absent. */
export interface LaterStages {
  readonly fannedOut?: FannedOut;
  readonly waits?: Waited;
  readonly scenario?: LimitScenario;
  /** The requests of that client. */
  readonly paced?: readonly Reported[];
  /** What all stages took, that of finding the limit included. */
  readonly whole?: LimitCost;
}

/** Classes in which asking while rejected puts the recovery off. */
const DELAYED: ReadonlySet<string> = PUT_OFF;

const TOO_MANY_REQUESTS = 429;

/** What of a budget may end the search for a limit. */
const ENDINGS = ['max-requests', 'max-rejects', 'max-seconds'] as const;

/** Most exchanges that are kept to show a limit. */
const MAX_WITNESSES = 6;

/** Puts together what is known of a bucket. */
export function measured(probed: ProbedBucket, later: LaterStages): MeasuredLimit {
  const { bucket, facts, reported, result } = probed;
  const { fannedOut, waits: waited, scenario, whole } = later;
  const { estimate } = facts;
  const waits = waitsIn(probed, [reported, waited?.reported ?? []]).truths;
  const failures = failuresCounted(
    reported,
    fannedOut?.exhausted,
    fannedOut?.fanOut ?? [],
    estimate,
  );
  const claims = headerClaims(reported, estimate);
  const remaining = remainingTruth(reported, estimate);
  const measurement: LimitMeasurement = {
    api: bucket.api,
    client: bucket.client,
    estimate,
    waits,
    fanOut: fannedOut?.fanOut ?? [],
    failures,
    headerClaims: claims,
    ...(remaining === undefined ? {} : { remaining }),
    witnesses: witnessesOf(reported),
  };
  const rowOf = (source: WaitTruth['source']): RetryAfterRow | undefined =>
    waitRow(waits.find((one) => one.source === source));
  const [body, field, reset] = [rowOf('body'), rowOf('retry-after'), rowOf('rate-limit-reset')];
  const { verdict, algorithms, admitted, ...values } = estimate;
  const { fullSeconds } = probed;
  const read = [body, field].find((one) => one !== undefined && one.verdict !== 'absent');
  const known = { estimate, intervals: facts.intervals, fullSeconds, waits: read?.verdict };
  const client = clientLimit(known);
  const endedBy = ENDINGS.find((ending) => ending === result.stopped);
  const otherStatuses = [...new Set(reported.filter(isRejected).map(({ status }) => status))]
    .filter((status) => status !== TOO_MANY_REQUESTS)
    .sort((a, b) => a - b);
  const row: LimitRow = {
    api: bucket.api,
    scope: bucket.scope,
    verdict,
    algorithms,
    ...values,
    ...(values.limit === undefined && admitted !== undefined ? { admitted } : {}),
    intervals: facts.intervals,
    confidence: facts.confidence,
    ...(body === undefined ? {} : { retryAfter: body }),
    ...(field === undefined && reset === undefined
      ? {}
      : {
          headers: {
            ...(field === undefined ? {} : { 'retry-after': field }),
            ...(reset === undefined ? {} : { 'rate-limit-reset': reset }),
          },
        }),
    ...(otherStatuses.length === 0 ? {} : { throttledWith: otherStatuses }),
    buckets: measurement.fanOut.map((fan) => ({ kind: fan.kind, met: bucketMet(fan, estimate) })),
    failures,
    headerClaims: claims,
    ...(scenario === undefined ? {} : { scenario }),
    ...(client === undefined ? {} : { client }),
    ...(probed.stopped === undefined ? {} : { stopped: probed.stopped }),
    ...(endedBy === undefined ? {} : { endedBy }),
    ...(whole === undefined ? {} : { whole: { ...whole, seconds: rounded(whole.seconds) } }),
    requests: reported.length,
    rejects: reported.filter(isRejected).length,
    seconds: rounded(result.seconds),
  };
  return { measurement, row };
}

/** A recovery is known so closely if one was rejected this long before, ms: a wait may be rounded up by a second. */
const CLOSELY_MS = 1000;

/**
 * Whether the waits of all sources were seen to be true while the limit was found: of several rejections, and one
 * was rejected that came shortly before the end.
 */
export function areWaitsSeen(probed: ProbedBucket): boolean {
  const { rejections, truths } = waitsIn(probed, [probed.reported]);
  const isClose = rejections.some(({ recovery: { notBeforeMs, notAfterMs } }) => {
    return notBeforeMs !== undefined && (notAfterMs ?? Infinity) - notBeforeMs <= CLOSELY_MS;
  });
  const known = truths.filter(({ verdict }) => verdict !== 'absent');
  return isClose && known.length > 0 && known.every(isSeen);
}

function isSeen({ verdict, judged }: WaitTruth): boolean {
  return verdict === 'honest' && judged > 1;
}

/** Each cycle began with a full bucket, so none says anything of the rejections of another. */
function waitsIn(probed: ProbedBucket, cycles: readonly (readonly Reported[])[]) {
  const delays = mayDelay(probed);
  const rejections = cycles.flatMap((events) => withRecoveries(events, delays));
  return { rejections, truths: waitTruths(rejections, slowRoundTripMs(cycles.flat())) };
}

/** In doubt, asking puts recovery off. */
function mayDelay({ facts: { estimate } }: ProbedBucket): boolean {
  return estimate.algorithms.length === 0 || estimate.algorithms.some((name) => DELAYED.has(name));
}

function withRecoveries(events: readonly Reported[], delays: boolean): MeasuredRejection[] {
  return [...recoveriesOf(events, delays)].flatMap(([index, recovery]) => {
    const event = events[index];
    return event === undefined ? [] : [{ ...event, recovery }];
  });
}

function waitRow(wait: WaitTruth | undefined): RetryAfterRow | undefined {
  if (wait === undefined) return undefined;
  const { verdict, detail, medianErrorMs, worstErrorMs } = wait;
  return {
    verdict,
    detail,
    ...(medianErrorMs === undefined ? {} : { medianErrorMs: Math.round(medianErrorMs) }),
    ...(worstErrorMs === undefined ? {} : { worstErrorMs: Math.round(worstErrorMs) }),
  };
}

/** The first rejection and those around it. */
function witnessesOf(reported: readonly Reported[]): LimitMeasurement['witnesses'] {
  const first = reported.findIndex(isRejected);
  const from = first === -1 ? 0 : Math.max(0, first - 1);
  return reported.slice(from, from + MAX_WITNESSES).map(({ witness }) => witness);
}
