import type { LoadRow } from './load-row.ts';

/**
 * Served answers a second that came within a part. Records of earlier versions know only those that were due in it,
 * some of which came later.
 *
 * @param seconds of the part
 * @param isKnown whether the record says when answers came
 * @returns undefined of a part that was cut short
 */
export function answeredPerSecond(
  { answered, counts }: Pick<LoadRow, 'answered' | 'counts'>,
  seconds: number,
  isKnown: boolean,
): number | undefined {
  if (seconds <= 0) return undefined;
  const served = isKnown ? answered : counts.served;
  return served === undefined ? undefined : served / seconds;
}
