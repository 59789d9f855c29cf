/** `\p{Name}` outside of square brackets; whoever writes it within them has it refused. */
const PROPERTY = /\\p\{(\w+)\}/g;
/** Beyond this there are no characters. */
const CODE_POINTS = 0x11_0000;

/**
 * Writes out, in the source of a module, the characters that `\p{…}` stands for, since k6's engine does
 * not know them. As many as a property has: this is done when the script is bundled.
 */
export function withPropertiesWrittenOut(source: string): string {
  return source.replaceAll(PROPERTY, (_, name: string) => `[${rangesOf(name)}]`);
}

/** The characters of a property as ranges of a character class with the flag `u`. */
export function rangesOf(name: string): string {
  const test = new RegExp(`^\\p{${name}}$`, 'u');
  const ranges: string[] = [];
  let from = -1;
  for (let point = 0; point <= CODE_POINTS; point += 1) {
    const isIn = point < CODE_POINTS && test.test(String.fromCodePoint(point));
    if (isIn && from < 0) from = point;
    if (isIn || from < 0) continue;
    ranges.push(point - 1 === from ? escaped(from) : `${escaped(from)}-${escaped(point - 1)}`);
    from = -1;
  }
  return ranges.join('');
}

function escaped(point: number): string {
  return `\\u{${point.toString(16)}}`;
}
