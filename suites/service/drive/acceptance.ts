import { REFUSALS } from '../../../contracts/service/rules/inputs/accepted-input-rules.ts';
import type { ApiName, Relation } from '../../../contracts/wire/exchange.ts';
import type { InputWatch } from '../../drive/input-watch.ts';
import { successJson } from '../../drive/session.ts';
import type { TriedRequest } from '../../drive/tried-request.ts';
import type { AcceptanceCase, AcceptedRelation, ServedBodies } from '../relations/accepted.ts';
import { ACCEPTED } from '../relations/index.ts';
import type { Session } from '../session/session.ts';

/** This many requests without an input may be refused before it is given up. */
const IN_VAIN = 4;

/**
 * Asks for what no request of the run was served with so far: three different requests with the
 * input, each between two without it. Sends nothing if all documented inputs were taken.
 */
export async function driveAcceptance(
  session: Session,
  watch: InputWatch,
  api: ApiName,
  served: ServedBodies,
): Promise<void> {
  for (const relation of ACCEPTED.filter(({ input }) => input.api === api)) {
    for (const operation of relation.input.operations) {
      const examples = relation.examplesOf(session, operation, served);
      for (const [form, cases = []] of Object.entries(examples)) {
        if (watch.isServed(relation.input, operation, form)) continue;
        await tryInput(session, relation, cases);
      }
    }
  }
}

async function tryInput(
  session: Session,
  { name }: AcceptedRelation,
  cases: Iterable<AcceptanceCase>,
): Promise<void> {
  let [refused, inVain] = [0, 0];
  const asked = new Set<string>();
  for (const { without, after = without, withInput } of cases) {
    const key = JSON.stringify([withInput.path, withInput.json]);
    if (asked.has(key)) continue;
    asked.add(key);
    session.groupCount += 1;
    const group = `trial-${session.groupCount}`;
    const send = async (request: TriedRequest, role: string): Promise<boolean> => {
      const relations: Relation[] = [{ kind: name, group, role }];
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
