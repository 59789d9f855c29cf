import { ONE_CALLER } from '../../../contracts/service/rules/conventions/one-caller.ts';
import { OTHER_CALLERS } from '../../../contracts/service/rules/shared/other-callers.ts';
import type { ClientRequest, Credential } from '../../../target/transport/client.ts';
import { CredentialMissing } from '../../../target/transport/client.ts';
import { isObject, listOf } from '../../../contracts/wire/json.ts';
import type { Session } from './session.ts';
import type { TradeBody } from './trade-body.ts';

/** What a build is for that is asked for as another caller. */
export const AS_ANOTHER = { kind: 'probe', about: 'another caller' } as const;

/**
 * Builds one trade as several callers, one after the other: as different senders, then with one
 * Idempotency-Key. Credentials that the environment does not hold are left out.
 */
export async function driveCallers(
  session: Session,
  credentials: readonly Credential[],
  body: TradeBody,
): Promise<void> {
  const { random } = session;
  session.groupCount += 1;
  const group = `callers-${session.groupCount}`;
  const distinct = new Map(credentials.map((one) => [JSON.stringify(one), one]));
  const request = {
    api: 'trade',
    method: 'POST',
    path: '/v1/buildTx',
    purpose: AS_ANOTHER,
  } as const;
  // Two callers without a key are two as well.
  const callers = distinct.size > 1 ? [...distinct.values()] : [...credentials, ...credentials];
  for (const [index, credential] of callers.slice(0, MAX_CALLERS).entries()) {
    const role = `caller ${index + 1}`;
    const json = bodyOf(body, random.address());
    await sendAs(
      session,
      { ...request, json, relations: [{ kind: OTHER_CALLERS, group, role }] },
      credential,
    );
  }
  if (distinct.size < 2) return;
  const headers = [['Idempotency-Key', random.uuid()]] as const;
  for (const [index, credential] of [...distinct.values()].entries()) {
    const role = credential === 'none' ? 'no credential' : `credential ${index + 1}`;
    const relations = [{ kind: ONE_CALLER, group, role }];
    await sendAs(session, { ...request, headers, json: body, relations }, credential);
  }
}

const MAX_CALLERS = 3;

/** The same build for a sender who is also paid. */
function bodyOf(body: TradeBody, sender: string): TradeBody {
  const data = listOf(body.data).map((entry) =>
    isObject(entry) ? { ...entry, recipient: sender } : entry,
  );
  return { ...body, sender, refundee: sender, data };
}

async function sendAs(
  session: Session,
  request: ClientRequest,
  credential: Credential,
): Promise<void> {
  try {
    await session.client.send({ ...request, credential });
  } catch (error) {
    if (!(error instanceof CredentialMissing)) throw error;
  }
}
