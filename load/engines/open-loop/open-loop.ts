import {
  createAgents,
  type UndiciTransportOptions,
} from '../../../fixtures/target/transport/agents.ts';
import { proxyRefusal } from '../../../fixtures/target/transport/undici-transport.ts';
import type { Scenario } from '../../scenarios/scenario.ts';
import { addressesFor, tooFewClients, type ClientsKnown } from '../sending/clients.ts';
import type { LoadEngine } from '../engine.ts';
import type { Flight, Landing } from '../sending/flight.ts';
import {
  SYSTEM_GAUGE,
  SYSTEM_LOAD_TIME,
  type GeneratorGauge,
  type LoadTime,
} from '../load-time.ts';
import { OpenLoopRun } from './open-loop-run.ts';
import { ReadyRequests } from '../sending/ready-request.ts';

/** Options of {@link createOpenLoopEngine}: what the ordinary client is made from, and who sends. */
export interface OpenLoopOptions extends ClientsKnown {
  readonly connecting?: Pick<UndiciTransportOptions, 'ca' | 'proxies'>;
  readonly time?: LoadTime;
  readonly gauge?: GeneratorGauge;
}

/**
 * The default engine: requests leave at their scheduled times, by undici's dispatch, one at a time on
 * each connection. Judging happens beside the sending, in what the sink does with an exchange.
 */
export function createOpenLoopEngine(options: OpenLoopOptions): LoadEngine {
  const { outgoing, connecting = {}, time = SYSTEM_LOAD_TIME, gauge = SYSTEM_GAUGE } = options;
  return {
    name: 'open-loop',
    cannot: (scenario) => whyNot(scenario, options),
    async run(job) {
      const { clients } = job.scenario;
      const impossible = whyNot(job.scenario, options);
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
        const adjust = connecting.proxies === undefined ? {} : { adjust: refusedByProxy };
        const facts = await new OpenLoopRun(job, { time, requests, send, ...adjust }).run();
        return { ...facts, ...used() };
      } finally {
        await agents.close();
      }
    },
  };
}

function whyNot({ name, pacer, clients }: Scenario, options: OpenLoopOptions): string | undefined {
  return pacer === 'saturation'
    ? `the scenario ${name} has no rates to keep; --engine autocannon sends as fast as it is answered`
    : tooFewClients(clients, options);
}

/** An answer of the proxy itself never reached the target. */
function refusedByProxy(landing: Landing): Landing | undefined {
  const refusal = proxyRefusal(landing);
  return refusal === undefined ? undefined : { ...refusal, fate: 'unsent' };
}
