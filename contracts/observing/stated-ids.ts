import type { StatedOperation } from '../document/openapi/openapi-operations.ts';
import { anyPlacesOf } from '../document/paths/operation-servers.ts';
import type { Contract } from '../document/schema.ts';
import type { ApiName } from '../wire/exchange.ts';

/** Ids as the contract has them: a document may state an operation of the service under its own name. */
export function idsIn(
  { operations }: Pick<Contract, 'operations'>,
  api: ApiName,
): (stated: StatedOperation) => string | undefined {
  const ids = new Map(
    operations
      .filter((operation) => operation.api === api)
      .map(({ id, method, pathTemplate }) => [placeOf(method, pathTemplate), id]),
  );
  return (stated) =>
    anyPlacesOf(stated)
      .map((template) => ids.get(placeOf(stated.method, template)))
      .find((id) => id !== undefined);
}

/** The names of a template's parameters do not distinguish paths. */
function placeOf(method: string, template: string): string {
  return `${method} ${template.replaceAll(/\{[^}]*\}/g, '{}')}`;
}
