/** Which lines of a long text stand open. */

/** A stretch of lines, from the first to before the last. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly isShown: boolean;
}

/** Shorter texts are shown whole. */
const SHORT = 30;
const BEGINNING = 6;
const AROUND = 6;
/** Of a marked value of many lines: so many of them, and no more are marked than its first and last. */
const MAX_MARKED = 12;
/** Hiding fewer saves no room. */
const MIN_HIDDEN = 4;

/** Whether a line is marked: of a long value the first and the last one, which hold the others. */
export function isMarkedLine(
  at: number,
  mark: { readonly first: number; readonly last: number } | undefined,
): boolean {
  if (mark === undefined || at < mark.first || at > mark.last) return false;
  return mark.last - mark.first <= MAX_MARKED || at === mark.first || at === mark.last;
}

/** Stretches of a text of so many lines, in order: its beginning and what is around the mark are shown. */
export function stretchesOf(
  count: number,
  mark: { readonly first: number; readonly last: number } | undefined,
): Stretch[] {
  if (count <= SHORT) return [{ from: 0, to: count, isShown: true }];
  const shown = new Array<boolean>(count).fill(false);
  shown.fill(true, 0, mark === undefined ? SHORT : BEGINNING);
  if (mark !== undefined) {
    const last = Math.min(mark.last, mark.first + MAX_MARKED);
    shown.fill(true, Math.max(0, mark.first - AROUND), last + AROUND + 1);
  }
  const stretches: Stretch[] = [];
  for (let from = 0, to = 1; from < count; from = to, to = from + 1) {
    while (to < count && shown[to] === shown[from]) to += 1;
    const isShown = shown[from] === true || to - from < MIN_HIDDEN;
    const last = stretches.at(-1);
    if (last?.isShown === true && isShown) {
      stretches[stretches.length - 1] = { ...last, to };
    } else stretches.push({ from, to, isShown });
  }
  return stretches;
}
