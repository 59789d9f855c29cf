import type { AcceptedInput } from '../../../contracts/service/rules/inputs/accepted-input.ts';
import { ACCEPTED_INPUTS } from '../../../contracts/service/rules/inputs/accepted-inputs.ts';
import {
  REFUSALS,
  relationOf,
} from '../../../contracts/service/rules/inputs/accepted-input-rules.ts';
import type { ApiName, Relation } from '../../../contracts/wire/exchange.ts';
import { tradeCases, zapCases } from './acceptance-cases.ts';
import { poolCases } from './acceptance-pool-cases.ts';
import type { InputWatch } from '../../drive/input-watch.ts';
import type { Session } from './session.ts';
import { successJson } from '../../drive/session.ts';
import type { TradeBody } from './trade.ts';
import type { TriedRequest } from '../../drive/tried-request.ts';
import type { ServedRoute } from './zap.ts';
import type { AcceptanceCase, AcceptanceCases } from './acceptance-case.ts';

/** What was served so far. */
export interface ServedBodies {
  readonly zapRoutes: readonly ServedRoute[];
  readonly tradeBodies: readonly TradeBody[];
}

/** So many requests without an input may be refused before it is given up. */
const IN_VAIN = 4;

/**
 * Asks for what no request of the run was served with so far: three different requests with the
 * input, each between two without it. Sends nothing where all documented inputs were taken.
 */
export async function driveAcceptance(
  session: Session,
  watch: InputWatch,
  api: ApiName,
  served: ServedBodies,
): Promise<void> {
  for (const row of ACCEPTED_INPUTS.filter((one) => one.api === api)) {
    for (const operation of row.operations) {
      const cases = casesOf(session, row, operation, served);
      for (const [input, some] of Object.entries(cases)) {
        if (!watch.isServed(row, operation, input)) await tryInput(session, row, some);
      }
    }
  }
}

function casesOf(
  session: Session,
  { id, api }: AcceptedInput,
  operation: string,
  { zapRoutes, tradeBodies }: ServedBodies,
): AcceptanceCases {
  if (operation === 'zap.pools') return poolCases(session, id);
  if (api === 'trade') return tradeCases(session, id, tradeBodies);
  const path = operation === 'zap.quote' ? '/v1/quote' : '/v1/buildTx';
  return zapCases(session, id, path, zapRoutes);
}

async function tryInput(
  session: Session,
  row: AcceptedInput,
  cases: Iterable<AcceptanceCase>,
): Promise<void> {
  let [refused, inVain] = [0, 0];
  const asked = new Set<string>();
  for (const { without, after = without, withInput } of cases) {
    const key = JSON.stringify([withInput.path, withInput.json]);
    if (asked.has(key)) continue;
    asked.add(key);
    session.trials += 1;
    const group = `trial-${session.trials}`;
    const send = async (request: TriedRequest, role: string): Promise<boolean> => {
      const relations: Relation[] = [{ kind: relationOf(row), group, role }];
      return successJson(await session.client.send({ ...request, relations })) !== undefined;
    };
    if (!(await send(without, 'A'))) {
      inVain += 1;
      if (inVain >= IN_VAIN) return;
      continue;
    }
    if (await send(withInput, 'B')) return;
    await send(after, 'A');
    refused += 1;
    if (refused >= REFUSALS) return;
  }
}
