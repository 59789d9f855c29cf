import type { LoadViolation } from '../../../contracts/run/load/load-run.ts';
import {
  MIN_CERTAIN_REFUSALS,
  IDEMPOTENCY,
  type IdempotencyRole,
  isBadRound,
  type KeyFact,
  keyFactOf,
} from '../../../contracts/service/rules/conventions/idempotency.ts';
import type { Rule } from '../../../contracts/judging/rule.ts';
import type { Contract } from '../../../contracts/document/schema.ts';
import { View } from '../../../contracts/judging/view.ts';
import { type Exchange, headerOf } from '../../../contracts/wire/exchange.ts';
import type { Client } from '../../../target/transport/client.ts';
import type { Clock } from '../../../target/budget/clock.ts';
import { ApiUnreachable, BudgetExceeded, Interrupted } from '../../../target/budget/governor.ts';
import { GRACE_MS, type PreparedRequest } from '../../../load/engine.ts';
import { RelatedJudge } from '../../../load/judging/related-judge.ts';
import type { Scenario } from '../../../load/scenarios/scenario.ts';
import type { Schedule } from '../../../load/scenarios/schedule.ts';

/** What twins are sent with, beside a load. */
export interface KeyTwinsOptions {
  readonly client: Pick<Client, 'send'>;
  readonly contract: Contract;
  /** Those of the run; only those on keys count here, and say for which operations. */
  readonly rules: readonly Rule[];
  /** What the load sends. */
  readonly requests: readonly PreparedRequest[];
  readonly scenario: Scenario;
  readonly schedule: Schedule;
  readonly clock: Pick<Clock, 'nowMs' | 'sleep'>;
  /** An Idempotency-Key that nobody has used. */
  readonly newKey: () => string;
  /** Writes an exchange into the record; false when it takes no more. */
  readonly keep: (exchange: Exchange) => boolean;
  /** Ends sending; what is on its way is waited for as long as by an engine. */
  readonly signal: AbortSignal;
}

/** Twins under way. */
export interface KeyTwins {
  /** Sends no more, waits for what is on its way, and says what was broken. */
  readonly end: () => Promise<readonly LoadViolation[]>;
  /** Requests sent so far; they are no part of the load's figures. */
  readonly sent: () => number;
}

/** Of one run. */
const MAX_STORIES = 30;
/** Of the load's requests, so that the figures are those of the load. */
const MAX_SHARE = 0.01;
/** Pairs without a key, all of which must be served where none of those with a key was. */
const BARE_PAIRS = 3;

/**
 * Sends two equal requests with one Idempotency-Key at the same moment, again and again while a load goes
 * on. Whether one of them is served may depend on what else the service has in hand. Only a pair of which
 * none was served is followed by more. They are apart from the load, since a service may refuse one of
 * them (409), which is no error of it.
 */
