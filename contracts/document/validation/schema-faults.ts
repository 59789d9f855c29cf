import type { DefinedError, ErrorObject } from 'ajv';
import { pointerStep } from '../../wire/json.ts';
import { foldedPlace, MAX_POINTER_CHARACTERS } from '../../wire/places.ts';
import type { SchemaFault, SchemaFaults } from '../schema.ts';
import { inWords } from './fault-words.ts';

/** At most this many different faults of one body are listed. */
const MAX_FAULTS = 1_000;

/**
 * Turns errors of ajv (`verbose`) into faults: each at the place it speaks of, a missing field at its own
 * pointer, in plain words, and no two that say the same.
 */
export class FaultList {
  readonly #said = new Set<string>();
  readonly #faults = new Map<string, Counted>();
  #isComplete = true;

  /** @param placeOf where an instance path of an error leads in the body, as a JSON pointer */
  add(errors: readonly ErrorObject[], placeOf: (path: string) => string = (path) => path): void {
    for (const error of errors) {
      const pointer = placeOf(error.instancePath) + memberStep(error);
      const place = foldedPlace(pointer);
      const facet = stringOf(error.parentSchema, 'x-facet');
      const expected = stringOf(error.parentSchema, 'x-expected') ?? inWords(error as DefinedError);
      // A value of the wrong kind is one fault, however many schemas say so.
      const what = facet === undefined ? expected : `x-facet ${facet}`;
      if (pointer.length <= MAX_POINTER_CHARACTERS) {
        const saying = `${pointer} ${what}`;
        if (this.#said.has(saying)) continue;
        this.#said.add(saying);
      }
      const key = `${place} ${what}`;
      const known = this.#faults.get(key);
      if (known !== undefined) known.times += 1;
      else if (this.#faults.size === MAX_FAULTS) this.#isComplete = false;
      else this.#faults.set(key, { pointer, expected, facet, times: 1 });
    }
  }

  /** @param isComplete whether all errors of the body were added */
  faults(isComplete: boolean): SchemaFaults {
    return { listed: [...this.#faults.values()], isComplete: isComplete && this.#isComplete };
  }
}

/**
 * The faults that errors of one validation come to.
 *
 * @param isComplete whether these are all errors of the body
 */
export function schemaFaults(errors: readonly ErrorObject[], isComplete = true): SchemaFaults {
  const faults = new FaultList();
  faults.add(withoutEchoes(errors));
  return faults.faults(isComplete);
}

/** A fault while it is counted. */
type Counted = { -readonly [K in keyof SchemaFault]: SchemaFault[K] };

/**
 * Leaves out errors that only repeat others: wrappers, and the branches of a choice that failed.
 *
 * @param isPart whether only a part of what stands at a place was looked at. A condition on it may have
 *   been judged wrongly, so that what it asks for is left out
 */
export function withoutEchoes(
  errors: readonly ErrorObject[],
  isPart: (path: string) => boolean = () => false,
): ErrorObject[] {
  const kept: ErrorObject[] = [];
  for (const error of errors) {
    if (error.keyword === 'propertyNames') continue;
    if (error.keyword === 'if') {
      if (!isPart(error.instancePath)) continue;
      while (kept.length > 0 && isWithin(kept.at(-1)?.instancePath ?? '', error.instancePath)) {
        kept.pop();
      }
    }
    if (error.keyword === 'anyOf' || error.keyword === 'oneOf') {
      // The errors of the branches stand right before the error of the choice.
      for (let last = kept.at(-1); last !== undefined; last = kept.at(-1)) {
        if (!isWithin(last.instancePath, error.instancePath)) break;
        // A schema that refers to itself says the same of a part of the value.
        const isOfSameValue = last.instancePath === error.instancePath;
        if (isOfSameValue && last.parentSchema === error.parentSchema) break;
        kept.pop();
      }
    } else if (error.keyword === 'contains') {
      dropTried(kept, `${error.instancePath}/`);
    }
    kept.push(error);
  }
  return kept;
}

/**
 * Drops what each item lacks to be the one that is looked for, which is no fault of the item. The items were
 * tried in their order: a later one before an earlier one is wrong by another schema.
 */
function dropTried(errors: ErrorObject[], list: string): void {
  let next = Infinity;
  for (let last = errors.at(-1); last?.instancePath.startsWith(list); last = errors.at(-1)) {
    const item = Number.parseInt(last.instancePath.slice(list.length), 10);
    if (item > next) return;
    next = item;
    errors.pop();
  }
}

function isWithin(pointer: string, ancestor: string): boolean {
  return pointer === ancestor || pointer.startsWith(`${ancestor}/`);
}

/** The step to the member that an error is about, if it is reported at the object that has it. */
function memberStep(error: ErrorObject): string {
  const { params } = error as DefinedError;
  const name =
    error.propertyName ??
    stringOf(params, 'missingProperty') ??
    stringOf(params, 'additionalProperty');
  return name === undefined ? '' : pointerStep(name);
}

function stringOf(holder: unknown, key: string): string | undefined {
  if (typeof holder !== 'object' || holder === null) return undefined;
  const value = (holder as Readonly<Record<string, unknown>>)[key];
  return typeof value === 'string' ? value : undefined;
}
