/** More suggestions help nobody. */
const MOST = 5;

/**
 * The known names that somebody may have meant: those that hold what was typed, then those that are
 * a few letters away.
 */
export function nearestTo(typed: string, known: readonly string[]): string[] {
  const holding = known.filter((name) => typed !== '' && name.includes(typed));
  const within = Math.max(2, Math.floor(typed.length / 4));
  const close = known
    .map((name) => ({ name, distance: editDistance(typed, name) }))
    .filter(({ distance }) => distance <= within)
    .sort((a, b) => a.distance - b.distance)
    .map(({ name }) => name);
  return [...new Set([...close, ...holding])].slice(0, MOST);
}

/** As a sentence for an error message; empty when nothing is near. */
export function didYouMean(typed: string, known: readonly string[]): string {
  const near = nearestTo(typed, known);
  return near.length === 0 ? '' : ` Did you mean ${near.join(', ')}?`;
}

/** How many letters are to be put in, left out or replaced (Levenshtein). */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
