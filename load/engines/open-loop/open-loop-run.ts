/** Long because it is one class, and all its methods share what is on its way. */

import { given } from '../../../contracts/wire/json.ts';
import { requestedWaitsMs } from '../../../target/budget/retry-after.ts';
import { Lateness } from '../../samples/lateness.ts';
import { Answers, decodedEnd, headerListOf, isEncoded, unreadEnd } from '../sending/answers.ts';
import { ComeBacks } from './come-backs.ts';
import { type GeneratorFacts, GRACE_MS, type LoadJob } from '../../engine.ts';
import { PendingRequests, Line } from './pending-requests.ts';
import {
  PendingRequest,
  type PendingRequestPlan,
  type RequestEnd,
  type RequestOwner,
} from '../sending/pending-request.ts';
import type { LoadTime } from '../load-time.ts';
import type { ReadyRequest, ReadyRequests } from '../sending/ready-request.ts';

/** What a run needs of the world. */
export interface OpenLoopMeans {
  readonly time: LoadTime;
  readonly requests: Pick<ReadyRequests, 'of'>;
  /** Puts a request on the wire; calls its handler from then on. */
  readonly send: (pending: PendingRequest) => void;
  /** What an answer that came by a proxy is where the proxy itself gave it. */
  readonly adjust?: (requestEnd: RequestEnd, origin: string) => RequestEnd | undefined;
}

/** Between two looks at what came in. */
const MAX_AT_ONCE = 256;
/** Looks are about so far apart while nothing keeps the thread. */
const LOOK_MS = 2;
/** What was not sent by then is dropped: the generator is far too slow for this schedule. */
const MAX_BEHIND_MS = 5_000;
/** Bodies on their way and those that wait to be looked at; what goes beyond is not read, and counts by its status. */
const MOST_HELD_BYTES = 67_108_864;
/** What still waits to be decoded so long after the last answer could come is not. */
const FOR_DECODING_MS = 500;
/** A slot that is throttled again and again is not sent any more after this many times. */
const MAX_COME_BACKS = 20;

/**
 * One run of a schedule: each request leaves when it is due, whatever became of those before it, and
 * its latency counts from then. So the latency of a service that stalls counts for all requests that
 * were due meanwhile, which a loop that waits for answers would never have sent (coordinated omission,
 * G. Tene).
 *
 * A throttled request comes back, if the scenario wants that, at the end of the wait that it was
 * settled, counted from the end of the answer; not if none was settled, nor after the end of the schedule, nor
 * beyond the ceiling on requests, nor more than 20 times. It keeps its slot and its Idempotency-Key, and
 * its latency counts from there: being settled to wait is no slowness.
 */
