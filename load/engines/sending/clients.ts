import { baseUrlsOf } from '../../../fixtures/target/config/config-types.ts';
import type { Scenario } from '../../scenarios/scenario.ts';
import type { SendingOptions } from './sending-engine.ts';

/** Clients of one run at most. */
const MAX_CLIENTS = 10_000;

/** Why there are not as many clients as a scenario wants, as a sentence. */
export function tooFewClients(
  { kind, count }: Scenario['clients'],
  known: SendingOptions,
): string | undefined {
  if (kind === 'one') return undefined;
  if (count < 1 || count > MAX_CLIENTS || !Number.isInteger(count)) {
    return `a scenario has from 1 to ${MAX_CLIENTS} clients, not ${count}`;
  }
  if (kind === 'keys') {
    const keys = known.keyNames?.length ?? 0;
    if (keys >= count) return undefined;
    return `the scenario wants ${count} clients with a key each, and there ${keys === 1 ? 'is 1 key' : `are ${keys} keys`}: set more of them, such as ASSAY_TRADE_KEY_2, or lower its count of clients`;
  }
  const addresses = addressesFor(count, known).length;
  if (addresses >= count) return undefined;
  return `the scenario wants ${count} clients with an address each, and ${addresses} are known: only on loopback has this machine as many as it likes`;
}

/** Local addresses for so many clients; as many as there are. */
export function addressesFor(
  count: number,
  { addresses = [], outgoing }: SendingOptions,
): string[] {
  if (addresses.length > 0) return addresses.slice(0, count);
  const urls = Object.values(baseUrlsOf(outgoing.config));
  const isLoopback = urls.every((url) => /^127(?:\.\d+){3}$/.test(new URL(url).hostname));
  return isLoopback ? Array.from({ length: count }, (_, client) => loopbackAddress(client)) : [];
}

/** From 127.0.0.2 on; 127.0.0.1 is everybody's. */
function loopbackAddress(client: number): string {
  const number = client + 1;
  return `127.0.${Math.floor(number / 250)}.${(number % 250) + 1}`;
}
