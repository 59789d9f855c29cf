import type { ApiName } from '../../contracts/wire/exchange.ts';
import type { Session, Stage } from '../driven-service.ts';
import { driveContract, operationsBeyond } from './contract.ts';

/**
 * The stages that ask what a contract has of some APIs beyond the document: what deletes comes last, after
 * all APIs.
 *
 * @param unasked is given sentences on what could not be asked
 */
export function contractStages(
  session: Session,
  apis: readonly ApiName[],
  unasked: string[],
): Stage[] {
  const asked = apis
    .filter((api) => operationsBeyond(session, api).length > 0)
    .map((api) => ({ api, name: `operations of the ${api} API`, ...driveContract(session, api) }));
  const stages = asked.map(({ api, name, ask }): Stage => {
    const run = async (): Promise<unknown> => unasked.push(...(await ask()));
    return { api, name, run };
  });
  const deleting = asked.flatMap(({ api, name, askDeletes }): Stage[] => {
    if (askDeletes === undefined) return [];
    const run = async (): Promise<unknown> => unasked.push(...(await askDeletes()));
    return [{ api, name: `${name} that delete`, deletes: true, after: [name], run }];
  });
  return [...stages, ...deleting];
}
