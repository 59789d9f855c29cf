/** Thrown when a text is no YAML, or holds more than is looked at. */
export class YamlProblem extends Error {
  override readonly name = 'YamlProblem';
  /** Whether the text may be good YAML that is too much: then nothing is known of it. */
  readonly isLimit: boolean;
  /** Whether larger limits allow it. */
  readonly isAllowable: boolean;
  /** Where, counted from 1; undefined if it is the whole text. */
  readonly place: { readonly line: number; readonly column: number } | undefined;

  /** @param message a sentence without its end, e.g. `Map keys must be unique` */
  constructor(
    message: string,
    place: YamlProblem['place'],
    isLimit: boolean,
    isAllowable: boolean = isLimit,
  ) {
    super(message);
    this.isAllowable = isAllowable;
    this.place = place;
    this.isLimit = isLimit;
  }
}

/** What is nested too deeply, for any limits. */
export function tooDeep(mostDepth: number, place?: YamlProblem['place']): YamlProblem {
  const what = `its lists and mappings are more than ${mostDepth} levels deep`;
  return new YamlProblem(what, place, true, false);
}

/** What may be good YAML, and is more than is looked at. */
export function tooMuch(what: string, place?: YamlProblem['place']): YamlProblem {
  return new YamlProblem(what, place, true);
}

/** The line and the column, from 1, of a place in a text. */
export function placeOf(text: string, offset: number): { line: number; column: number } {
  let line = 1;
  let begin = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) {
    line += 1;
    begin = at + 1;
  }
  return { line, column: offset - begin + 1 };
}
