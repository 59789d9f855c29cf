import type autocannon from 'autocannon';
import type { Instance, Options } from 'autocannon';
import { type ApiName, headerOf } from '../../../contracts/wire/exchange.ts';
import { given } from '../../../contracts/wire/json.ts';
import { IDLE_MS, splitUrl } from '../../../target/transport/agents.ts';
import { Standstill } from '../../../target/transport/standstill.ts';
import { baseUrlsOf } from '../../../target/config/config-types.ts';
import { outgoingOf, type OutgoingOptions } from '../../../target/transport/outgoing.ts';
import type { Scenario } from '../../scenarios/scenario.ts';
import { GRACE_MS, type LoadEngine, type LoadJob, type PreparedRequest } from '../../engine.ts';
import { Answers } from '../sending/answers.ts';
import { tooFewClients } from '../sending/clients.ts';
import { sendingEngine, type SendingOptions } from '../sending/sending-engine.ts';
import { Lane, type OriginShare, type SaturationMeans } from './autocannon-lane.ts';

/** How often autocannon looks whether it is at its end. */
const LOOK_MS = 50;
/** All connections have sent again this long after a standstill. */
const JUST_MS = 500;

/**
 * Saturation: how much a target answers when each connection sends the next request once the last one
 * was answered. It keeps no schedule, so latencies count from when a request left, and nothing is offered
 * but what is sent. autocannon sends it (its client, by a number of requests; by time it loses what is on
 * its way, and its rates are bursts).
 */
export function createAutocannonEngine(options: SendingOptions): LoadEngine {
  const cannot: LoadEngine['cannot'] = (scenario) => whyNot(scenario, options);
  return sendingEngine(options, { name: 'autocannon', cannot }, async (job, means) => {
    // Hundreds of modules, which no other engine needs.
    const { default: begin } = await import('autocannon');
    const { requests, time, gauge } = means;
    const clients = Math.max(1, job.scenario.clients.count);
    const plain = new Map(job.requests.map((one) => [one, plainOf(one)]));
    const shares = sharesOf(job, options.outgoing);
    const used = gauge();
    const startMs = time.nowMs();
    const nowMs = (): number => time.nowMs() - startMs;
    const answers = new Answers(job, startMs);
    let [sent, error] = [0, undefined as Error | undefined];
    let interruptedMs: number | undefined;
    let [isStopped, unanswered] = [false, 0];
    const stop = (): void => {
      isStopped = true;
      for (const one of running) one.stop();
    };
    const finish = (): void => {
      interruptedMs ??= nowMs();
      for (const { lanes } of running) for (const lane of lanes) lane.finish();
      setTimeout(stop, GRACE_MS).unref();
    };
    const standstill = new Standstill(IDLE_MS);
    const lanesMeans: SaturationMeans = {
      ...{ job, nowMs },
      built: (slot) => {
        const client = slot % clients;
        const prepared = job.choose(slot);
        return { ready: requests.of(plain.get(prepared) ?? plainOf(prepared), client), client };
      },
      mayBeClosed: () => performance.now() - (standstill.endedMs() ?? -Infinity) < JUST_MS,
      nextNumber: () => (sent += 1),
      ended: (underWay, requestEnd, isWhole) => {
        // We closed it, not the target.
        if (isStopped && requestEnd.kind === 'failure' && requestEnd.failure === 'closed') {
          unanswered += 1;
          return;
        }
        try {
          answers.take(underWay, requestEnd, nowMs(), isWhole);
        } catch (why) {
          error ??= why instanceof Error ? why : new Error(String(why));
          stop();
        }
      },
    };
    const running = shares.map((share) => saturate(begin, share, lanesMeans));
    job.signal.addEventListener('abort', finish, { once: true });
    const ceiling = setTimeout(finish, job.scenario.ceilings.seconds * 1000);
    if (job.signal.aborted) finish();
    try {
      await Promise.all(running.map(({ ended }) => ended));
    } finally {
      clearTimeout(ceiling);
      standstill.close();
      job.signal.removeEventListener('abort', finish);
    }
    if (error !== undefined) throw error;
    const missing = interruptedMs === undefined ? job.schedule.slots - sent : 0;
    return {
      waitedAtCeiling: 0,
      dropped: Math.max(0, missing) + answers.unsent.count,
      ...answers.unsent.problems(),
      unanswered,
      ...given({ interruptedMs }),
      ...used(),
    };
  });
}

/** A part of a run that is under way. */
interface Saturation {
  readonly lanes: readonly Lane[];
  readonly ended: Promise<void>;
  /** Ends at once. */
  readonly stop: () => void;
}

/** Sends the requests of one origin, each connection the next one once the last was answered. */
function saturate(
  begin: typeof autocannon,
  share: OriginShare,
  means: SaturationMeans,
): Saturation {
  const lanes: Lane[] = [];
  let instance: Instance | undefined;
  const ended = new Promise<void>((resolve, reject) => {
    const options: Options = {
      url: share.origin,
      amount: share.slots.length,
      connections: share.connections,
      pipelining: 1,
      timeout: Math.ceil(means.job.timeoutMs / 1000),
      sampleInt: LOOK_MS,
      // Without a rate it corrects nothing for coordinated omission, and refuses to be settled not to.
      skipAggregateResult: true,
      setupClient: (client) => {
        lanes.push(new Lane(client, lanes.length, share, means));
      },
    };
    instance = begin(options, (error: unknown) => {
      if (error instanceof Error) reject(error);
      else resolve();
    });
  });
  return { lanes, ended, stop: () => instance?.stop() };
}

/** A request as it is sent by autocannon, which undoes no content coding. */
function plainOf(prepared: PreparedRequest): PreparedRequest {
  const { request } = prepared;
  const { headers = [] } = request;
  if (headerOf(headers, 'accept-encoding') !== undefined) return prepared;
  const plain = [...headers, ['Accept-Encoding', 'identity']] as const;
  return { ...prepared, request: { ...request, headers: plain } };
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
  options: SendingOptions,
): string | undefined {
  const { connecting, outgoing } = options;
  if (pacer !== 'saturation' || steps.length !== 1) {
    return `the scenario ${name} has rates to keep, and autocannon sends as fast as it is answered (its rates are bursts, each second's share at once); the open-loop engine keeps them`;
  }
  if (clients.kind === 'addresses') {
    return `the scenario ${name} sends from several addresses, which autocannon cannot; the open-loop engine can`;
  }
  if (onThrottle === 'come-back') {
    return `in the scenario ${name} throttled requests come back, which autocannon cannot; the open-loop engine can`;
  }
  const urls = Object.values(baseUrlsOf(outgoing.config));
  if (urls.some((url) => url.startsWith('https:'))) {
    return 'autocannon checks no certificates, so that it would send keys to anybody: give http URLs, or take the open-loop engine';
  }
  if (connecting?.proxies !== undefined || outgoing.config.sourceIp !== undefined) {
    return 'autocannon goes by no proxy and from no chosen address; the open-loop engine does';
  }
  return tooFewClients(clients, options);
}