export function startKeyTwins(options: KeyTwinsOptions): KeyTwins {
  const { scenario, schedule, clock, contract } = options;
  const rules = options.rules.filter(({ relation }) => relation === IDEMPOTENCY);
  const related = new RelatedJudge(rules, contract, scenario.steps.length);
  // Clients that come back count on nobody else being there.
  const isAlone = scenario.onThrottle === 'come-back';
  const fit = isAlone ? [] : inTurn(options.requests.filter((one) => isFit(one, rules)));
  const ending = new AbortController();
  const signal = AbortSignal.any([options.signal, ending.signal]);
  const startMs = clock.nowMs();
  const stepEndsMs = schedule.steps.map(
    ({ beginsSeconds, seconds }) => startMs + 1000 * (beginsSeconds + seconds),
  );
  let [sent, hasEnded] = [0, false];
  const graceOver = new Promise<void>((resolve) => {
    const wait = (): void => {
      void clock.sleep(GRACE_MS).then(resolve);
    };
    options.signal.addEventListener('abort', wait, { once: true });
  });

  async function pair(
    group: string,
    { request }: PreparedRequest,
    role: IdempotencyRole,
    key?: string,
  ): Promise<KeyFact[]> {
    const purpose =
      key === undefined
        ? request.purpose
        : ({ kind: 'probe', about: 'two requests with one Idempotency-Key' } as const);
    const keyed: [string, string][] = key === undefined ? [] : [['Idempotency-Key', key]];
    const headers = [...(request.headers ?? []), ...keyed];
    const relations = [{ kind: IDEMPOTENCY, group, role }];
    const twin = { ...request, headers, purpose, relations, attempts: 1 };
    const step = stepAt(stepEndsMs, clock.nowMs());
    sent += 2;
    const settled = await Promise.allSettled([1, 2].map(() => options.client.send(twin)));
    const facts: KeyFact[] = [];
    // The record is closed by now.
    if (hasEnded) return facts;
    for (const result of settled) {
      if (result.status === 'rejected') throw result.reason;
      // Of another client than the load's, whose exchanges are numbered as well.
      const exchange = { ...result.value, id: result.value.id.replace(/^x/, 't') };
      if (!options.keep(exchange)) throw new BudgetExceeded('record bytes', 0);
      related.add(exchange, step);
      const view = new View(exchange, contract);
      const fact = keyFactOf(view);
      // What fails for lack of capacity is for thresholds.
      if (fact !== null && fact.kind !== 'failed') facts.push(fact);
    }
    return facts;
  }

  async function story(number: number, request: PreparedRequest): Promise<void> {
    const group = `twins-${number}`;
    for (let round = 1; round <= MIN_CERTAIN_REFUSALS; round += 1) {
      const facts = await pair(group, request, `twin-${round}`, options.newKey());
      if (facts.length < 2 || !isBadRound(facts) || signal.aborted) return;
    }
    for (let bare = 0; bare < BARE_PAIRS; bare += 1) await pair(group, request, 'bare-twin');
  }

  async function run(): Promise<void> {
    if (fit.length === 0) return;
    const every = Math.max(schedule.slots / MAX_STORIES, 2 / MAX_SHARE);
    for (let number = 1; ; number += 1) {
      const slot = Math.floor((number - 0.5) * every);
      const request = fit[(number - 1) % fit.length];
      if (request === undefined || slot >= schedule.slots) return;
      await clock.sleep(Math.max(0, startMs + schedule.dueMs(slot) - clock.nowMs()), signal);
      await story(number, request);
    }
  }

  const running = run().catch((error: unknown): Error | undefined => {
    const isOver = [BudgetExceeded, ApiUnreachable, Interrupted].some(
      (kind) => error instanceof kind,
    );
    if (isOver || signal.aborted) return undefined;
    return error instanceof Error ? error : new Error('sending twins failed', { cause: error });
  });
  return {
    sent: () => sent,
    end: async () => {
      ending.abort();
      const error = await Promise.race([running, graceOver]);
      hasEnded = true;
      if (error !== undefined) throw error;
      return related.violations();
    },
  };
}

function isFit({ operation, request }: PreparedRequest, rules: readonly Rule[]): boolean {
  const { method, headers = [], purpose, api } = request;
  if (method !== 'POST' || purpose.kind !== 'valid') return false;
  if (headerOf(headers, 'Idempotency-Key') !== undefined) return false;
  return rules.some(
    (rule) => rule.api === api && (rule.operations === '*' || rule.operations.includes(operation)),
  );
}

/** Each operation in turn, and of each its requests in turn. */
function inTurn(requests: readonly PreparedRequest[]): PreparedRequest[] {
  const byOperation = new Map<string, PreparedRequest[]>();
  for (const one of requests) {
    const known = byOperation.get(one.operation);
    if (known === undefined) byOperation.set(one.operation, [one]);
    else known.push(one);
  }
  const lists = [...byOperation.values()];
  const longest = lists.reduce((most, { length }) => Math.max(most, length), 0);
  return Array.from({ length: longest }, (_, at) => at).flatMap((at) =>
    lists.flatMap((list) => list[at] ?? []),
  );
}

function stepAt(stepEndsMs: readonly number[], nowMs: number): number {
  const at = stepEndsMs.findIndex((endMs) => nowMs < endMs);
  return at < 0 ? Math.max(0, stepEndsMs.length - 1) : at;
}
