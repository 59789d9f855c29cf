import { isMap, isScalar, type Pair } from 'yaml';
import type { ContractFile, ContractFiles } from '../contract-files.ts';
import { documentLimits } from '../contract-limits.ts';
import { anyPlacesOf } from '../paths/operation-servers.ts';
import { statedOperations, type StatedOperation } from './openapi-operations.ts';
import { openApiOf } from './openapi-document.ts';
import type { Contract, ContractOperation } from '../schema.ts';
import { documentOf, placeOf } from '../yaml/yaml.ts';

/** Where an operation is stated. */
export interface OperationLine {
  readonly operation: string;
  /** Of the file, absolute. */
  readonly url: string;
  /** From 1. */
  readonly line: number;
}

/**
 * The lines at which contracts of the user state operations: of its method, else of its path. One that
 * stands in several is taken from the last, which is judged by; one that no file states is left out.
 *
 * @param ids of operations, those that are wanted
 * @throws YamlProblem and ContractError as loading the files did
 */
export function operationLines(
  files: ContractFiles,
  contract: Pick<Contract, 'operation'>,
  ids: readonly string[],
): OperationLine[] {
  const wanted = ids.flatMap((id) => contract.operation(id) ?? []);
  const lines = new Map<string, OperationLine>();
  for (const read of files) {
    const ofApi = wanted.filter(({ api }) => api === read.api);
    const [first] = read.files.filter(({ url }) => url === read.url);
    if (ofApi.length === 0 || first === undefined) continue;
    const { operations } = statedOperations(openApiOf(read, false));
    const paths = pathsOf(first);
    for (const operation of ofApi) {
      const stated = operations.filter((one) => isSame(one, operation));
      const line = lineOf(first, paths, operation.method, stated);
      if (line !== undefined) {
        lines.set(operation.id, { operation: operation.id, url: first.url, line });
      }
    }
  }
  return [...lines.values()];
}

function pathsOf(file: ContractFile): readonly Pair[] {
  const limits = documentLimits([file]).yaml;
  const root = documentOf(file.text, { limits, merge: true })?.contents;
  const paths = isMap(root) ? root.get('paths', true) : undefined;
  return isMap(paths) ? paths.items : [];
}

/** Whether a document means an operation of the contract, at one of its places. */
function isSame(stated: StatedOperation, { method, pathTemplate }: ContractOperation): boolean {
  const wanted = nameless(pathTemplate);
  return stated.method === method && anyPlacesOf(stated).map(nameless).includes(wanted);
}

function lineOf(
  { text }: ContractFile,
  paths: readonly Pair[],
  method: string,
  stated: readonly StatedOperation[],
): number | undefined {
  const templates = stated.map(({ pathTemplate }) => pathTemplate);
  const path = paths.find(({ key }) => templates.includes(textOf(key) ?? ''));
  if (path === undefined) return undefined;
  const methods = isMap(path.value) ? path.value.items : [];
  const own = methods.find(({ key }) => textOf(key) === method.toLowerCase());
  const offset = offsetOf(own?.key ?? path.key);
  return offset === undefined ? undefined : placeOf(text, offset).line;
}

/** The names of a template's parameters do not distinguish paths. */
function nameless(template: string): string {
  return template.replaceAll(/\{[^}]*\}/g, '{}');
}

function textOf(key: unknown): string | undefined {
  return isScalar(key) && typeof key.value === 'string' ? key.value : undefined;
}

function offsetOf(key: unknown): number | undefined {
  return isScalar(key) ? key.range?.[0] : undefined;
}
