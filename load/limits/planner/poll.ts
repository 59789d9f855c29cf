import type { Posterior, Alternative } from '../estimate/posterior.ts';
import type { Interval, LimiterClass } from '../models/index.ts';
import { hintOf, type Hint } from '../claims/hint.ts';
import { atMost, meet } from '../models/interval.ts';
import type { ProbeAction } from './pacing.ts';
import type { ProbeEvent } from '../transcript.ts';
import { overInMilliseconds } from '../claims/wait-unit.ts';

/** When the candidate's next admission comes, over all values of its time. */
function dueOf({ candidate: { base, factor, timeMs, nextMs } }: Alternative): Interval {
  const due = { lo: base.lo + factor * timeMs.lo, hi: base.hi + factor * timeMs.hi };
  return nextMs === undefined ? due : meet(due, nextMs);
}

/** A time at which admissions may begin, with its posterior probability. */
interface Moment {
  /** Just before, a request is surely rejected yet; just after, it is admitted. */
  readonly beforeMs: number;
  readonly afterMs: number;
  readonly probability: number;
  /** Whether it is one value, not a stretch of them. */
  readonly sharp: boolean;
}

/** A rejection costs one request, an admission at an unsharp time a whole round: so go in small steps. */
const STEP = 0.04;
/** Rejections are scarce: with each one so far the steps grow. */
const GROWTH = 1.09;
/** Halving is best where each rejection starts the wait anew, and where little comes back at a time. */
const HALVING = 0.5;
const HALVED: ReadonlySet<LimiterClass> = new Set([
  'restart-on-reject',
  'sliding-counter',
  'sliding-counter-counting-rejects',
  'token-bucket',
]);
/** A sharp moment with this probability gets a request just before as well. */
const HEAVY = 0.12;
/** The part of those near each other that makes one worth a request of its own. */
const NOTED = 0.1;
/** How far before a sharp moment the last rejection may lie, as a share of the wait. */
const NEAR = 0.004;
/** The same for the one right before a moment that has most of the posterior. */
const NEARER = 0.001;
/** The part of posterior within the service's word that makes it one moment, and how long that is. */
const FORESEEN = 0.4;
const FORESEEN_MS = 50;
/** As clocks are coarse, a moment is surely over, or surely yet to come, by so much, ms. */
const SURE_MS = 3;
/** The part of an untried wait after which it is asked, unless it was asked since this part of it. */
const GUARD = 0.95;
const NEAR_GUARD = 0.85;
/** What posterior outside the time that the service named counts for. */
const UNHINTED = 0.02;

/** The next single request while the bucket is believed empty. */
export function nextPoll(posterior: Posterior, nowMs: number, tripMs: number): ProbeAction {
  const { events } = posterior.transcript;
  const send = (atMs: number): ProbeAction => ({
    kind: 'send',
    waitUntilMs: Math.max(nowMs, atMs),
    concurrent: 1,
  });
  const admittedAt = events.findLastIndex(({ outcome }) => outcome === 'admitted');
  const rejected = rejectionsOf(events);
  const lastMs = events.at(-1)?.sentMs ?? nowMs;
  const sinceMs = events[admittedAt]?.sentMs ?? lastMs;
  const hint = hintOf(events, tripMs);
  const soonMs = hint === null ? null : overInMilliseconds(events, tripMs);
  if (soonMs !== null) return send(soonMs);
  const guardMs = hint === null ? null : guardOf(hint, sinceMs, lastMs);
  const all = momentsOf(posterior, nowMs, tripMs);
  if (guardMs !== null && guardMs > nowMs && hint !== null && !isForeseen(hint, all)) {
    return send(guardMs);
  }
  if (hint !== null && !hint.anew && !isForeseen(hint, all)) {
    if (hint.fromMs > nowMs && hint.fromMs - lastMs > NEAR * (hint.toMs - sinceMs)) {
      return send(hint.fromMs);
    }
  }
  const weighed = hint === null ? all : weighedBy(hint, all, nowMs);
  // One request when the first wait is over tells whether others have put it off.
  if (hint?.anew === true && hint.firstMs > nowMs) return send(hint.firstMs);
  // A wait that starts anew is obeyed, except for the moments at which others are to recover.
  const anewMs = hint?.anew === true ? hint.toMs : null;
  const sharp = all.filter(
    (one) => one.sharp && one.afterMs < (anewMs ?? 0) && one.probability > 0.05,
  );
  if (anewMs !== null) return send(Math.min(anewMs, ...sharp.map(({ afterMs }) => afterMs)));
  const moments = weighed;
  const total = moments.reduce((sum, { probability }) => sum + probability, 0);
  if (total === 0) return { kind: 'stop', reason: 'no-progress' };
  const halved = posterior.alternatives
    .filter(({ candidate }) => HALVED.has(candidate.class))
    .reduce((sum, { probability }) => sum + probability, 0);
  const step = total * (halved > 0.9 ? HALVING : Math.min(HALVING, STEP * GROWTH ** rejected));
  moments.sort((a, b) => a.afterMs - b.afterMs);
  let passed = 0;
  for (const [index, moment] of moments.entries()) {
    passed += moment.probability;
    const near = NEAR * (moment.afterMs - sinceMs);
    if (passed < step && !moment.sharp) continue;
    const cluster = moments
      .slice(index)
      .filter(({ sharp, afterMs }) => sharp && afterMs - moment.afterMs <= near);
    const heavy =
      moment.sharp &&
      cluster.reduce((sum, { probability }) => sum + probability, 0) >= HEAVY * total;
    if (passed < step && !heavy) continue;
    const before = Math.min(...cluster.map(({ beforeMs }) => beforeMs));
    if (
      heavy &&
      before > nowMs &&
      before - lastMs > Math.max(NEARER * (moment.afterMs - sinceMs), 2 * tripMs)
    )
      return send(before);
    return send(firstOf(moments.slice(0, index + 1), near, nowMs + tripMs).afterMs);
  }
  return send(moments.at(-1)?.afterMs ?? nowMs);
}

