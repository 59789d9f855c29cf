import { plainWords } from '../../reports/forge/markdown-text.ts';
import { tableOf } from './markdown-table.ts';

/** A schema as the files in `reports/` write it. */
export interface PageSchema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, PageSchema>>;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly PageSchema[];
  readonly oneOf?: readonly PageSchema[];
  readonly items?: PageSchema;
  readonly properties?: Readonly<Record<string, PageSchema>>;
  readonly additionalProperties?: boolean | PageSchema;
  readonly required?: readonly string[];
}

/**
 * The page of a JSON Schema: a table of its members, and one for each definition.
 *
 * @param title the name of the file that the schema describes
 * @param path the file of the schema, from the root of the package
 */
export function schemaPage(schema: PageSchema, title: string, path: string): string {
  const parts = Object.entries(schema.$defs ?? {}).map(
    ([name, definition]) => `## ${name}\n\n${bodyOf(definition)}`,
  );
  const head = `# ${title}\n\n[\`${path}\`](../../${path}) is its JSON Schema, and decides. A member that is not required may be absent.`;
  return [head, bodyOf(schema), ...parts].join('\n\n');
}

function bodyOf(schema: PageSchema): string {
  const rows = rowsOf(schema, '');
  const words = schema.description === undefined ? [] : [`${plainWords(schema.description)}.`];
  if (rows.length === 0) return [...words, `Type: ${typeOf(schema)}.`].join('\n\n');
  return [...words, tableOf(['member', 'type', 'required', 'meaning'], rows)].join('\n\n');
}

/** The members of an object, and those of objects in it, by their paths. */
function rowsOf(schema: PageSchema, path: string): string[][] {
  const { properties = {}, required = [], additionalProperties: others } = schema;
  const members = Object.entries(properties).flatMap(([name, member]) => {
    const place = path === '' ? name : `${path}.${name}`;
    const isRequired = required.includes(name) ? 'yes' : '';
    return [rowOf(member, place, isRequired), ...innerRowsOf(member, place)];
  });
  if (typeof others !== 'object') return members;
  const place = path === '' ? '*' : `${path}.*`;
  return [...members, rowOf(others, place, ''), ...innerRowsOf(others, place)];
}

function rowOf(schema: PageSchema, place: string, isRequired: string): string[] {
  return [`\`${place}\``, typeOf(schema), isRequired, plainWords(schema.description ?? '')];
}

function innerRowsOf(schema: PageSchema, place: string): string[][] {
  return schema.items === undefined
    ? rowsOf(schema, place)
    : innerRowsOf(schema.items, `${place}[]`);
}

function typeOf(schema: PageSchema): string {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1) ?? '';
    return `[${name}](#${name.toLowerCase()})`;
  }
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum !== undefined)
    return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(', ');
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return choices.map(typeOf).join(' or ');
  if (schema.items !== undefined) return `list of ${typeOf(schema.items)}`;
  return [schema.type ?? 'any'].flat().join(' or ');
}