export class OpenLoopRun implements RequestOwner {
  readonly maxBodyBytes: number;
  readonly #job: LoadJob;
  readonly #means: OpenLoopMeans;
  readonly #startMs: number;
  readonly #lateness = new Lateness();
  readonly #answers: Answers;
  readonly #lines = new Map<string, Line>();
  readonly #comeBacks = new ComeBacks();
  /** On their way or in line. */
  readonly #pendingRequests = new PendingRequests();
  readonly #endMs: number;
  #comeBacksLeft: number;
  #nextSlot = 0;
  #nextDueMs: number;
  #sent = 0;
  #lookedMs = 0;
  /** Ended, and nothing was made of it yet. */
  #ended: {
    readonly pending: PendingRequest;
    readonly requestEnd: RequestEnd;
    readonly endMs: number;
  }[] = [];
  #decoding = 0;
  #heldBytes = 0;
  #waitedAtCeiling = 0;
  #dropped = 0;
  #unanswered = 0;
  #interruptedMs: number | undefined;
  #error: Error | undefined;
  #finish: () => void = () => undefined;

  constructor(job: LoadJob, means: OpenLoopMeans) {
    const { scenario, schedule } = job;
    this.#job = job;
    this.#means = means;
    this.maxBodyBytes = job.maxBodyBytes;
    this.#startMs = means.time.nowMs();
    this.#answers = new Answers(job, this.#startMs);
    this.#endMs = schedule.seconds * 1000;
    this.#comeBacksLeft = scenario.ceilings.requests - schedule.slots;
    this.#nextDueMs = schedule.slots > 0 ? schedule.dueMs(0) : Infinity;
  }

  hold(bytes: number): boolean {
    if (this.#heldBytes + bytes > MOST_HELD_BYTES) return false;
    this.#heldBytes += bytes;
    return true;
  }

  letGo(bytes: number): void {
    this.#heldBytes -= bytes;
  }

  nowMs(): number {
    return this.#means.time.nowMs() - this.#startMs;
  }

  /**
   * Sends the schedule, and resolves once all has ended. It ends whatever the target does: by the end of
   * the schedule, 5 s for what is late, and the time limit of one exchange.
   *
   * @throws what the sink throws, or a request that cannot be made
   */
  async run(): Promise<GeneratorFacts> {
    await new Promise<void>((resolve) => {
      this.#finish = resolve;
      this.#tick();
    });
    if (this.#error !== undefined) throw this.#error;
    const { unsent } = this.#answers;
    return {
      ...this.#lateness.facts(),
      waitedAtCeiling: this.#waitedAtCeiling,
      dropped: this.#dropped + unsent.count,
      ...unsent.problems(),
      unanswered: this.#unanswered,
      ...given({ interruptedMs: this.#interruptedMs }),
    };
  }

  #tick(): void {
    const nowMs = this.nowMs();
    this.#lateness.look(nowMs - this.#lookedMs - LOOK_MS);
    if (this.#job.signal.aborted) this.#interruptedMs ??= nowMs;
    try {
      if (this.#interruptedMs === undefined) this.#sendDue(nowMs);
      else this.#windUp(nowMs);
      // What came in since the last look is read by now; what came in while this thread stood still is not.
      this.#expire(this.#lookedMs);
      this.#lookedMs = nowMs;
    } catch (error) {
      this.broken(error);
    }
    if (this.#isOver()) {
      this.#finish();
      return;
    }
    const { time } = this.#means;
    const again = (): void => {
      this.#tick();
    };
    if (this.#dueMs() <= nowMs) time.soon(again);
    else time.tick(again);
  }

  /** When the next request is due; never once there are no more. */
  #dueMs(): number {
    if (this.#interruptedMs !== undefined) return Infinity;
    return Math.min(this.#nextDueMs, this.#comeBacks.nextDueMs);
  }

  #isOver(): boolean {
    const isSettled = this.#ended.length === 0 && this.#decoding === 0;
    return this.#dueMs() === Infinity && this.#pendingRequests.isEmpty && isSettled;
  }

  #sendDue(nowMs: number): void {
    const { schedule, choose, scenario } = this.#job;
    if (nowMs > this.#endMs + MAX_BEHIND_MS) {
      this.#dropped += schedule.slots - this.#nextSlot;
      this.#nextSlot = schedule.slots;
      this.#nextDueMs = Infinity;
      this.#comeBacks.clear();
    }
    for (let count = 0; count < MAX_AT_ONCE && this.#dueMs() <= nowMs; count += 1) {
      if (this.#comeBacks.nextDueMs < this.#nextDueMs) {
        const back = this.#comeBacks.take();
        if (back !== undefined) this.#call(back.plan, back.ready);
        continue;
      }
      const slot = this.#nextSlot;
      const client = slot % Math.max(1, scenario.clients.count);
      const dueMs = this.#nextDueMs;
      this.#nextSlot += 1;
      this.#nextDueMs = slot + 1 < schedule.slots ? schedule.dueMs(slot + 1) : Infinity;
      this.#call(
        { slot, step: schedule.stepOf(slot), client, dueMs, cameBack: 0 },
        this.#means.requests.of(choose(slot), client),
      );
    }
  }

  #call(plan: PendingRequestPlan, ready: ReadyRequest): void {
    const calledMs = this.nowMs();
    this.#sent += 1;
    this.#lateness.record(plan.dueMs, calledMs);
    const pending = new PendingRequest(this, plan, ready, { number: this.#sent, calledMs });
    this.#pendingRequests.add(pending);
    if (this.#lineTo(ready.origin).take(pending)) this.#send(pending);
    else this.#waitedAtCeiling += 1;
  }

  #send(pending: PendingRequest): void {
    pending.sentMs = this.nowMs();
    this.#means.send(pending);
  }

  #lineTo(origin: string): Line {
    let line = this.#lines.get(origin);
    if (line === undefined) {
      this.#lines.set(origin, (line = new Line(this.#job.connections)));
    }
    return line;
  }

  /** Ends those whose time is over; they stand in the order in which they were called. */
  #expire(nowMs: number): void {
    const { timeoutMs } = this.#job;
    let pending = this.#pendingRequests.first;
    while (pending !== undefined && nowMs - pending.calledMs >= timeoutMs) {
      pending.expire(timeoutMs);
      pending = this.#pendingRequests.first;
    }
  }

  /** After the signal: what was not yet on the wire never goes, the rest has some time left. */
  #windUp(nowMs: number): void {
    this.#comeBacks.clear();
    const isOver = nowMs - (this.#interruptedMs ?? nowMs) >= GRACE_MS;
    this.#drop(({ wireMs }) => isOver || wireMs === undefined);
  }

  ended(pending: PendingRequest, requestEnd: RequestEnd, endMs: number): void {
    this.#pendingRequests.delete(pending);
    pending.isLate = this.#lateness.read(pending.plan.dueMs, pending.calledMs);
    if (pending.sentMs !== undefined) {
      const next = this.#lineTo(pending.ready.origin).giveBack();
      if (next !== undefined) this.#send(next);
    }
    this.#ended.push({ pending, requestEnd, endMs });
    if (this.#ended.length > 1) return;
    // All that came in together has its time before anything is made of it.
    this.#means.time.soon(() => {
      this.#settleLanded();
    });
  }

  #settleLanded(): void {
    const all = this.#ended;
    this.#ended = [];
    for (const { pending, requestEnd, endMs } of all) {
      if (!isEncoded(requestEnd)) {
        this.#settle(pending, requestEnd, endMs);
        continue;
      }
      this.#decoding += 1;
      void decodedEnd(requestEnd, this.maxBodyBytes, this.#isTooLateToDecode).then((decoded) => {
        this.#decoding -= 1;
        this.#settle(pending, decoded ?? unreadEnd(requestEnd), endMs, decoded !== undefined);
      });
    }
  }

  readonly #isTooLateToDecode = (): boolean =>
    this.#interruptedMs === undefined
      ? this.nowMs() > this.#endMs + this.#job.timeoutMs + FOR_DECODING_MS
      : this.nowMs() > this.#interruptedMs + GRACE_MS;

  broken(error: unknown): void {
    this.#error ??= error instanceof Error ? error : new Error(String(error));
    this.#interruptedMs ??= this.nowMs();
    this.#drop(() => true);
  }

  #drop(isMeant: (pending: PendingRequest) => boolean): void {
    const dropped = this.#pendingRequests.takeAll(isMeant);
    this.#unanswered += dropped.length;
    for (const pending of dropped) pending.drop();
  }

  #settle(pending: PendingRequest, asItCame: RequestEnd, endMs: number, isRead = true): void {
    pending.letGo();
    const isWhole = isRead && !(asItCame.kind === 'response' && asItCame.isUnread === true);
    const requestEnd = this.#means.adjust?.(asItCame, pending.ready.origin) ?? asItCame;
    try {
      const settled = this.#answers.take(pending, requestEnd, endMs, isWhole);
      if (settled?.fate === 'throttled') this.#comeBack(pending, requestEnd, settled.json, endMs);
    } catch (error) {
      // Of Assay: the target has nothing to do with it.
      this.broken(error);
    }
  }

  #comeBack(
    { plan, ready }: PendingRequest,
    requestEnd: RequestEnd,
    json: unknown,
    endMs: number,
  ): void {
    const { scenario, waitIn } = this.#job;
    const isSilent = this.#interruptedMs !== undefined || plan.cameBack >= MAX_COME_BACKS;
    if (scenario.onThrottle !== 'come-back' || isSilent || this.#comeBacksLeft <= 0) return;
    const headers = requestEnd.kind === 'response' ? headerListOf(requestEnd.rawHeaders) : [];
    // What the client obeys of what it is settled, if that is a wait.
    const waitMs = requestedWaitsMs(waitIn(json), headers, this.#startMs + endMs).find(
      (wait) => wait >= 0 && wait < Infinity,
    );
    if (waitMs === undefined || endMs + waitMs >= this.#endMs) return;
    this.#comeBacksLeft -= 1;
    const dueMs = endMs + waitMs;
    const { slot, client, firstDueMs = plan.dueMs, cameBack } = plan;
    const step = this.#stepAt(dueMs);
    const again = { slot, step, client, dueMs, firstDueMs, cameBack: cameBack + 1 };
    this.#comeBacks.add({ plan: again, ready });
  }

  #stepAt(ms: number): number {
    const { steps } = this.#job.schedule;
    const at = steps.findLastIndex(({ beginsSeconds }) => beginsSeconds * 1000 <= ms);
    return Math.max(0, at);
  }
}
