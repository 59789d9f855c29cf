import { given } from '../../../contracts/wire/json.ts';
import { createAgents } from '../../../target/transport/agents.ts';
import { proxyRefusal, type Proxies } from '../../../target/transport/undici-transport.ts';
import type { LoadEngine } from '../../engine.ts';
import { ConnectionsMade } from '../../samples/connections-made.ts';
import { headerListOf } from '../sending/answers.ts';
import { clientAddresses, tooFewClients } from '../sending/clients.ts';
import type { PendingRequest, RequestEnd } from '../sending/pending-request.ts';
import { sendingEngine, type SendingOptions } from '../sending/sending-engine.ts';
import { OpenLoopRun } from './open-loop-run.ts';

export type { SendingOptions as OpenLoopOptions };

/**
 * The default engine: requests leave at their scheduled times, by undici's dispatch, one at a time on
 * each connection. Judging happens beside the sending, in what the sink does with an exchange.
 */
export function createOpenLoopEngine(options: SendingOptions): LoadEngine {
  const { connecting } = options;
  const cannot: LoadEngine['cannot'] = ({ name, pacer, clients }) =>
    pacer === 'saturation'
      ? `the scenario ${name} has no rates to keep; --engine autocannon sends as fast as it is answered`
      : tooFewClients(clients, options);
  return sendingEngine(options, { name: 'open-loop', cannot }, async (job, means) => {
    const { addresses, problem } = await clientAddresses(job.scenario.clients, options);
    const made = new ConnectionsMade();
    const isMeasured = connecting?.proxies === undefined;
    const agents = createAgents({
      ...connecting,
      connections: job.connections,
      onConnection: made.add,
    });
    const send = (pending: PendingRequest): void => {
      const { origin, path, fields, outgoing } = pending.ready;
      const { method, body, sourceAddress } = outgoing;
      try {
        agents
          .from(addresses[pending.plan.client % addresses.length] ?? sourceAddress, origin)
          .dispatch({ origin, path, method, headers: fields, body }, pending);
      } catch (error) {
        pending.onError(error instanceof Error ? error : new Error(String(error)));
      }
    };
    const adjust = connecting?.proxies && refusedBy(connecting.proxies);
    const used = means.gauge();
    try {
      const facts = await new OpenLoopRun(job, { ...means, send, ...given({ adjust }) }).run();
      const problems = [...(problem === undefined ? [] : [problem]), ...(facts.problems ?? [])];
      const connections = isMeasured ? { connections: made.facts() } : {};
      return {
        ...facts,
        ...used(),
        ...connections,
        ...(problems.length === 0 ? {} : { problems }),
      };
    } finally {
      await agents.close();
    }
  });
}

/** An answer of the proxy itself never reached the target. */
const refusedBy =
  (proxies: Proxies) =>
  (requestEnd: RequestEnd, origin: string): RequestEnd | undefined => {
    if (requestEnd.kind === 'failure' || requestEnd.status < 400) return undefined;
    const { kind, status, rawHeaders } = requestEnd;
    const answer = { kind, status, headers: headerListOf(rawHeaders) };
    const refusal = proxyRefusal(origin, answer, proxies);
    return refusal && { ...refusal, fate: 'unsent' };
  };
