/** Calls of one node: inside its time, recorded without its URL, and once more if it was asked too often. */

import type { Exchange, Relation } from '../../contracts/wire/exchange.ts';
import { NODE_API } from '../../contracts/wire/exchange.ts';
import { given, isObject, member } from '../../contracts/wire/json.ts';
import { jsonOrUndefined } from '../../contracts/wire/parse-json.ts';
import {
  ApiUnreachable,
  BudgetExceeded,
  createGovernor,
  type GovernorOptions,
} from '../budget/governor.ts';
import { isLoopback } from '../budget/polite-rate.ts';
import { requestedWaitsMs } from '../budget/retry-after.ts';
import type { ClientRequest } from '../transport/client-request.ts';
import { type ClientOptions, createClient } from '../transport/client.ts';
import type { Transport } from '../transport/transport.ts';

/** A JSON-RPC method and its parameters. */
export interface RpcCall {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** What came of a call: a result, an error of the node, or nothing that can be used. */
export type NodeAnswer =
  | { readonly kind: 'result'; readonly result: unknown }
  | {
      readonly kind: 'error';
      readonly code: unknown;
      readonly message: string;
      readonly why: string;
    }
  | {
      readonly kind: 'failed';
      readonly why: string;
      /** It was asked too often. */
      readonly isThrottled?: true;
    };

const CALLS_A_SECOND = 2;
const TIMEOUT_MS = 10_000;
const MAX_BODY = 1_048_576;
/** Once, and once more if it was throttled: after as long as the node says, else after this. */
const ATTEMPTS = 2;
const WAIT_MS = 1_000;
/** Codes of errors for too many requests: that of EIP-1474, and that of HTTP. */
const LIMIT_EXCEEDED: readonly unknown[] = [-32_005, 429];
/** Words for it beside other codes; a contract that reverts may use them of something else. */
const LIMIT_WORDS = /\b(?:rate[ -]?limit|too many requests|requests? limit)/i;
const REVERT = /revert/i;
const WHY_CHARACTERS = 200;

/** What a node is asked with. */
export interface CallerOptions
  extends
    Pick<ClientOptions, 'clock' | 'redactor' | 'recorder' | 'listeners' | 'nextId' | 'version'>,
    Pick<GovernorOptions, 'startedMs' | 'sendUntilMs' | 'signal'> {
  readonly chainId: number;
  readonly url: string;
  /** What stands in the record for the URL. */
  readonly recordedAs: string;
  /** To the node. */
  readonly transport: Transport;
  readonly maxSeconds: number;
  /** For one whole exchange with the target; one with a node ends by then, or in 10 s if that is sooner. */
  readonly timeoutMs?: number | undefined;
  /** How long calls and waits may take, in ms. */
  readonly leftMs: () => number;
  /** Counts a request that is sent next; why it is not to be sent, else undefined. */
  readonly spend: () => string | undefined;
}

/** Calls a node; what fails is an answer. */
export type Caller = (
  json: { readonly id: number } & RpcCall,
  relations: readonly Relation[],
) => Promise<NodeAnswer>;

/** Calls of one node, which are sent once more if it was asked too often. */
export function createCaller(options: CallerOptions): Caller {
  const { chainId, url, recordedAs, clock, leftMs, spend } = options;
  const { maxSeconds, startedMs, sendUntilMs, signal, timeoutMs = TIMEOUT_MS } = options;
  const governor = createGovernor({
    budget: {
      ...{ maxRequests: Infinity, maxRejects: Infinity, maxSeconds },
      // A node of one's own is asked as fast as it answers.
      ...(isLoopback(new URL(url).hostname) ? {} : { maxRate: CALLS_A_SECOND }),
    },
    clock,
    waitIn: () => undefined,
    ...given({ startedMs, sendUntilMs, signal }),
  });
  const client = createClient({
    ...options,
    // What it throttles is sent again by who knows how much time is left.
    isThrottled: () => false,
    // What is recorded; where it leads, the transport alone knows.
    config: {
      [`${NODE_API}Url`]: recordedAs,
      timeoutMs: Math.min(timeoutMs, TIMEOUT_MS),
      maxBodyBytes: MAX_BODY,
    },
    // However long it takes to answer, it takes no more than what is left.
    transport: (request) =>
      options.transport({
        ...request,
        timeoutMs: Math.max(1, Math.min(request.timeoutMs, leftMs())),
      }),
    governor,
  });
  const send = async (request: ClientRequest, id: number): Promise<NodeAnswer> => {
    for (let attempts = 1; ; attempts += 1) {
      const why = spend();
      if (why !== undefined) return { kind: 'failed', why };
      const exchange = await client.send(request);
      const answer = readAnswer(exchange, id);
      if (attempts === ATTEMPTS || !isThrottled(answer)) return answer;
      const waitMs = waitOf(exchange, clock.nowMs());
      if (waitMs >= leftMs())
        return { kind: 'failed', why: `${WAITS} ${Math.ceil(waitMs / 1_000)} s` };
      await governor.sleep(waitMs);
    }
  };
  return async (json, relations) => {
    try {
      const request: ClientRequest = {
        ...{ api: NODE_API, method: 'POST', path: `/${chainId}` },
        json: { jsonrpc: '2.0', ...json },
        ...{ purpose: { kind: 'unknown' }, relations },
      };
      return await send(request, json.id);
    } catch (error) {
      if (error instanceof BudgetExceeded) return { kind: 'failed', why: error.spent };
      if (error instanceof ApiUnreachable)
        return { kind: 'failed', why: 'the node stopped answering' };
      throw error;
    }
  };
}

const WAITS = 'nodes have less time left than the node asks to wait, which is';

/** How long a node asks to wait, in ms. */
function waitOf({ outcome }: Exchange, nowMs: number): number {
  const headers = outcome.kind === 'response' ? outcome.response.headers : [];
  return requestedWaitsMs(undefined, headers, nowMs).find((ms) => ms > 0) ?? WAIT_MS;
}

/** Whether a node says that it was asked too often. */
export function isThrottled(answer: NodeAnswer): boolean {
  if (answer.kind === 'error') {
    const { code, message } = answer;
    return LIMIT_EXCEEDED.includes(code) || (LIMIT_WORDS.test(message) && !REVERT.test(message));
  }
  return answer.kind === 'failed' && answer.isThrottled === true;
}

function readAnswer({ outcome }: Exchange, id: number): NodeAnswer {
  if (outcome.kind === 'failure') return { kind: 'failed', why: outcome.message };
  const { status, body } = outcome.response;
  if (status === 429)
    return { kind: 'failed', why: 'the node answers 429, too many requests', isThrottled: true };
  const json = jsonOrUndefined(body.text);
  if (!isObject(json) || json.id !== id) {
    const what = isObject(json) && 'id' in json ? 'to another request' : 'no JSON-RPC';
    return { kind: 'failed', why: `the node answered ${what} (HTTP ${status})` };
  }
  const { error, result } = json;
  if (isObject(error)) {
    const message = String(member(error, 'message')).slice(0, WHY_CHARACTERS);
    return { kind: 'error', code: error.code, message, why: `${String(error.code)} ${message}` };
  }
  if (result === undefined) return { kind: 'failed', why: 'the node answered without a result' };
  return { kind: 'result', result };
}
