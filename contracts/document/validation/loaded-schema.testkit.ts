import { settledFiles } from '../openapi/settled-files.ts';
import { SchemaCompiler } from '../schema-compiler.ts';
import { schemaGraph } from '../schema-graph.ts';
import { dropUnsupportedPatterns } from '../unsupported-patterns.ts';

const URL_OF_SCHEMA = 'file:///schema.json';

/**
 * The verdicts of a schema as a document of a contract would have it.
 *
 * @param others schemas that it may refer to, by their URLs
 * @returns whether it accepts a value; undefined if that is not known
 */
export function loadedSchema(
  schema: unknown,
  origin: 'own' | 'foreign',
  others: ReadonlyMap<string, object> = new Map(),
): (value: unknown) => boolean | undefined {
  const isFile = typeof schema === 'object';
  const originals = new Map<string, unknown>([
    [URL_OF_SCHEMA, isFile ? schema : { $defs: { schema } }],
    ...others,
  ]);
  const { files } = settledFiles(URL_OF_SCHEMA, URL_OF_SCHEMA, originals);
  const url = `${URL_OF_SCHEMA}#${isFile ? '' : '/$defs/schema'}`;
  const document = {
    source: URL_OF_SCHEMA,
    url: URL_OF_SCHEMA,
    files,
    hasDirections: false,
    sha256s: [],
  };
  if (origin === 'foreign') dropUnsupportedPatterns(document, schemaGraph(document, [url]));
  const compiler = new SchemaCompiler(origin);
  compiler.add(document);
  const check = compiler.compile(url);
  return (value) => {
    const { listed, isComplete } = check(value, JSON.stringify(value));
    return listed.length === 0 && !isComplete ? undefined : listed.length === 0;
  };
}
