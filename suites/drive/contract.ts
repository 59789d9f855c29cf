import { RULES } from '../../contracts/registry.ts';
import type { ContractOperation } from '../../contracts/schema.ts';
import type { ApiName } from '../../contracts/wire/exchange.ts';
import type { Session } from './session.ts';

/** What a contract has beyond the document that takes no parameters: its plain GET operations. */
export function operationsBeyond({ contract }: Session, api: ApiName): ContractOperation[] {
  const documented = new Set(RULES.flatMap(({ operations }) => operations));
  return contract.operations.filter(
    ({ id, api: of, method, pathTemplate }) =>
      of === api && method === 'GET' && !pathTemplate.includes('{') && !documented.has(id),
  );
}

/** Asks for them. Parameters in the query may be required, so nothing is obliged. */
export async function driveContract(session: Session, api: ApiName): Promise<void> {
  for (const { method, pathTemplate } of operationsBeyond(session, api)) {
    const purpose = { kind: 'probe', about: 'operations of the contract' } as const;
    await session.client.send({ api, method, path: pathTemplate, purpose });
  }
}
