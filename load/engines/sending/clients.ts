import { baseUrlsOf } from '../../../target/config/config-types.ts';
import { LOOPBACK_ALIAS, localAmong } from '../../../target/transport/local-address.ts';
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
  if (known.addressHeader !== undefined) return undefined;
  const addresses = addressesFor(count, known).length;
  if (addresses >= count || isEvery(known, LOOPBACK_IPV6)) return undefined;
  const why = isEvery(known, /^localhost$/)
    ? 'localhost may be any: name 127.0.0.1 in its place'
    : 'only on loopback has this machine several of its own; --address-header names a field that the target believes';
  return `the scenario wants ${count} clients with an address each, and ${addresses} are known: ${why}`;
}

/** Hosts as URLs write them. */
const LOOPBACK_IPV4 = /^127(?:\.\d+){3}$/;
const LOOPBACK_IPV6 = /^\[::1\]$/;

function isEvery({ outgoing }: SendingOptions, host: RegExp): boolean {
  return Object.values(baseUrlsOf(outgoing.config)).every((url) =>
    host.test(new URL(url).hostname),
  );
}

/** Local addresses for so many clients; as many as there are anywhere. */
function addressesFor(count: number, known: SendingOptions): string[] {
  const { addresses = [] } = known;
  if (addresses.length > 0) return addresses.slice(0, count);
  return isEvery(known, LOOPBACK_IPV4)
    ? Array.from({ length: count }, (_, client) => loopbackAddress(client))
    : [];
}

/** From 127.0.0.2 on; 127.0.0.1 is everybody's. */
function loopbackAddress(client: number): string {
  const number = client + 1;
  return `127.0.${Math.floor(number / 250)}.${(number % 250) + 1}`;
}

/** Where the clients of a run send from. */
export interface ClientAddresses {
  /** None for the run's own. */
  readonly addresses: readonly string[];
  /** Why figures on several clients are not known, as a sentence. */
  readonly problem?: string;
}

/** The local addresses of clients that this machine has, found out before anything is sent. */
export async function clientAddresses(
  { kind, count }: Scenario['clients'],
  known: SendingOptions,
): Promise<ClientAddresses> {
  if (kind !== 'addresses' || known.addressHeader !== undefined) return { addresses: [] };
  const addresses = await localAmong(addressesFor(count, known));
  if (addresses.length >= count || (addresses.length === 0 && count === 1)) return { addresses };
  const remedy = isEvery(known, LOOPBACK_IPV6)
    ? 'IPv6 has one address of the loopback: name the target as 127.0.0.1'
    : LOOPBACK_ALIAS;
  const believed =
    '--address-header names a header field that the target believes, as `assay serve --address-header` and the embedded service do';
  const has = addresses.length === 0 ? 'none but its own' : String(addresses.length);
  const problem = `Whether each client address is limited by itself is not known: the scenario wants ${count} local addresses, and this machine has ${has}. ${remedy}; ${believed}; --clients lowers the count.`;
  return { addresses, problem };
}
