import type { ApiName } from '../../../contracts/wire/exchange.ts';
import {
  splitUrl,
  type UndiciTransportOptions,
} from '../../../fixtures/target/transport/agents.ts';
import { baseUrlsOf } from '../../../fixtures/target/config/config-types.ts';
import { outgoingOf, type OutgoingOptions } from '../../../fixtures/target/transport/outgoing.ts';
import type { Scenario } from '../../scenarios/scenario.ts';
import { saturate, withoutCodings, type OriginShare, type Saturation } from './autocannon-run.ts';
import { tooFewClients, type ClientsKnown } from '../sending/clients.ts';
import type { LoadEngine, LoadJob, PreparedRequest } from '../engine.ts';
import {
  SYSTEM_GAUGE,
  SYSTEM_LOAD_TIME,
  type GeneratorGauge,
  type LoadTime,
} from '../load-time.ts';
import { Unsent } from '../unsent.ts';
import { ReadyRequests } from '../sending/ready-request.ts';

/** Options of {@link createAutocannonEngine}. */
export interface AutocannonOptions extends ClientsKnown {
  readonly connecting?: Pick<UndiciTransportOptions, 'ca' | 'proxies'>;
  readonly time?: LoadTime;
  readonly gauge?: GeneratorGauge;
}

/** What is on its way when the run is ended may take this long. */
const GRACE_MS = 2_000;

/**
 * Saturation: how much a target answers when each connection sends the next request once the last one
 * was answered. It keeps no schedule, so latencies count from when a request left, and nothing is offered
 * but what is sent. autocannon sends it (its client, by a number of requests; by time it loses what is on
 * its way, and its rates are bursts).
 */
export function createAutocannonEngine(options: AutocannonOptions): LoadEngine {
  const { outgoing, time = SYSTEM_LOAD_TIME, gauge = SYSTEM_GAUGE } = options;
  return {
    name: 'autocannon',
    cannot: (scenario) => whyNot(scenario, options),
    async run(job) {
      const impossible = whyNot(job.scenario, options);
      if (impossible !== undefined) throw new Error(impossible);
      const { kind, count } = job.scenario.clients;
      const keyNames = kind === 'keys' ? (options.keyNames ?? []).slice(0, count) : [];
      const requests = new ReadyRequests(
        { ...outgoing, config: { ...outgoing.config, maxBodyBytes: job.maxBodyBytes } },
        keyNames,
      );
      const plain = plainRequests();
      const clientOf = (slot: number): number => slot % Math.max(1, count);
      const shares = sharesOf(job, outgoing);
      const used = gauge();
      const startMs = time.nowMs();
      let [sent, error] = [0, undefined as Error | undefined];
      const unsent = new Unsent();
      const running: Saturation[] = [];
      const finish = (): void => {
        interruptedMs ??= time.nowMs() - startMs;
        for (const one of running) one.finish();
        setTimeout(() => {
          for (const one of running) one.stop();
        }, GRACE_MS).unref();
      };
      let interruptedMs: number | undefined;
      for (const share of shares) {
        running.push(
          saturate(share, {
            job,
            ready: (slot) => requests.of(plain(job.choose(slot)), clientOf(slot)),
            clientOf,
            startMs,
            nowMs: () => time.nowMs() - startMs,
            nextNumber: () => (sent += 1),
            unsent,
            broken: (why) => {
              error ??= why instanceof Error ? why : new Error(String(why));
              for (const one of running) one.stop();
            },
          }),
        );
      }
      job.signal.addEventListener('abort', finish, { once: true });
      const ceiling = setTimeout(finish, job.scenario.ceilings.seconds * 1000);
      if (job.signal.aborted) finish();
      try {
        await Promise.all(running.map(({ ended }) => ended));
      } finally {
        clearTimeout(ceiling);
        job.signal.removeEventListener('abort', finish);
      }
      if (error !== undefined) throw error;
      const missing = interruptedMs === undefined ? job.schedule.slots - sent : 0;
      return {
        fireLagP99Ms: 0,
        waitedAtCeiling: 0,
        dropped: Math.max(0, missing) + unsent.count,
        ...unsent.problems(),
        ...(interruptedMs === undefined ? {} : { interruptedMs }),
        ...used(),
      };
    },
  };
}

/** Requests as they are sent by autocannon, which undoes no content coding. */
function plainRequests(): (prepared: PreparedRequest) => PreparedRequest {
  const made = new Map<PreparedRequest, PreparedRequest>();
  return (prepared) => {
    let plain = made.get(prepared);
    if (plain === undefined) {
      const { request } = prepared;
      const headers = withoutCodings(request.headers ?? []);
      made.set(prepared, (plain = { ...prepared, request: { ...request, headers } }));
    }
    return plain;
  };
}

/** The slots of each origin, and connections by how many it has. */
function sharesOf(
  { schedule, choose, connections }: LoadJob,
  options: OutgoingOptions,
): OriginShare[] {
  const origins = new Map<ApiName, string>();
  const slotsOf = new Map<string, number[]>();
  for (let slot = 0; slot < schedule.slots; slot += 1) {
    const { request } = choose(slot);
    const { api } = request;
    const origin = origins.get(api) ?? splitUrl(outgoingOf(request, options).url).origin;
    origins.set(api, origin);
    const slots = slotsOf.get(origin);
    if (slots === undefined) slotsOf.set(origin, [slot]);
    else slots.push(slot);
  }
  return [...slotsOf].map(([origin, slots]) => {
    const part = Math.round((connections * slots.length) / schedule.slots);
    return { origin, slots, connections: Math.min(Math.max(1, part), slots.length) };
  });
}

/** Why autocannon cannot run a scenario, as a sentence. */
function whyNot(
  { name, pacer, clients, onThrottle, steps }: Scenario,
  { connecting, ...known }: AutocannonOptions,
): string | undefined {
  if (pacer !== 'saturation' || steps.length !== 1) {
    return `the scenario ${name} has rates to keep, and autocannon sends as fast as it is answered (its rates are bursts, each second's share at once); the open-loop engine keeps them`;
  }
  if (clients.kind === 'addresses') {
    return `the scenario ${name} sends from several addresses, which autocannon cannot; the open-loop engine can`;
  }
  if (onThrottle === 'come-back') {
    return `in the scenario ${name} throttled requests come back, which autocannon cannot; the open-loop engine can`;
  }
  const urls = Object.values(baseUrlsOf(known.outgoing.config));
  if (urls.some((url) => url.startsWith('https:'))) {
    return 'autocannon checks no certificates, so that it would send keys to anybody: give http URLs, or take the open-loop engine';
  }
  if (connecting?.proxies !== undefined || known.outgoing.config.sourceIp !== undefined) {
    return 'autocannon goes by no proxy and from no chosen address; the open-loop engine does';
  }
  return tooFewClients(clients, known);
}
