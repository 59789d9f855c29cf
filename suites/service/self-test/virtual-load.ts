/** A load run on a clock that takes no time: an open loop straight into a service. */

import type { Relation } from '../../../contracts/wire/exchange.ts';
import { comeBackMark } from '../../../contracts/run/load/load-marks.ts';
import type { Exchange } from '../../../contracts/wire/exchange.ts';
import { isThrottled, waitIn } from '../../../contracts/service/wire/error-body.ts';
import { jsonOrUndefined } from '../../../contracts/wire/parse-json.ts';
import type { Client, ClientRequest } from '../../../target/transport/client.ts';
import type { Clock } from '../../../target/budget/clock.ts';
import type { Governor } from '../../../target/budget/governor.ts';
import { requestedWaitsMs } from '../../../target/budget/retry-after.ts';
import type { LoadJob } from '../../../load/engine.ts';

/** Lets everything through at once: load keeps to its schedule, whatever is answered. */
export function openGate(clock: Clock): Governor {
  const spent = { requests: 0, rejects: 0 };
  return {
    admit: () => Promise.resolve({} as never),
    departed: () => undefined,
    settle: () => undefined,
    sleep: (ms) => clock.sleep(ms),
    unreachable: new Map(),
    spent: spent as Governor['spent'],
  };
}

/** Requests that come back are sent no more often. */
const MAX_COME_BACKS = 20;

/** What a virtual load run takes of a job. */
export type VirtualJob = Pick<LoadJob, 'scenario' | 'schedule' | 'choose'> & {
  readonly sink: { readonly exchange: (exchange: Exchange, step: number) => void };
  readonly client: Client;
  readonly clock: Clock;
  /** How a client of the scenario sends a request: from which address, or with which key. */
  readonly asClient: (request: ClientRequest, client: number) => ClientRequest;
};

/** Sends each slot when it is due, and again after the announced wait where the scenario has it so. */
export async function runVirtually(job: VirtualJob): Promise<void> {
  const { scenario, schedule, choose, clock } = job;
  const startMs = clock.nowMs();
  const endMs = startMs + schedule.seconds * 1000;
  const stepEndsMs = scenario.steps.map(
    (_, at) =>
      startMs +
      1000 * scenario.steps.slice(0, at + 1).reduce((sum, { seconds }) => sum + seconds, 0),
  );
  const stepAt = (ms: number): number =>
    Math.min(stepEndsMs.length - 1, stepEndsMs.filter((ends) => ends <= ms).length);
  const sendSlot = async (slot: number): Promise<void> => {
    const client = slot % scenario.clients.count;
    const comesBack = scenario.onThrottle === 'come-back';
    const relations: readonly Relation[] = comesBack ? [comeBackMark(client, slot)] : [];
    const request = job.asClient({ ...choose(slot).request, attempts: 1, relations }, client);
    let step = schedule.stepOf(slot);
    for (let times = 0; times <= MAX_COME_BACKS; times += 1) {
      const exchange = await job.client.send(request);
      job.sink.exchange(exchange, step);
      const waitMs = comesBack ? reportedWaitMs(exchange, clock.nowMs()) : undefined;
      if (waitMs === undefined || clock.nowMs() + waitMs >= endMs) return;
      await clock.sleep(waitMs);
      step = stepAt(clock.nowMs());
    }
  };
  const sent: Promise<void>[] = [];
  for (let slot = 0; slot < schedule.slots; slot += 1) {
    const waitMs = startMs + schedule.dueMs(slot) - clock.nowMs();
    if (waitMs > 0) await clock.sleep(waitMs);
    sent.push(sendSlot(slot));
  }
  await Promise.all(sent);
}

function reportedWaitMs({ outcome }: Exchange, nowMs: number): number | undefined {
  if (outcome.kind === 'failure') return undefined;
  const { status, headers, body } = outcome.response;
  const json = jsonOrUndefined(body.text);
  if (!isThrottled(status, json)) return undefined;
  return requestedWaitsMs(waitIn(json), headers, nowMs).find(
    (wait) => wait >= 0 && wait < Infinity,
  );
}
