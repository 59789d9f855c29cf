import { progressed } from '../large/progress.ts';
import { ContractError } from '../contract-error.ts';
import { HOW_TO_ALLOW_MORE } from '../contract-limits.ts';
import { isObject } from '../../wire/json.ts';
import type { OpenApiDocument } from './openapi-files.ts';
import { landing } from './openapi-place.ts';

/** Where plain data stands, or a schema, which keeps its references. */
const AS_IT_IS: ReadonlySet<string> = new Set([
  ...['schema', 'example', 'default', 'enum', 'value', 'const'],
]);
/** Whose members are named by the author. */
const NAMED: ReadonlySet<string> = new Set([
  ...['paths', 'webhooks', 'responses', 'parameters', 'requestBodies', 'headers', 'examples'],
  ...['securitySchemes', 'links', 'callbacks', 'pathItems', 'content', 'encoding', 'variables'],
]);

/** Deeper than any document, whose own depth is bounded; references in circles end before. */
const MAX_DEPTH = 400;

/**
 * A document as one value, references outside of schemas followed: what many keep in files of their
 * own though the meta-schema knows no reference there, such as operations and whole `paths`. Schemas
 * keep theirs.
 *
 * @throws ContractError when a reference leads nowhere, or it is too much
 */
export function structureOf(document: OpenApiDocument): unknown {
  const { source, url, files, limits } = document;
  let values = 0;
  /** What references lead to and is being copied: one that leads back stays a reference. */
  const open = new Set<unknown>();

  function copied(given: unknown, file: string, steps: readonly string[], named: boolean): unknown {
    values += 1;
    if (values > limits.mostStructure || steps.length > MAX_DEPTH) {
      const hint = values > limits.mostStructure ? ` ${HOW_TO_ALLOW_MORE}.` : '';
      const problem = `has references at #/${steps.slice(0, 4).join('/')} that stand for too much.${hint}`;
      throw new ContractError(source, problem);
    }
    if (Array.isArray(given)) {
      return given.map((item, index) => copied(item, file, [...steps, String(index)], false));
    }
    if (!isObject(given)) return given;
    const here = { file, pointer: steps, value: given };
    const followed = named ? here : landing(document, here);
    if (!isObject(followed.value)) return followed.value;
    if (open.has(followed.value)) return given;
    open.add(followed.value);
    progressed();
    const copy: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(followed.value)) {
      const inner = [...steps, key];
      const isKept =
        isExtension(key, steps, named) ||
        (!named && (AS_IT_IS.has(key) || (key === 'schemas' && steps.at(-1) === 'components')));
      define(copy, key, isKept ? value : copied(value, followed.file, inner, isNamed(key, named)));
    }
    open.delete(followed.value);
    return copy;
  }

  return copied(files.get(url), url, [], false);
}

/** What an extension holds is its author's own; of names, only those of paths and statuses are none. */
function isExtension(key: string, steps: readonly string[], named: boolean): boolean {
  if (!key.startsWith('x-')) return false;
  const [holder, parent] = [steps.at(-1), steps.at(-2)];
  return !named || holder === 'paths' || (holder === 'responses' && parent !== 'components');
}

function isNamed(key: string, named: boolean): boolean {
  return !named && NAMED.has(key);
}

function define(object: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(object, name, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}
