import { progressed } from '../large/progress.ts';
import { isObject, listOf } from '../../wire/json.ts';
import { type LongNumbers, noteDigits, type StatedDigits } from '../stated-digits.ts';
import { MovedParts } from './moved-parts.ts';
import { rewriteSchema30 } from './openapi-3-0.ts';
import type { OpenApiDocument } from './openapi-files.ts';
import { urlOf } from './openapi-place.ts';
import { Survey, type SurveyedSchema } from './openapi-survey.ts';

/** Files in which a schema means the same to whoever looks at it. */
export interface SettledFiles {
  readonly files: OpenApiDocument['files'];
  /** Whether some schema is for requests only, or for answers only. */
  readonly hasDirections: boolean;
  /** Whether some schema has a number that a double does not hold. */
  readonly statedDigits: StatedDigits;
}

/** Names, which references do without, and what is no keyword of 2020-12 but one of the compiler. */
const LEFT_OUT = ['$id', '$anchor', '$dynamicAnchor', 'nullable', 'id', '$async'];

/**
 * A copy of files in which all schemas are written in JSON Schema 2020-12, without names. Each
 * reference is the URL of a file with a JSON pointer. So all who follow one come to the same schema,
 * whatever they take relative references to be relative to.
 *
 * @param root URL of the first file
 * @param numbers of the files that a double does not hold
 * @throws ContractError when two different schemas have one name
 */
export function settledFiles(
  source: string,
  root: string,
  originals: ReadonlyMap<string, unknown>,
  numbers: LongNumbers = new Map(),
): SettledFiles {
  const survey = new Survey(source, root);
  const copied = new Map<object, ReadonlyMap<string, string>>();
  const files = new Map(
    [...originals].map(([url, value]) => [url, copyOf(value, numbers, copied)]),
  );
  for (const [url, value] of files) survey.add(url, value);
  survey.look();
  const schemas = survey.schemas();
  const moved = new MovedParts();
  let hasDirections = false;
  let statedDigits: StatedDigits = 'none';
  for (const { place, dialect } of schemas) {
    progressed();
    const schema = place.value as Record<string, unknown>;
    if (schema.readOnly === true || schema.writeOnly === true) hasDirections = true;
    const digits = noteDigits(schema, copied);
    if (statedDigits !== 'fractions' && digits !== 'none') statedDigits = digits;
    if (dialect === '3.0') {
      for (const keyword of rewriteSchema30(schema)) moved.note(schema, keyword, ['else', keyword]);
    }
    for (const keyword of LEFT_OUT) Reflect.deleteProperty(schema, keyword);
  }
  for (const schema of schemas) {
    progressed();
    settleReference(files, schema, moved);
    settleDynamicReference(files, schema, moved);
    settlePrototype(files, schema, moved);
  }
  return { files, hasDirections, statedDigits };
}

function settleReference(
  files: OpenApiDocument['files'],
  { place, ref, base, target }: SurveyedSchema,
  moved: MovedParts,
): void {
  if (ref === undefined) return;
  const schema = place.value as Record<string, unknown>;
  const holder = typeof schema.$ref === 'string' ? schema : (schema.else as typeof schema);
  if (target !== undefined) holder.$ref = urlOf(moved.placeOf(files, target));
  // Nobody else takes it for one that leads somewhere.
  else if (base !== place.file && URL.canParse(ref, base)) holder.$ref = new URL(ref, base).href;
}

/** Writes a dynamic reference that leads to one place only as a plain one. */
function settleDynamicReference(
  files: OpenApiDocument['files'],
  { place, dynamicTarget }: SurveyedSchema,
  moved: MovedParts,
): void {
  if (dynamicTarget === undefined) return;
  const schema = place.value as Record<string, unknown>;
  Reflect.deleteProperty(schema, '$dynamicRef');
  const reference = { $ref: urlOf(moved.placeOf(files, dynamicTarget)) };
  schema.allOf = [...listOf(schema.allOf), reference];
}

/** Whoever wrote a contract writes it in another way. */
const PROTOTYPE = '^_{2}proto_{2}$';

/** What is stated of a member `__proto__` is stated by a pattern too: ajv passes over it in `properties`. */
function settlePrototype(
  files: OpenApiDocument['files'],
  { place }: SurveyedSchema,
  moved: MovedParts,
): void {
  const schema = place.value as Record<string, unknown>;
  const { properties, patternProperties } = schema;
  if (!isObject(properties) || !Object.hasOwn(properties, '__proto__')) return;
  const { file, pointer } = moved.placeOf(files, place);
  const stated = { file, pointer: [...pointer, 'properties', '__proto__'], value: undefined };
  const patterns = isObject(patternProperties) ? patternProperties : {};
  schema.patternProperties = { ...patterns, [PROTOTYPE]: { $ref: urlOf(stated) } };
}

/**
 * A deep copy in which no two places share an object, as aliases of YAML do.
 *
 * @param copied where the numbers of what is copied are noted for the copies
 */
function copyOf(
  value: unknown,
  numbers: LongNumbers,
  copied: Map<object, ReadonlyMap<string, string>>,
): unknown {
  if (!Array.isArray(value) && !isObject(value)) return value;
  const inner = (one: unknown): unknown => copyOf(one, numbers, copied);
  const copy = Array.isArray(value)
    ? value.map(inner)
    : Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inner(one)]));
  const texts = numbers.get(value);
  if (texts !== undefined) copied.set(copy, texts);
  return copy;
}
