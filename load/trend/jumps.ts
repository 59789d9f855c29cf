import { median } from './order-statistics.ts';

/** Nights that are looked at before one that may jump. */
export const MIN_NIGHTS = 7;
/** Interquartile ranges above the median: no series of as few nights spreads so far by itself. */
const RANGES = 5;
/** Of a jump, in logarithms. */
export const LEAST_JUMP: number = Math.log(1.3);

/** Nights whose median tells the level of now. */
export const NOW = 3;

/** A night of a series of logarithms. */
export interface JumpNight {
  readonly value: number;
  /** The least of what its rounds measured; absent where it has none beside a control. */
  readonly leastOfRounds?: number;
  /** Whether the levels up to this night were accepted. */
  readonly isAccepted: boolean;
}

/** A jump that stands at the newest night. */
export interface Jump {
  /** Place of its first night, from 0. */
  readonly first: number;
  /** Whether rounds, or a second night, confirm it: one night alone may be a machine's. */
  readonly isKnown: boolean;
  /** Above the median of the nights before, in logarithms. */
  readonly size: number;
}

/**
 * Whether the newest night stands above all that the nights before ever spread: such a change need not wait until
 * ranks tell it. It is known on its night if the least of its rounds shows it, else on the next. It stands until a
 * night is nearer to the nights before than to those of the jump, or somebody accepts it: then the nights before are
 * taken to its level, as far apart as they were.
 *
 * @param nights oldest first
 */
export function jumpAt(nights: readonly JumpNight[]): Jump | undefined {
  let usual: number[] = [];
  let jump: Jump | undefined;
  for (const [at, { value, leastOfRounds, isAccepted }] of nights.entries()) {
    const level = median(usual);
    const spread = Math.max(LEAST_JUMP, RANGES * interquartileRange(usual));
    // Of two levels the ranges tell how far these are apart, and nothing was ever above the higher one.
    const bound = Math.min(level + spread, Math.max(...usual) + LEAST_JUMP);
    const own = jump === undefined ? [] : nights.slice(jump.first, at).map((night) => night.value);
    const isStill = jump?.isKnown === true && value > (level + median(own)) / 2;
    if (usual.length < MIN_NIGHTS || (value <= bound && !isStill)) {
      usual.push(value);
      jump = undefined;
      continue;
    }
    const isKnown = jump !== undefined || (leastOfRounds ?? -Infinity) > bound;
    jump = { first: jump?.first ?? at, isKnown, size: value - level };
    // What came and went before is none of what was accepted.
    if (!isAccepted || nights[at + 1]?.isAccepted === true) continue;
    const accepted = median([...own, value].slice(-NOW)) - level;
    usual = usual.map((before) => before + accepted);
    jump = undefined;
  }
  return jump;
}

function interquartileRange(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort();
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  return at(0.75) - at(0.25);
}
