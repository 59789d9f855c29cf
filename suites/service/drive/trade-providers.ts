import { isObject, listOf } from '../../../contracts/wire/json.ts';
import { successJson } from '../../drive/session.ts';
import type { Session } from '../session/session.ts';
import type { ServedTrade } from './trade.ts';

/** This many pairs of one chain, and as many across chains, are to be served by another provider. */
const PAIRS = 2;
/** Each is asked for by a few until one serves it. */
const PROVIDERS_EACH = 3;
/** At most this many requests in all, if hardly any provider serves what another does. */
const MOST = 12;

/** Asks for pairs that were built once more, by another provider; that it serves them is not certain. */
export async function driveOtherProviders(
  session: Session,
  trades: readonly ServedTrade[],
): Promise<void> {
  const { random, world, client, keyedCredential } = session;
  const about = 'the same pair by another provider';
  const served = { dex: 0, bridge: 0 };
  let sent = 0;
  for (const { body } of trades) {
    const [entry] = listOf(body.data);
    if (!isObject(entry)) continue;
    const type = entry.toChain === body.fromChain ? 'dex' : 'bridge';
    if (served[type] === PAIRS) continue;
    const others = world
      .providerIds(Number(body.fromChain), type)
      .filter((id) => id !== entry.protocol);
    if (others.length === 0) continue;
    for (const protocol of random.sample(others, PROVIDERS_EACH)) {
      if (sent === MOST) return;
      sent += 1;
      const exchange = await client.send({
        ...{ api: 'trade', method: 'POST', path: '/v1/buildTx' },
        json: { ...body, data: [{ ...entry, protocol }] },
        ...{ credential: keyedCredential, purpose: { kind: 'probe', about } },
      });
      if (successJson(exchange) === undefined) continue;
      served[type] += 1;
      break;
    }
  }
}
