import type { UndiciTransportOptions } from '../../../target/transport/agents.ts';
import type { OutgoingOptions } from '../../../target/transport/outgoing.ts';
import type { GeneratorFacts, LoadEngine, LoadJob } from '../../engine.ts';
import {
  type GeneratorGauge,
  type LoadTime,
  SYSTEM_GAUGE,
  SYSTEM_LOAD_TIME,
} from '../load-time.ts';
import { addressFields } from './address-fields.ts';
import { ReadyRequests } from './ready-request.ts';

/** What an engine that sends from this process is made from, and what its clients can be distinguished by. */
export interface SendingOptions {
  readonly outgoing: OutgoingOptions;
  readonly connecting?: Pick<UndiciTransportOptions, 'ca' | 'proxies'>;
  /** Names of secrets that the redactor holds: the keys of clients of the kind `keys`. */
  readonly keyNames?: readonly string[];
  /** Local addresses of clients of the kind `addresses`; those of 127.0.0.0/8 that there are if the target is there. */
  readonly addresses?: readonly string[];
  /** The header field that the target believes for the address of a client; those clients then send from one address. */
  readonly addressHeader?: string;
  readonly time?: LoadTime;
  readonly gauge?: GeneratorGauge;
}

/** What such an engine sends with. */
export interface SendingMeans {
  readonly requests: ReadyRequests;
  readonly time: LoadTime;
  readonly gauge: GeneratorGauge;
}

/** An engine that sends from this process in a way of its own; what it cannot run it refuses. */
export function sendingEngine(
  options: SendingOptions,
  { name, cannot }: Pick<LoadEngine, 'name' | 'cannot'>,
  run: (job: LoadJob, means: SendingMeans) => Promise<GeneratorFacts>,
): LoadEngine {
  const { outgoing, keyNames = [], addressHeader } = options;
  const { time = SYSTEM_LOAD_TIME, gauge = SYSTEM_GAUGE } = options;
  return {
    ...{ name, cannot },
    async run(job) {
      const impossible = cannot(job.scenario);
      if (impossible !== undefined) throw new Error(impossible);
      const { kind, count } = job.scenario.clients;
      const requests = new ReadyRequests(
        { ...outgoing, config: { ...outgoing.config, maxBodyBytes: job.maxBodyBytes } },
        kind === 'keys' ? keyNames.slice(0, count) : [],
        addressFields(job.scenario.clients, addressHeader),
      );
      return run(job, { requests, time, gauge });
    },
  };
}
