import { documentLimits } from '../contract-limits.ts';
import { settledFiles } from '../openapi/settled-files.ts';
import { SchemaCompiler } from './schema-compiler.ts';
import { schemaGraph } from '../schema-graph.ts';
import { dropUnsupported } from '../unsupported-keywords.ts';

const FILE = 'file:///schema.json';

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
  const top = isFile ? schema : { $defs: { schema } };
  const settled = settledFiles(FILE, FILE, new Map<string, unknown>([[FILE, top], ...others]));
  const url = `${FILE}#${isFile ? '' : '/$defs/schema'}`;
  const rest = { sha256s: [], limits: documentLimits([]) };
  const document = { source: FILE, url: FILE, ...settled, ...rest };
  if (origin === 'foreign') dropUnsupported(document, schemaGraph(document, [url]));
  const compiler = new SchemaCompiler(origin);
  compiler.add(document);
  const check = compiler.compile(url);
  return (value) => {
    const { listed, isComplete } = check(value, JSON.stringify(value));
    return listed.length === 0 && !isComplete ? undefined : listed.length === 0;
  };
}
