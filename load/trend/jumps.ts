import { median } from './order-statistics.ts';

/** Nights that are looked at before one that may jump. */
export const MIN_NIGHTS = 7;
/** Interquartile ranges above the median: no series of as few nights spreads so far by itself. */
const RANGES = 5;
/** Of a jump, in logarithms. */
export const LEAST_JUMP: number = Math.log(1.3);

/** Nights whose median gives the level of now. */
export const NOW = 3;

/** A control that was slower by more than this shows nothing of a night. */
const LIKE = Math.log(1.2);
/** Fewer nights of a like control show nothing either. */
const MIN_LIKE = 3;

/** A night of a series of logarithms. */
export interface JumpNight {
  readonly value: number;
  /** The least of what its rounds measured; absent if it has none beside a control. */
  readonly leastOfRounds?: number;
  /** What the control took, if the value is the ratio to it. */
  readonly control?: number;
  /** Whether the levels up to this night were accepted. */
  readonly isAccepted: boolean;
}

/** A jump that stands at the newest night. */
export interface Jump {
  /** Place of its first night, from 0. */
  readonly first: number;
  /** Whether rounds, or a second night, confirm it: one night alone may be a machine's. */
  readonly isKnown: boolean;
  /** Above the median of the nights before that are like it, in logarithms. */
  readonly size: number;
}

/**
 * Whether the newest night stands above all that the nights before ever spread: such a change need not wait until
 * ranks show it. It is known on its night if the least of its rounds shows it, else on the next. It stands until a
 * night is nearer to the nights before than to those of the jump, or somebody accepts it: then the nights before are
 * taken to its level, as far apart as they were.
 *
 * A ratio may be higher for a faster control alone. So it has to be above those of nights whose control was as fast,
 * too, and is not known where these are too few.
 *
 * @param nights oldest first
 */
export function jumpAt(nights: readonly JumpNight[]): Jump | undefined {
  let usual: JumpNight[] = [];
  /** Nights that stood above, and had too few like them. */
  let odd: JumpNight[] = [];
  let jump: Jump | undefined;
  let sizes: number[] = [];
  for (const [at, night] of nights.entries()) {
    const { value, leastOfRounds = -Infinity, control = Infinity, isAccepted } = night;
    const values = usual.map((one) => one.value);
    const middle = median(values);
    const like = [...usual, ...odd].filter((one) => (one.control ?? 0) <= control + LIKE);
    const areEnough = like.length >= MIN_LIKE;
    const ofLike = areEnough ? median(like.map((one) => one.value)) : middle;
    const level = Math.max(middle, ofLike);
    const spread = Math.max(LEAST_JUMP, RANGES * interquartileRange(values));
    // Of two levels the ranges show how far these are apart, and nothing was ever above the higher one.
    const most = Math.min(middle + spread, Math.max(...values) + LEAST_JUMP);
    const bound = Math.max(most, level + LEAST_JUMP);
    const size = value - level;
    const isStill = jump?.isKnown === true && size > median(sizes) / 2;
    if (usual.length < MIN_NIGHTS || (value <= bound && !isStill)) {
      usual.push(night);
      [jump, sizes] = [undefined, []];
      continue;
    }
    const isConfirmed = areEnough && (jump !== undefined || leastOfRounds > bound);
    const isKnown = jump?.isKnown === true || isConfirmed;
    if (!areEnough && !isKnown) odd.push(night);
    sizes.push(size);
    jump = { first: jump?.first ?? at, isKnown, size };
    // What came and went before is none of what was accepted.
    if (!isAccepted || nights[at + 1]?.isAccepted === true) continue;
    const accepted = median(sizes.slice(-NOW));
    const lifted = (one: JumpNight): JumpNight => ({ ...one, value: one.value + accepted });
    [usual, odd] = [usual.map(lifted), odd.map(lifted)];
    [jump, sizes] = [undefined, []];
  }
  return jump;
}

function interquartileRange(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort();
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  return at(0.75) - at(0.25);
}
