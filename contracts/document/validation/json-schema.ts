import type {
  ValidateFunction,
  CodeKeywordDefinition,
  CodeOptions,
  Format,
  KeywordCxt,
  KeywordDefinition,
} from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { SchemaEnv } from 'ajv/dist/compile/index.js';
import { normalizeId } from 'ajv/dist/compile/resolve.js';
import addFormats from 'ajv-formats';
import { SCHEMA_URIS } from './schema-uris.ts';
import { WIDER_FORMATS } from './wider-formats.ts';

/** A key that no schema has. */
const NO_NAME = Symbol('no $id') as unknown as '$id';

/** Options of {@link newAjv}. */
export interface AjvOptions {
  /** `first`: validation ends at the first error. `all`: it goes on, which a hostile value makes long. */
  readonly errors: 'first' | 'all';
  /**
   * How errors say where they stand: by a JSON pointer, or as a script would write it. A pointer escapes
   * each key on the way, at each step, which takes quadratic time below a long key.
   */
  readonly places: 'pointer' | 'script';
  readonly code?: CodeOptions;
  /** Whether only members that an object has itself count; default no. */
  readonly ownProperties?: boolean;
  /** Formats besides those that documents of anybody mean. */
  readonly formats?: Readonly<Record<string, Format>>;
  /** Keywords in place of ajv's own, or besides. */
  readonly keywords?: readonly KeywordDefinition[];
}

/**
 * What is not left to ajv. Members that no schema evaluates are found by `unevaluated.ts`: ajv loses them
 * behind references and in loops (ajv issue 2559). References that depend on the way to a schema are
 * refused before (ajv issue 1573).
 */
const NOT_OF_AJV = [
  ...['unevaluatedProperties', 'unevaluatedItems'],
  ...['$dynamicRef', '$dynamicAnchor', '$recursiveRef', '$recursiveAnchor'],
];

/** A compiler of schemas as documents state them. */
export function newAjv({
  errors,
  places,
  code = {},
  ownProperties = false,
  formats = {},
  keywords = [],
}: AjvOptions): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors: errors === 'all',
    verbose: true,
    jsPropertySyntax: places === 'script',
    // Documents hold much that is no JSON Schema; they are validated as OpenAPI instead.
    strict: false,
    validateSchema: false,
    meta: false,
    // Names were resolved before; what has that name now is data.
    schemaId: NO_NAME,
    uriResolver: SCHEMA_URIS,
    logger: false,
    ownProperties,
    formats,
    code,
  });
  ajv.opts.unevaluated = false;
  ajv.opts.dynamicRef = false;
  for (const keyword of NOT_OF_AJV) ajv.removeKeyword(keyword);
  const contains = ajv.getKeyword('contains') as CodeKeywordDefinition;
  addFormats.default(ajv);
  for (const [name, test] of Object.entries(WIDER_FORMATS)) ajv.addFormat(name, test);
  const reference = { ...(ajv.getKeyword('$ref') as CodeKeywordDefinition), keyword: '$ref' };
  for (const definition of [reference, countingContains(contains), ...keywords]) {
    // References come last, so that right before the error of a choice there are those of its branches alone.
    ajv.removeKeyword(String(definition.keyword));
    ajv.addKeyword(definition);
  }
  return ajv;
}

/**
 * Makes the schemas of a file known by their URLs. ajv's own `addSchema` looks for names in all of it, and
 * takes an `$anchor` of an example for one; here names were resolved before.
 *
 * @param hasParts whether only what is asked for is a schema: a file of parameters may have one named `type`
 */
export function addFile(ajv: Ajv2020, file: object, url: string, hasParts = false): void {
  const baseId = normalizeId(url);
  const env = new SchemaEnv({ schema: file, schemaId: NO_NAME, baseId, localRefs: {} });
  if (hasParts) env.validate = NO_SCHEMA;
  ajv.schemas[baseId] = env;
}

/** Stands for the validator of a file of which only parts are known to be schemas. */
const NO_SCHEMA = Object.assign(() => true, { schema: {} }) as unknown as ValidateFunction;

/** If a URL is that of a file as a whole, it is a schema as a whole. */
export function useWholeFile(ajv: Ajv2020, url: string): void {
  const env = ajv.schemas[normalizeId(url)];
  if (env?.validate === NO_SCHEMA) Reflect.deleteProperty(env, 'validate');
}

/**
 * ajv's `contains`, made to count. If it looks for one item only, an empty list in a loop gets the
 * verdict of the list before it. It comes before `prefixItems`, which on an empty list ends validation.
 */
function countingContains(contains: CodeKeywordDefinition): CodeKeywordDefinition {
  return {
    ...contains,
    before: 'prefixItems',
    code: (context, ruleType) => {
      const { minContains, maxContains } = context.parentSchema;
      const counts = minContains === 0 || maxContains !== undefined;
      const parentSchema = { ...context.parentSchema, maxContains: Infinity };
      const counting = Object.create(context, {
        parentSchema: { value: parentSchema },
      }) as KeywordCxt;
      contains.code(counts ? context : counting, ruleType);
    },
  };
}
