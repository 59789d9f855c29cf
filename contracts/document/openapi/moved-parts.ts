import type { OpenApiDocument } from './openapi-files.ts';
import { objectOf, type Place } from './openapi-place.ts';

/** Parts of schemas that stand elsewhere in them than the document has them, as references need to know. */
export class MovedParts {
  readonly #moves = new Map<object, Map<string, readonly string[]>>();

  /**
   * Notes that what stood under a keyword of a schema stands under others.
   *
   * @param steps from the schema, e.g. `else`, `allOf`
   */
  note(schema: object, keyword: string, steps: readonly string[]): void {
    const moves = this.#moves.get(schema) ?? new Map<string, readonly string[]>();
    this.#moves.set(schema, moves.set(keyword, steps));
  }

  /** Where what stood at a place stands now. */
  placeOf(files: OpenApiDocument['files'], { file, pointer, value }: Place): Place {
    let holder: unknown = files.get(file);
    const now: string[] = [];
    for (const step of pointer) {
      const moved = this.#moves.get(objectOf(holder))?.get(step) ?? [step];
      for (const part of moved) {
        now.push(part);
        holder = objectOf(holder)[part];
      }
    }
    return { file, pointer: now, value };
  }
}
