import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import standaloneCode from 'ajv/dist/standalone/index.js';
import addFormats from 'ajv-formats';
import { ROOT } from '../package.ts';

/** The published schema of run.json as functions, of the whole and of what load came to. */
interface RunSchema {
  readonly run: ValidateFunction;
  readonly load: ValidateFunction;
}

const SCHEMA_FILE = join(ROOT, 'reports', 'run.schema.json');
const RUN = 'run';
const LOAD = 'load';
/** Where the build writes them. */
const COMPILED_DIR = join('dist', 'schemas');

let schema: RunSchema | undefined;

/** Compiled when the package was built, which takes a twentieth of the time; if that is missing, now. */
export function runSchema(): RunSchema {
  schema ??= ofBuild() ?? compiledNow();
  return schema;
}

/** Of a value that a schema does not allow: where it departs from it. */
export function departureFrom(validate: ValidateFunction): string {
  const [fault] = validate.errors ?? [];
  const where = fault?.instancePath === '' ? 'it' : (fault?.instancePath ?? 'it');
  return `${where} ${fault?.message ?? 'is wrong'}`;
}

/** Both functions as a module of CommonJS, for the build to write. */
export function compiledModule(): { readonly name: string; readonly text: string } {
  const text = standaloneCode.default(withSchema(), { run: RUN, load: LOAD });
  return { name: compiledName(), text };
}

/** By the digest of the schema, so that what an earlier build has left is not taken for it. */
function compiledName(): string {
  const digest = createHash('sha256').update(readFileSync(SCHEMA_FILE)).digest('hex');
  return join(COMPILED_DIR, `run-${digest.slice(0, 16)}.cjs`);
}

function ofBuild(): RunSchema | undefined {
  const file = join(ROOT, compiledName());
  return existsSync(file) ? (createRequire(import.meta.url)(file) as RunSchema) : undefined;
}

function compiledNow(): RunSchema {
  const ajv = withSchema();
  return { run: compiled(ajv, RUN), load: compiled(ajv, LOAD) };
}

function compiled(ajv: Ajv2020, id: string): ValidateFunction {
  const validate = ajv.getSchema(id);
  if (validate === undefined) throw new Error(`there is no schema ${id}`);
  return validate;
}

function withSchema(): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, logger: false, code: { source: true } });
  addFormats.default(ajv);
  ajv.addSchema(JSON.parse(readFileSync(SCHEMA_FILE, 'utf8')) as object, RUN);
  ajv.addSchema({ $ref: `${RUN}#/$defs/load` }, LOAD);
  return ajv;
}
