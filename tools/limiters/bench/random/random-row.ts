/** A random service, probed and graded. */

import type { EnvelopeRow } from '../../../../contracts/run/load/limit-measurement.ts';
import { DEFAULT_BUDGET, runProbe, type ProbeBudget } from '../../../../load/limits/index.ts';
import { factsOf } from '../../../../load/probe/facts/facts.ts';
import { gradeOf, type Grade } from '../../../../load/probe/grade/grade.ts';
import { short, truthText, type LimiterTruth } from '../../../../fixtures/known-limiters/truth.ts';
import { foundIn } from '../known/bench-row.ts';
import { drawService } from './draw.ts';
import { worldOf } from './world.ts';

/** What became of one seed. Plain data: it passes between threads. */
export interface RandomRow {
  readonly seed: number;
  readonly class: LimiterTruth['class'];
  readonly truth: string;
  readonly network: string;
  readonly kind: string;
  readonly found: readonly string[];
  /** As far as which it was tried, of what was identified. */
  readonly extent: string;
  readonly confidence: number;
  readonly grade: Grade;
  readonly stopped: string;
  readonly requests: number;
  readonly rejects: number;
  readonly seconds: number;
  readonly requestsOverBound: number;
  /** Absent if nothing has a window. */
  readonly secondsOverWindow?: number;
  /** What computing took, of the probe and the service together, s; longer on a busy machine. */
  readonly computingSeconds: number;
}

/** Patience that a user has who knows what is looked for, in windows of the limit. */
const MAX_WINDOWS = 12;
const MIN_SECONDS = 1000;
/** Beyond the default budget, if the limit itself takes most of it. */
const MAX_BOUNDS = 4;

/** A probe that computes for longer is ended, and reported as interrupted: one seed may not hold up a whole table. */
const MAX_COMPUTING_MS = 600_000;

/** What the probe of a limit may spend. */
function budgetFor({ limit, seconds = 0, countedSeconds = 0 }: LimiterTruth): ProbeBudget {
  return {
    ...DEFAULT_BUDGET,
    maxRequests: Math.max(DEFAULT_BUDGET.maxRequests, MAX_BOUNDS * (limit + 1)),
    maxSeconds: Math.max(MIN_SECONDS, MAX_WINDOWS * Math.max(seconds, countedSeconds)),
  };
}

/**
 * Probes the service of a seed, in no time but that of computing.
 *
 * @param maxComputingMs it is ended with the first burst after so long
 */
export async function randomRow(
  seed: number,
  maxComputingMs: number = MAX_COMPUTING_MS,
): Promise<RandomRow> {
  const service = drawService(seed);
  const { truth, wall, latencyMs, jitterMs, busyMs } = service;
  const startedMs = performance.now();
  const world = worldOf(service);
  const tooLong = new AbortController();
  const result = await runProbe(world, {
    budget: budgetFor(truth),
    signal: tooLong.signal,
    onBurst: () => {
      if (performance.now() - startedMs > maxComputingMs) tooLong.abort();
    },
    ...(wall === undefined ? {} : { wall }),
  });
  const { estimate, stopped, requests, rejects, seconds } = result;
  const { envelope = [] } = factsOf(result).estimate;
  const [metOuter, tripMs] = [world.metOuter(), latencyMs + jitterMs + busyMs];
  const isCutOff = stopped === 'failing' || stopped === 'interrupted';
  const kind = isCutOff && estimate.kind !== 'identified' ? 'inconclusive' : estimate.kind;
  return {
    seed,
    class: truth.class,
    truth: truthText(truth),
    network: networkText(service),
    kind,
    found: foundIn(estimate),
    extent: kind === 'identified' ? extentText(envelope) : '',
    confidence: estimate.confidence,
    grade: gradeOf(truth, { ...estimate, kind, envelope, metOuter }, tripMs),
    stopped,
    requests,
    rejects,
    seconds,
    requestsOverBound: requests / (truth.limit + 1),
    ...(truth.seconds === undefined ? {} : { secondsOverWindow: seconds / truth.seconds }),
    computingSeconds: (performance.now() - startedMs) / 1000,
  };
}

function networkText(service: ReturnType<typeof drawService>): string {
  const { latencyMs, jitterMs, busyMs, failing, waits, wall, countsFailures } = service;
  return [
    `${short(latencyMs)}+${short(jitterMs)}ms`,
    ...(busyMs === 0 ? [] : [`busy ${short(busyMs)}ms`]),
    `waits ${waits}`,
    wall === undefined ? 'no clock' : `clock ±${wall.uncertaintyMs}ms`,
    ...(failing === 0 ? [] : [`1 % fail${countsFailures ? ', counted' : ''}`]),
  ].join(', ');
}

function extentText(envelope: readonly EnvelopeRow[]): string {
  const rows = envelope.map(({ seconds, requests }) => `${requests} in ${seconds} s`);
  return rows.length === 0 ? '' : `as far as ${rows.join(', ')} show`;
}
