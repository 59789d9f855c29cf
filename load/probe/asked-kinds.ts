/** What is known of each kind of request while a bucket is exhausted, and how it is asked next. */

import { bucketMet, refusalsOf } from '../../contracts/run/load/bucket-met.ts';
import {
  capacityOf,
  type FanOut,
  type FanOutTrial,
  type LimitEstimate,
} from '../../contracts/run/load/limit-measurement.ts';
import type { Witness } from '../../contracts/judging/rule.ts';
import type { Variation } from './bucket.ts';
import { inRound, type Slot } from './round.ts';

/** A kind that is asked round after round. */
export interface AskedKind {
  readonly variation: Variation;
  readonly admittedBefore: number;
  readonly trials: FanOutTrial[];
  readonly witnesses: Witness[];
  /** Of all that were admitted; null once one was rejected. */
  chance: number | null;
  /** How often it was asked. */
  asked: number;
}

/** Requests of a kind that come to nothing, by which it is given up. */
const MAX_FAILURES = 2;
/** In this many rounds each kind is asked once; those that were always admitted more often later. */
const FIRST_ROUNDS = 2;
/** Plain requests of a round, besides those at its ends. */
const MIN_PLAIN = 4;
const PLAIN_TO_CONFIRM = 5;
/** How often a kind is asked in a round that is to confirm that it is in a bucket of its own. */
const TO_CONFIRM = 2;
/** A warning on security takes more. */
const TO_WARN = 6;

/** How a round is made up; the order is drawn later. */
export interface Round {
  readonly kinds: readonly AskedKind[];
  readonly plain: number;
  /** The most rejections that it causes, as far as is known of the kinds. */
  readonly rejects: number;
}

/** How many of a kind have been admitted of whom the next one may be throttled himself. */
function ownAdmitted({ variation, admittedBefore, trials }: AskedKind): number {
  if (!variation.isOneClient) return 0;
  return admittedBefore + trials.filter(({ outcome }) => outcome === 'admitted').length;
}

function failuresOf({ trials }: AskedKind): number {
  return trials.filter(({ outcome }) => outcome === 'failed').length;
}

/** Whether another round may tell more of a kind. */
export function isOpen(one: AskedKind, estimate: LimitEstimate): boolean {
  if (failuresOf(one) >= MAX_FAILURES) return false;
  if (ownAdmitted(one) >= (capacityOf(estimate) ?? Infinity)) return false;
  const met = bucketMet(fanOutOfKind(one), estimate);
  if (met === 'undecided') return true;
  return met === 'shared' && refusalsOf(one, estimate) < one.variation.leastRefusals;
}

/**
 * The next round for these kinds, of which the first ones stay where rejections are scarce: one trial
 * tells nothing, so a first round leaves enough for another one like it.
 */
export function nextRound(
  kinds: readonly AskedKind[],
  nth: number,
  estimate: LimitEstimate,
  mostRejects: number,
): Round | null {
  for (let count = kinds.length; count > 0; count -= 1) {
    const round = roundOf(kinds.slice(0, count), nth, estimate);
    const rounds = nth === 0 ? FIRST_ROUNDS : 1;
    if (rounds * round.rejects <= mostRejects) return round;
  }
  return null;
}

function roundOf(kinds: readonly AskedKind[], nth: number, estimate: LimitEstimate): Round {
  const isFirst = nth < FIRST_ROUNDS;
  const isAdmitted = ({ chance, trials }: AskedKind): boolean =>
    chance !== null && trials.length > 0;
  const times = (one: AskedKind): number => {
    if (isFirst || !isAdmitted(one)) return 1;
    const { isOneClient, kind } = one.variation;
    const left = (capacityOf(estimate) ?? Infinity) - ownAdmitted(one);
    const wanted = kind === 'forged-forwarded-for' ? TO_WARN : TO_CONFIRM;
    return isOneClient ? Math.max(1, Math.min(wanted, left)) : wanted;
  };
  const confirming = kinds.some(isAdmitted);
  const plain = isFirst
    ? Math.max(MIN_PLAIN, Math.ceil(kinds.length / 2))
    : confirming
      ? PLAIN_TO_CONFIRM
      : 0;
  const drawn = kinds.flatMap((one) => Array.from({ length: times(one) }, () => one));
  const rejected = drawn.filter((one) => !isAdmitted(one)).length;
  // One plain request at the beginning and one at the end.
  return { kinds: drawn, plain, rejects: rejected + plain + 2 };
}

/** Takes in what a round showed of one kind. */
export function learnRound(
  one: AskedKind,
  slots: readonly (Slot<AskedKind> & { readonly witness: Witness })[],
  isWhole: boolean,
): void {
  const { trials, chance } = inRound(slots, one, isWhole);
  for (const trial of trials) one.trials.push({ ...trial, admitted: ownAdmitted(one) });
  for (const [at, { kind, witness }] of slots.entries()) {
    const isBeside = slots[at + 1]?.kind === one || slots[at - 1]?.kind === one;
    if (one.witnesses.length < MAX_WITNESSES && (kind === one || isBeside)) {
      one.witnesses.push(witness);
    }
  }
  one.chance = one.chance === null || chance === null ? null : one.chance * chance;
}

/** More exchanges show no more. */
const MAX_WITNESSES = 12;

/** What is known of a kind, as rules read it. */
export function fanOutOfKind(one: AskedKind): FanOut {
  const { variation, trials, chance, admittedBefore, witnesses } = one;
  const wasAdmitted = chance !== null && trials.some(({ outcome }) => outcome === 'admitted');
  return {
    kind: variation.kind,
    trials: [...trials],
    ...(wasAdmitted ? { chance } : {}),
    admittedBefore,
    witnesses: [...witnesses],
  };
}
