import { isObject, type JsonObject } from '../../wire/json.ts';
import { KNOWN_IN_3_0 } from './openapi-3-0.ts';
import { APPLICATORS } from './schema-keywords.ts';

/** How schemas are written: as in OpenAPI 3.0, or as in JSON Schema 2020-12, which OpenAPI 3.1 has. */
export type Dialect = '3.0' | '2020-12';

/** A dialect of JSON Schema since it is that of OpenAPI. Any other `$schema` of a file is a word for editors. */
const DIALECT = /^https?:\/\/json-schema\.org\/draft\/20\d\d-\d\d\//;

/** Whether a file says that it is JSON Schema. */
export function saysItsDialect({ $schema }: JsonObject): boolean {
  return typeof $schema === 'string' && DIALECT.test($schema);
}

/**
 * What stands at a place of an OpenAPI document: an object of some name, a list of such (`[]`), a map by
 * names of the author (`{}`), or one in which names that begin with `x-` are extensions (`<>`).
 */
export type Kind = `${ObjectName}${'' | '[]' | '{}' | '<>'}`;

type ObjectName =
  | 'document'
  | 'components'
  | 'pathItem'
  | 'operation'
  | 'parameter'
  | 'requestBody'
  | 'response'
  | 'mediaType'
  | 'encoding'
  | 'callback'
  | 'schema'
  | 'leaf';

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

/** The fields that lead to schemas or may be references (OpenAPI 3.1, section 4.8). */
const FIELDS: Readonly<Record<ObjectName, Readonly<Record<string, Kind>>>> = {
  document: { paths: 'pathItem<>', webhooks: 'pathItem{}', components: 'components' },
  components: {
    schemas: 'schema{}',
    responses: 'response{}',
    parameters: 'parameter{}',
    examples: 'leaf{}',
    requestBodies: 'requestBody{}',
    headers: 'parameter{}',
    securitySchemes: 'leaf{}',
    links: 'leaf{}',
    callbacks: 'callback{}',
    pathItems: 'pathItem{}',
  },
  pathItem: {
    parameters: 'parameter[]',
    ...Object.fromEntries(METHODS.map((method): [string, Kind] => [method, 'operation'])),
  },
  operation: {
    parameters: 'parameter[]',
    requestBody: 'requestBody',
    responses: 'response<>',
    callbacks: 'callback{}',
  },
  parameter: { schema: 'schema', content: 'mediaType{}', examples: 'leaf{}' },
  requestBody: { content: 'mediaType{}' },
  response: { headers: 'parameter{}', content: 'mediaType{}', links: 'leaf{}' },
  mediaType: { schema: 'schema', examples: 'leaf{}', encoding: 'encoding{}' },
  encoding: { headers: 'parameter{}' },
  /** Its members are path items. */
  callback: {},
  /** An example, a link or a security scheme, which holds none of these. */
  leaf: {},
  /** Its members depend on the dialect. */
  schema: {},
};

const FORMS = { one: 'schema', list: 'schema[]', map: 'schema{}' } as const;

const SCHEMA_FIELDS: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ...Object.entries(APPLICATORS).map(([keyword, [form]]): [string, Kind] => [keyword, FORMS[form]]),
  ['$defs', 'schema{}'],
  ['definitions', 'schema{}'],
  ['contentSchema', 'schema'],
]);

/** What stands in a value of some kind, by its key or index. */
export function partsOf(kind: Kind, value: object, dialect: Dialect): [key: string, kind: Kind][] {
  const [name, form] = split(kind);
  if (form === '[]') {
    return Array.isArray(value) ? [...value.keys()].map((index) => [String(index), name]) : [];
  }
  if (!isObject(value)) return [];
  if (form !== '') {
    const keys = Object.keys(value).filter((key) => form === '{}' || !key.startsWith('x-'));
    return keys.map((key) => [key, name]);
  }
  if (name === 'callback') return partsOf('pathItem<>', value, dialect);
  return Object.keys(value).flatMap((key): [string, Kind][] => {
    const inner = fieldOf(name, key, dialect);
    return inner === undefined ? [] : [[key, inner]];
  });
}

function fieldOf(name: ObjectName, key: string, dialect: Dialect): Kind | undefined {
  if (name === 'schema') {
    return dialect === '3.0' && !KNOWN_IN_3_0.has(key) ? undefined : SCHEMA_FIELDS.get(key);
  }
  return Object.hasOwn(FIELDS[name], key) ? FIELDS[name][key] : undefined;
}

function split(kind: Kind): [ObjectName, string] {
  const [, name = '', form = ''] = /^(\w+)(\W*)$/.exec(kind) ?? [];
  return [name as ObjectName, form];
}

/** Whether a string under `$ref` is a reference there, and no member of a map of schemas. */
export function mayRefer(kind: Kind): boolean {
  return kind !== 'schema{}';
}
