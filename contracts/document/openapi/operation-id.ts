import { ContractError } from '../contract-error.ts';
import type { ApiName } from '../../wire/exchange.ts';

/** What an operation is called in rule ids, file names and lines to paste into a shell. */
const SAFE = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;
const LONGEST = 120;

interface Addressed {
  readonly operationId: string | undefined;
  readonly method: string;
  readonly pathTemplate: string;
}

/**
 * The id of an operation, `<api>.<name>`, unlike all that are taken. The name is the document's own
 * operationId where it can stand in a rule id, a file name and a command line as it is, else one made
 * of method and path.
 *
 * @throws ContractError when the operationId has control characters, which no author means
 */
export function newOperationId(
  source: string,
  api: ApiName,
  { operationId, method, pathTemplate }: Addressed,
  isTaken: (id: string) => boolean,
): string {
  if (operationId !== undefined && /\p{Cc}/u.test(operationId)) {
    const problem = `has control characters in the operationId of ${method} ${shown(pathTemplate)}: take them out.`;
    throw new ContractError(source, problem);
  }
  const place = placeName(method, pathTemplate);
  const isUsable = operationId !== undefined && SAFE.test(operationId);
  const names = isUsable && operationId.length <= LONGEST ? [operationId, place] : [place];
  const ids = names.map((name) => (name.startsWith(`${api}.`) ? name : `${api}.${name}`));
  const free = ids.find((id) => !isTaken(id));
  if (free !== undefined) return free;
  for (let number = 2; ; number += 1) {
    const id = `${api}.${place}-${number}`;
    if (!isTaken(id)) return id;
  }
}

/**
 * Method and path as a name, such as `get-v2-{id}`, without characters that are special to a shell or
 * in a file name.
 */
function placeName(method: string, template: string): string {
  const words = `${method.toLowerCase()}-${template.replace(/^\//, '').replaceAll('/', '-')}`;
  return words.replaceAll(/[^A-Za-z0-9._{}-]+/g, '_').slice(0, LONGEST);
}

function shown(path: string): string {
  const text = path.replaceAll(/\p{Cc}/gu, '?');
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
