/** What a keyword holds: a schema, a list or a map of schemas; and whether they are for the same value. */
export type SchemaKeyword = readonly [form: 'one' | 'list' | 'map', isInPlace: boolean];

/** Keywords of JSON Schema 2020-12 that apply the schemas in them. */
export const APPLICATORS: Readonly<Record<string, SchemaKeyword>> = {
  allOf: ['list', true],
  anyOf: ['list', true],
  oneOf: ['list', true],
  not: ['one', true],
  if: ['one', true],
  then: ['one', true],
  else: ['one', true],
  dependentSchemas: ['map', true],
  dependencies: ['map', true],
  properties: ['map', false],
  patternProperties: ['map', false],
  additionalProperties: ['one', false],
  propertyNames: ['one', false],
  unevaluatedProperties: ['one', false],
  items: ['one', false],
  prefixItems: ['list', false],
  contains: ['one', false],
  unevaluatedItems: ['one', false],
};
