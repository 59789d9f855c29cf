/**
 * The beginning of a text on one line, for a finding. The characters are copied: a mere slice would
 * keep the whole text in memory for as long as the finding lives.
 *
 * @param mostCharacters what is beyond them is left out
 */
export function excerpt(text: string, mostCharacters: number): string {
  return Array.from(text.slice(0, mostCharacters)).join('').replace(/\s+/g, ' ');
}
