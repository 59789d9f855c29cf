import type { DefinedError, ErrorObject } from 'ajv';
import { foldedPlace, MAX_POINTER_CHARACTERS } from '../wire/places.ts';
import type { SchemaFault, SchemaFaults } from './schema.ts';
import { inWords } from './fault-words.ts';

/**
 * Turns the errors of ajv (`allErrors`, `verbose`) into faults: each at the place it speaks of,
 * a missing field at its own pointer, in plain words, and no two that say the same.
 *
 * @param total how many errors there were in all, when only the first of them are given
 */
export function schemaFaults(
  errors: readonly ErrorObject[],
  total: number = errors.length,
): SchemaFaults {
  const said = new Set<string>();
  const faults = new Map<string, Counted>();
  for (const error of withoutEchoes(errors)) {
    const pointer = pointerOf(error);
    const place = foldedPlace(pointer);
    const facet = stringOf(error.parentSchema, 'x-facet');
    const expected = stringOf(error.parentSchema, 'x-expected') ?? inWords(error as DefinedError);
    // A value of the wrong kind is one fault, however many schemas say so.
    const what = facet === undefined ? expected : `x-facet ${facet}`;
    if (pointer.length <= MAX_POINTER_CHARACTERS) {
      const saying = `${pointer} ${what}`;
      if (said.has(saying)) continue;
      said.add(saying);
    }
    const key = `${place} ${what}`;
    const known = faults.get(key);
    if (known === undefined) faults.set(key, { pointer, expected, facet, times: 1 });
    else known.times += 1;
  }
  return { listed: [...faults.values()], unlisted: total - errors.length };
}

/** A fault while it is counted. */
type Counted = { -readonly [K in keyof SchemaFault]: SchemaFault[K] };

/** Leaves out errors that only repeat others: wrappers, and the branches of a choice that failed. */
function withoutEchoes(errors: readonly ErrorObject[]): ErrorObject[] {
  const kept: ErrorObject[] = [];
  for (const error of errors) {
    if (error.keyword === 'if' || error.keyword === 'propertyNames') continue;
    if (error.keyword === 'anyOf' || error.keyword === 'oneOf') {
      // The errors of the branches stand right before the error of the choice.
      for (let last = kept.at(-1); last !== undefined; last = kept.at(-1)) {
        if (!isWithin(last.instancePath, error.instancePath)) break;
        if (last.parentSchema === error.parentSchema) break;
        kept.pop();
      }
    } else if (error.keyword === 'contains') {
      while (kept.at(-1)?.parentSchema === error.schema) kept.pop();
    }
    kept.push(error);
  }
  return kept;
}

function isWithin(pointer: string, ancestor: string): boolean {
  return pointer === ancestor || pointer.startsWith(`${ancestor}/`);
}

function pointerOf(error: ErrorObject): string {
  const { params } = error as DefinedError;
  const name =
    error.propertyName ??
    stringOf(params, 'missingProperty') ??
    stringOf(params, 'additionalProperty') ??
    stringOf(params, 'unevaluatedProperty');
  if (name === undefined) return error.instancePath;
  return `${error.instancePath}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

function stringOf(holder: unknown, key: string): string | undefined {
  if (typeof holder !== 'object' || holder === null) return undefined;
  const value = (holder as Readonly<Record<string, unknown>>)[key];
  return typeof value === 'string' ? value : undefined;
}