/** Rejections, of those of one burst the first alone. */
function rejectionsOf(events: readonly ProbeEvent[]): number {
  return events.filter(({ outcome, burst }, at) => {
    const before = events[at - 1];
    const isMore = before?.outcome === 'rejected' && burst !== undefined && burst === before.burst;
    return outcome === 'rejected' && !isMore;
  }).length;
}

/**
 * The first of the sharp moments that lie so near before the last one: the same window, counted from another
 * request. What is admitted then tells from which.
 *
 * @param moments in their order
 */
function firstOf(moments: readonly Moment[], nearMs: number, fromMs: number): Moment {
  const last = moments.at(-1);
  if (last === undefined) throw new RangeError('there is no moment');
  const isNear = ({ sharp, afterMs }: Moment): boolean =>
    sharp && afterMs >= fromMs && last.afterMs - afterMs <= nearMs;
  const all = moments.filter(isNear);
  const total = all.reduce((sum, { probability }) => sum + probability, 0);
  return all.find(({ probability }) => probability >= NOTED * total) ?? last;
}

/**
 * A moment not long before the one that is reported, where nobody asked near it and the waits were not seen
 * to be true yet: one that is too long is obeyed by mistake, and leaves open by how much. Else null.
 */
function guardOf({ firstMs, isSeen }: Hint, sinceMs: number, lastMs: number): number | null {
  const guardMs = sinceMs + GUARD * (firstMs - sinceMs);
  return isSeen || lastMs - sinceMs > NEAR_GUARD * (firstMs - sinceMs) ? null : guardMs;
}

/** Whether the service's word comes to one moment that most of the posterior expects anyway. */
function isForeseen({ fromMs, toMs }: Hint, moments: readonly Moment[]): boolean {
  const within = moments.filter(({ afterMs }) => afterMs >= fromMs && afterMs <= toMs);
  const total = within.reduce((sum, { probability }) => sum + probability, 0);
  const sharp = within.filter((one) => one.sharp).sort((a, b) => b.probability - a.probability);
  const [first] = sharp;
  if (first === undefined) return false;
  const near = sharp.filter(({ afterMs }) => Math.abs(afterMs - first.afterMs) < FORESEEN_MS);
  return near.reduce((sum, { probability }) => sum + probability, 0) >= FORESEEN * total;
}

function momentsOf(posterior: Posterior, nowMs: number, tripMs: number): Moment[] {
  const moments: Moment[] = [];
  for (const one of posterior.alternatives) {
    const { candidate, pointMasses } = one;
    if (one.probability < 1e-4) continue;
    const due = dueOf(one);
    if (candidate.open !== 'no' || due.hi <= nowMs) {
      moments.push({ beforeMs: nowMs, afterMs: nowMs, probability: one.probability, sharp: false });
      continue;
    }
    let rest = one.probability;
    for (const { ms, probability } of pointMasses) {
      rest -= probability;
      const at: Interval = meet(due, {
        lo: candidate.base.lo + candidate.factor * ms,
        hi: candidate.base.hi + candidate.factor * ms,
      });
      moments.push({
        beforeMs: at.lo - tripMs - SURE_MS,
        afterMs: Math.max(at.hi, nowMs) + SURE_MS,
        probability,
        sharp: at.hi >= at.lo && at.hi - at.lo < 4 * tripMs + 2 + NEAR * candidate.factor * ms,
      });
    }
    moments.push(...spread(due, rest, nowMs, candidate.factor));
  }
  return moments.filter(
    ({ afterMs, probability }) => probability > 1e-4 && Number.isFinite(afterMs),
  );
}

/** A stretch of times as a few points, evenly by the logarithm of the wait. */
function spread(due: Interval, probability: number, nowMs: number, factor: number): Moment[] {
  if (probability <= 0 || !Number.isFinite(due.lo)) return [];
  const points = 20;
  const from = Math.max(due.lo, nowMs + 1);
  const upTo = atMost(due, nowMs + 86_400_000).hi;
  const originMs = Math.min(due.lo, nowMs) - 100 * factor;
  const steps = Math.log((upTo - originMs) / (from - originMs));
  if (!(steps > 0)) return [{ beforeMs: from, afterMs: from, probability, sharp: false }];
  return Array.from({ length: points }, (_, index) => {
    const at = originMs + (from - originMs) * Math.exp((steps * (index + 1)) / points);
    return { beforeMs: at, afterMs: at, probability: probability / points, sharp: false };
  });
}

/** Moments weighed by the service's word. A moment at its end makes sure that it is tried. */
function weighedBy({ fromMs, toMs }: Hint, moments: readonly Moment[], nowMs: number): Moment[] {
  const weighed = moments.map((moment) =>
    moment.afterMs >= fromMs && moment.afterMs <= toMs
      ? moment
      : { ...moment, probability: moment.probability * UNHINTED },
  );
  const probability = weighed.reduce((sum, one) => sum + one.probability, 0) / 2;
  if (toMs <= nowMs) return weighed;
  return [
    ...weighed,
    { beforeMs: Math.max(nowMs, fromMs), afterMs: toMs, probability, sharp: true },
  ];
}
