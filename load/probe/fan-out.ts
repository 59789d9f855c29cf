/** Whose bucket it is: requests of each kind in an order that is drawn, while the plain one is rejected. */

import type { FanOut } from '../../contracts/run/load/limit-measurement.ts';
import {
  type AskedKind,
  fanOutOfKind,
  isOpen,
  learnRound,
  nextRound,
  type Round,
} from './asked-kinds.ts';
import { reportsHold } from '../limits/index.ts';
import type { Reported } from './sender.ts';
import {
  endingOf,
  exhaust,
  isRejected,
  type Ending,
  type ProbedBucket,
  type Probing,
} from './probing.ts';
import { failFirst, leftToFail, type Exhausted } from './failures-count.ts';
import { shuffled } from './round.ts';

/** What fanning out found. */
export interface FannedOut {
  readonly fanOut: readonly FanOut[];
  /**
   * Plain requests after the last variation: only their rejections are followed by nothing else that
   * might have been counted.
   */
  readonly after: readonly Reported[];
  /** How many requests failed before, what the bucket admitted after them, and for how long; absent where nothing was rejected. */
  readonly exhausted?: Exhausted;
  /** What ended it before all variations were tried. */
  readonly ending?: Ending | undefined;
}

/** Plain requests one by one that may be needed to have the bucket exhausted once more. */
const MAX_TO_EXHAUST = 30;
/** How often it may have filled up meanwhile. */
const MAX_REFILLS = 4;
const MAX_ROUNDS = 5;
/** Rounds are apart by up to this part of the time in which the bucket fills, or by so much, ms. */
const PAUSE_PART = 0.1;
const MAX_PAUSE_MS = 2000;
/** No pause takes more than this part of the time that is left. */
const LEFT_PART = 0.05;
/** Plain requests in a row that come to nothing, by which the stage ends. */
const MAX_FAILURES = 2;

/**
 * Sends some requests that fail, exhausts a bucket and sends rounds of requests: of each kind that is not known yet
 * one or some, among plain ones, in an order that is drawn, since a limiter may keep step with any fixed one. A
 * round begins and ends with a plain request; later ones come after a pause of random length. The bucket is full,
 * unless the service says truly how much is left.
 *
 * @param mostRejects rejections that it may cause
 * @throws {BudgetExceeded} {@link Interrupted} before the bucket is exhausted; later they end it
 */
export async function fanOutOf(
  probed: ProbedBucket,
  probing: Probing,
  mostRejects: number,
): Promise<FannedOut> {
  const { bucket, facts, fullSeconds = Infinity } = probed;
  const { sender, clock, budgetLeft, random } = probing;
  const leastLeft = budgetLeft.left.rejects - mostRejects;
  const kinds: AskedKind[] = [];
  for (const variation of bucket.variations) {
    const earlier = variation.asksBefore ? await sender(variation.ask(0)) : undefined;
    kinds.push({
      variation,
      admittedBefore: earlier?.outcome === 'admitted' ? 1 : 0,
      trials: [],
      witnesses: earlier === undefined ? [] : [earlier.witness],
      chance: 1,
      asked: 0,
    });
  }
  const left = reportsHold(probed.reported) ? await leftToFail(probed, probing) : undefined;
  const startedMs = clock.nowMs();
  const failed = await failFirst(probed, probing, left);
  const burst = await exhaust(probed, probing);
  if (!burst.some(isRejected)) return { fanOut: [], after: [] };
  const exhausted: Exhausted = {
    ...(left === undefined ? {} : { left }),
    failed,
    admitted: burst.filter(({ outcome }) => outcome === 'admitted').length,
    seconds: (clock.nowMs() - startedMs) / 1000,
  };
  let last = burst.at(-1);
  const plain = async (): Promise<Reported> => (last = await sender(bucket.plain));
  const again = refilling(probed, probing, plain);

  const ending = await endingOf(async () => {
    for (let nth = 0; nth < MAX_ROUNDS; nth += 1) {
      const open = kinds.filter((one) => isOpen(one, facts.estimate));
      const round = nextRound(open, nth, facts.estimate, budgetLeft.left.rejects - leastLeft);
      if (round === null) break;
      if (nth > 0) {
        const mostMs = Math.min(MAX_PAUSE_MS, PAUSE_PART * 1000 * fullSeconds);
        await budgetLeft.sleep(
          random() * Math.min(mostMs, LEFT_PART * 1000 * budgetLeft.left.seconds),
        );
      }
      const first = nth === 0 && last?.outcome === 'rejected' ? last : await again();
      if (first === undefined) break;
      await ask(round, first, probing, plain);
    }
  });
  const after = last === undefined ? [] : [last];
  return { fanOut: kinds.map(fanOutOfKind), after, exhausted, ending };
}

/** Sends the requests of a round; what was learned until it was ended stays. */
async function ask(
  { kinds, plain: count }: Round,
  first: Reported,
  { sender, random }: Probing,
  plain: () => Promise<Reported>,
): Promise<void> {
  const drawn = shuffled<AskedKind | undefined>(
    [...kinds, ...Array.from({ length: count }, () => undefined)],
    random,
  );
  const slots = [slotOf(first, undefined)];
  try {
    for (const kind of drawn) {
      const reported =
        kind === undefined ? await plain() : await sender(kind.variation.ask((kind.asked += 1)));
      slots.push(slotOf(reported, kind));
    }
    slots.push(slotOf(await plain(), undefined));
  } finally {
    const isWhole = slots.length === drawn.length + 2;
    for (const kind of new Set(kinds)) learnRound(kind, slots, isWhole);
  }
}

function slotOf(reported: Reported, kind: AskedKind | undefined) {
  return {
    kind,
    outcome: kind === undefined ? reported.outcome : metBy(reported),
    witness: reported.witness,
  };
}

/**
 * Plain requests until one is rejected, since the bucket may have filled up; answers that one, or
 * undefined where it filled up too often, or answers no more.
 */
function refilling(
  probed: ProbedBucket,
  probing: Probing,
  plain: () => Promise<Reported>,
): () => Promise<Reported | undefined> {
  let refills = 0;
  return async () => {
    let failures = 0;
    for (let sent = 0; sent < MAX_TO_EXHAUST; sent += 1) {
      const reported = await plain();
      if (reported.outcome === 'rejected') return reported;
      failures = reported.outcome === 'failed' ? failures + 1 : 0;
      if (failures >= MAX_FAILURES) return undefined;
    }
    refills += 1;
    if (refills > MAX_REFILLS) return undefined;
    const burst = await exhaust(probed, probing);
    if (!burst.some(isRejected)) return undefined;
    const reported = await plain();
    return reported.outcome === 'rejected' ? reported : undefined;
  };
}

/** Answers of a route that is not there: still, no limit turned the request away. */
const ELSEWHERE: ReadonlySet<number> = new Set([404, 405, 501]);

function metBy({ outcome, status }: Reported): Reported['outcome'] {
  return ELSEWHERE.has(status) ? 'admitted' : outcome;
}
