/** What a probe found, in the words of the contract room. */

import type {
  LimitEstimate,
  LimitVerdict,
  StackedLimit,
} from '../../../contracts/run/load/limit-measurement.ts';
import type { LimitIntervals } from '../../../contracts/run/run.ts';
import type {
  ClassEstimate,
  Parameter,
  ProbeEvent,
  ProbeResult,
  Shaping,
} from '../../limits/index.ts';
import { nameOf } from './class-names.ts';
import { envelopeOf } from './envelope.ts';
import { triedExtent } from './tried-extent.ts';
import { whyOf } from './why.ts';

/** An estimate, with what is known of how sure it is. */
export interface Facts {
  readonly estimate: LimitEstimate;
  readonly intervals: LimitIntervals;
  /** Posterior in the first class, from 0 to 1. */
  readonly confidence: number;
}

/** Values of several classes within this ratio of each other are reported as one. */
const SAME_RATIO = 1.1;

/** An interval whose ends are further apart is not reported. */
const TELLING_RATIO = 10;

/** Reads a probe's result; one that had to stop before it was sure is inconclusive. */
export function factsOf({ estimate: found, transcript, stopped }: ProbeResult): Facts {
  const { kind, classes, confidence } = found;
  const cutOff = stopped === 'interrupted' || stopped === 'failing';
  // Where nothing was let in, nobody knows of a limit or of none.
  const isUnreported = !transcript.events.some(({ outcome }) => outcome === 'admitted');
  const isCut = cutOff && kind !== 'identified';
  const verdict: LimitVerdict = isCut || isUnreported ? 'inconclusive' : kind;
  const parameters = {
    limit: shared(classes, ({ limit }) => limit),
    windowSeconds: shared(classes, ({ windowSeconds }) => windowSeconds),
    burst: shared(classes, ({ burst }) => burst),
    refillPerSecond: shared(classes, ({ refillPerSecond }) => refillPerSecond),
    refill: shared(classes, ({ refill }) => refill),
    intervalSeconds: shared(classes, ({ intervalSeconds }) => intervalSeconds),
    penaltySeconds: shared(classes, ({ penaltySeconds }) => penaltySeconds),
  };
  const known = Object.entries(parameters).filter(
    (entry): entry is [keyof typeof parameters, Parameter] =>
      entry[1] !== undefined && isTelling(entry[1]),
  );
  // A value that is known only by far too wide an interval is none to compare others with.
  const values = Object.fromEntries(
    known
      .filter(([name, { lo, hi }]) => name !== 'penaltySeconds' && hi <= lo * SAME_RATIO)
      .map(([name, { value }]) => [name, rounded(value)]),
  );
  const shape = found.refillPerSecond;
  const queue = found.shaping;
  const why = whyOf({ estimate: found, stopped });
  return {
    estimate: {
      verdict,
      ...(why === undefined || verdict === 'inconclusive' ? {} : { why }),
      algorithms: classes.map((one) => nameOf(one.class)),
      ...values,
      ...(shape === undefined ? {} : { refillPerSecond: rounded(shape) }),
      ...(queue === undefined ? {} : waitingIn(queue)),
      ...(kind === 'stacked' ? { stacked: classes.map(stackedLimit) } : {}),
      envelope:
        verdict === 'identified'
          ? triedExtent(transcript.events, parameters.windowSeconds?.value ?? 0)
          : envelopeOf(transcript.events),
      admitted: admittedInARow(transcript.events),
    },
    intervals: Object.fromEntries(
      known.map(([name, { lo, hi }]) => [name, [rounded(lo), rounded(hi)] as const]),
    ),
    confidence: rounded(confidence),
  };
}

/** What passes at once, and what waits beyond it. */
function waitingIn({ free, held, rejects }: Shaping): Pick<LimitEstimate, 'burst' | 'queue'> {
  return { burst: free, queue: { requests: held, beyond: rejects ? 'rejected' : 'not-tried' } };
}

/** Whether an interval says anything: one of more than tenfold only says that it is not known. */
function isTelling({ lo, hi }: Parameter): boolean {
  return hi <= lo * TELLING_RATIO;
}

function stackedLimit({ class: name, alike, limit, windowSeconds }: ClassEstimate): StackedLimit {
  return {
    algorithm: nameOf(name),
    ...(alike === undefined ? {} : { alternatives: alike.map(nameOf) }),
    limit: limit.value,
    windowSeconds: rounded(windowSeconds?.value ?? 0),
  };
}

/** A parameter on which all classes that are left agree. */
function shared(
  classes: readonly ClassEstimate[],
  pick: (one: ClassEstimate) => Parameter | undefined,
): Parameter | undefined {
  const [first, ...more] = classes.map(pick);
  if (first === undefined || !Number.isFinite(first.value)) return undefined;
  let all = first;
  for (const other of more) {
    if (other === undefined) return undefined;
    const ratio = other.value / first.value;
    if (!(ratio < SAME_RATIO && ratio > 1 / SAME_RATIO)) return undefined;
    all = { ...all, lo: Math.min(all.lo, other.lo), hi: Math.max(all.hi, other.hi) };
  }
  return Number.isFinite(all.lo) && Number.isFinite(all.hi) ? all : undefined;
}

/** The longest run of admissions, and the time that it took. */
function admittedInARow(events: readonly ProbeEvent[]): NonNullable<LimitEstimate['admitted']> {
  let best: readonly ProbeEvent[] = [];
  let run: ProbeEvent[] = [];
  for (const event of events) {
    if (event.outcome === 'admitted') run = [...run, event];
    else if (event.outcome === 'rejected') run = [];
    if (run.length > best.length) best = run;
  }
  const [first, last] = [best[0], best.at(-1)];
  const ms = first === undefined || last === undefined ? 0 : last.receivedMs - first.sentMs;
  return { requests: best.length, seconds: rounded(ms / 1000) };
}

/** Four digits tell all that is known. */
export function rounded(value: number): number {
  return Number(value.toPrecision(4));
}
