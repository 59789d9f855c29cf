import { createAgents, type UndiciTransportOptions } from '../../fixtures/target/agents.ts';
import { baseUrlOf } from '../../fixtures/target/config-types.ts';
import type { OutgoingOptions } from '../../fixtures/target/outgoing.ts';
import { proxyRefusal } from '../../fixtures/target/undici-transport.ts';
import { API_NAMES } from '../../contracts/wire/exchange.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import type { LoadEngine } from './engine.ts';
import type { Flight } from './flight.ts';
import { SYSTEM_GAUGE, SYSTEM_LOAD_TIME, type GeneratorGauge, type LoadTime } from './load-time.ts';
import { OpenLoopRun } from './open-loop-run.ts';
import { ReadyRequests } from './ready-request.ts';

/** Options of {@link createOpenLoopEngine}: what the ordinary client is made from, and who sends. */
export interface OpenLoopOptions {
  readonly outgoing: OutgoingOptions;
  readonly connecting?: Pick<UndiciTransportOptions, 'ca' | 'proxies'>;
  /** Names of secrets that the redactor holds: the keys of clients of the kind `keys`. */
  readonly keyNames?: readonly string[];
  /** Local addresses of clients of the kind `addresses`; all of 127.0.0.0/8 where the target is there. */
  readonly addresses?: readonly string[];
  readonly time?: LoadTime;
  readonly gauge?: GeneratorGauge;
}

/** Clients of one run at most. */
const MOST_CLIENTS = 10_000;

/**
 * The default engine: requests leave at their scheduled times, by undici's dispatch, one at a time on
 * each connection. Judging happens beside the sending, in what the sink does with an exchange.
 */
export function createOpenLoopEngine(options: OpenLoopOptions): LoadEngine {
  const { outgoing, connecting = {}, time = SYSTEM_LOAD_TIME, gauge = SYSTEM_GAUGE } = options;
  return {
    name: 'open-loop',
    cannot: ({ clients }) => whyNot(clients, options),
    async run(job) {
      const { clients } = job.scenario;
      const impossible = whyNot(clients, options);
      if (impossible !== undefined) throw new Error(impossible);
      const agents = createAgents({ ...connecting, connections: job.connections });
      const addresses = clients.kind === 'addresses' ? addressesFor(clients.count, options) : [];
      const keyNames =
        clients.kind === 'keys' ? (options.keyNames ?? []).slice(0, clients.count) : [];
      const send = (flight: Flight): void => {
        const { origin, path, fields, outgoing: out } = flight.ready;
        const { method, body, sourceAddress } = out;
        try {
          agents
            .from(addresses[flight.plan.client] ?? sourceAddress)
            .dispatch({ origin, path, method, headers: fields, body }, flight);
        } catch (error) {
          flight.lost(error instanceof Error ? error : new Error(String(error)));
        }
      };
      const used = gauge();
      try {
        const requests = new ReadyRequests(
          { ...outgoing, config: { ...outgoing.config, maxBodyBytes: job.maxBodyBytes } },
          keyNames,
        );
        const adjust = connecting.proxies === undefined ? {} : { adjust: proxyRefusal };
        const facts = await new OpenLoopRun(job, { time, requests, send, ...adjust }).run();
        return { ...facts, ...used() };
      } finally {
        await agents.close();
      }
    },
  };
}

/** Why there are not as many clients as a scenario wants, as a sentence. */
function whyNot(
  { kind, count }: Scenario['clients'],
  options: OpenLoopOptions,
): string | undefined {
  if (kind === 'one') return undefined;
  if (count < 1 || count > MOST_CLIENTS || !Number.isInteger(count)) {
    return `a scenario has from 1 to ${MOST_CLIENTS} clients, not ${count}`;
  }
  if (kind === 'keys') {
    const known = options.keyNames?.length ?? 0;
    if (known >= count) return undefined;
    return `the scenario wants ${count} clients with a key each, and there ${known === 1 ? 'is 1 key' : `are ${known} keys`}: set more of them, such as ASSAY_TRADE_KEY_2, or lower its count of clients`;
  }
  const known = addressesFor(count, options).length;
  if (known >= count) return undefined;
  return `the scenario wants ${count} clients with an address each, and ${known} are known: only on loopback has this machine as many as it likes`;
}

/** Local addresses for so many clients; as many as there are. */
function addressesFor(count: number, { addresses = [], outgoing }: OpenLoopOptions): string[] {
  if (addresses.length > 0) return addresses.slice(0, count);
  const urls = API_NAMES.flatMap((api) => baseUrlOf(outgoing.config, api) ?? []);
  const isLoopback = urls.every((url) => /^127(?:\.\d+){3}$/.test(new URL(url).hostname));
  return isLoopback ? Array.from({ length: count }, (_, client) => loopbackAddress(client)) : [];
}

/** From 127.0.0.2 on; 127.0.0.1 is everybody's. */
function loopbackAddress(client: number): string {
  const number = client + 1;
  return `127.0.${Math.floor(number / 250)}.${(number % 250) + 1}`;
}
