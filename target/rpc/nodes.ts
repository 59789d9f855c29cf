import type { Exchange, Relation } from '../../contracts/wire/exchange.ts';
import { MOST_NODE_REQUESTS, NODE_URL } from '../../contracts/run/nodes.ts';
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
import type { Client, ClientOptions } from '../transport/client.ts';
import { createClient } from '../transport/client.ts';
import type { Transport } from '../transport/transport.ts';
import { rpcVariableOf } from '../secrets/rpc-variable.ts';
import { hidingUrl } from './hidden-url.ts';
import { partsOfUrl, type RpcSetting, secretsInUrl } from './rpc-urls.ts';

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
  | { readonly kind: 'failed'; readonly why: string };

/** A node of one chain. */
export interface ChainNode {
  /** Who names it: the user of the run, or the target, whom it may flatter. */
  readonly of: 'user' | 'service';
  /** Whether its chain may be one for trials, which makes a block only if something happens. */
  readonly mayRest: boolean;
  /**
   * Each call is an exchange of the record. What fails is an answer, never an exception.
   *
   * @throws {Interrupted} when the run is interrupted
   */
  call(rpc: RpcCall, relations?: readonly Relation[]): Promise<NodeAnswer>;
}

/** The nodes of a run, and what they have cost. */
export interface Nodes {
  /** Those that may be asked of a chain, in the order in which to try them. */
  ofChain(chainId: number, namedByService: readonly string[]): ChainNode[];
  readonly spent: number;
  readonly most: number;
  /** Chains whose nodes the user names. */
  readonly named: readonly number[];
  /** Why nothing is to be asked any more, so that nothing is built in vain; undefined if something is. */
  whySpent(): string | undefined;
}

/** What nodes are asked with. */
export interface NodesOptions
  extends
    Pick<ClientOptions, 'clock' | 'redactor' | 'recorder' | 'listeners' | 'nextId' | 'version'>,
    Pick<GovernorOptions, 'startedMs' | 'sendUntilMs' | 'signal'> {
  readonly setting: RpcSetting;
  /** Whether a node that the target names may be asked. */
  readonly mayAskNamed: (url: string) => boolean;
  /** Whether the whole target is on loopback. A node there may be of a chain for trials, if it is there as well. */
  readonly isLocal: boolean;
  readonly maxSeconds: number;
  /** For one whole exchange with the target; one with a node ends by then, or in 10 s if that is sooner. */
  readonly timeoutMs?: number;
  /** `public` connects to addresses of the public internet alone. */
  readonly transports: Readonly<Record<'any' | 'public', Transport>>;
}

const CALLS_A_SECOND = 2;
/** Of the seconds of a run that nodes may take, so that a slow one leaves the target its time. */
const SHARE_OF_TIME = 0.15;
const MOST_REJECTS = 10;
const TIMEOUT_MS = 10_000;
const MAX_BODY = 1_048_576;
/** Once, and once more if it was throttled. */
const ATTEMPTS = 2;
/** A target names some nodes for each chain, not any number. */
const MOST_NAMED = 3;
const WHY_CHARACTERS = 200;

/** The nodes that a run may ask. */
export function createNodes(options: NodesOptions): Nodes {
  const { setting, mayAskNamed, transports } = options;
  let spent = 0;
  let spentMs = 0;
  const mostMs = options.maxSeconds * 1_000 * SHARE_OF_TIME;
  const whySpent = (): string | undefined => {
    if (spentMs >= mostMs)
      return `nodes have taken ${SHARE_OF_TIME * 100} % of the time of the run`;
    if (spent < MOST_NODE_REQUESTS) return undefined;
    return `the budget of ${MOST_NODE_REQUESTS} requests to nodes is used up`;
  };
  const nodeAt = (chainId: number, url: string, of: ChainNode['of']): ChainNode => {
    const isHere = isLoopback(new URL(url).hostname);
    const transport = of === 'user' || isHere ? transports.any : transports.public;
    // What a target publishes is no secret.
    if (of === 'user') {
      for (const secret of secretsInUrl(url)) options.redactor.add(rpcVariableOf(chainId), secret);
    }
    const hidden = hidingUrl(transport, url, of === 'user' ? partsOfUrl(url) : []);
    const client = clientOf(url, NODE_URL[of], hidden, options);
    return {
      ...{ of, mayRest: isHere && options.isLocal },
      async call(rpc, relations = []) {
        const why = whySpent();
        if (why !== undefined) return { kind: 'failed', why };
        spent += 1;
        const startedMs = options.clock.nowMs();
        const answer = await answerOf(client, chainId, { id: spent, ...rpc }, relations);
        spentMs += options.clock.nowMs() - startedMs;
        return answer;
      },
    };
  };
  const known = new Map<number, ChainNode[]>();
  return {
    ofChain(chainId, namedByService) {
      let nodes = known.get(chainId);
      if (nodes === undefined) {
        const given = setting.urls[chainId];
        nodes =
          given === undefined
            ? chosenOf(setting.ofService ? namedByService.filter(mayAskNamed) : []).map((url) =>
                nodeAt(chainId, url, 'service'),
              )
            : [nodeAt(chainId, given, 'user')];
        known.set(chainId, nodes);
      }
      return nodes;
    },
    get spent(): number {
      return spent;
    },
    most: MOST_NODE_REQUESTS,
    named: Object.keys(setting.urls).map(Number),
    whySpent,
  };
}

/** The first few; if one of them is on this machine, those alone. */
function chosenOf(urls: readonly string[]): string[] {
  const here = urls.filter((url) => isLoopback(new URL(url).hostname));
  return (here.length > 0 ? here : urls).slice(0, MOST_NAMED);
}

function clientOf(
  url: string,
  recordedAs: string,
  transport: Transport,
  options: NodesOptions,
): Client {
  const { clock, maxSeconds, startedMs, sendUntilMs, signal, timeoutMs = TIMEOUT_MS } = options;
  const governor = createGovernor({
    budget: {
      ...{ maxRequests: MOST_NODE_REQUESTS, maxRejects: MOST_REJECTS, maxSeconds },
      // A node of one's own is asked as fast as it answers.
      ...(isLoopback(new URL(url).hostname) ? {} : { maxRate: CALLS_A_SECOND }),
    },
    clock,
    waitIn: () => undefined,
    ...given({ startedMs, sendUntilMs, signal }),
  });
  return createClient({
    ...options,
    isThrottled: (status) => status === 429,
    // What is recorded; where it leads, the transport alone knows.
    config: {
      [`${NODE_API}Url`]: recordedAs,
      timeoutMs: Math.min(timeoutMs, TIMEOUT_MS),
      maxBodyBytes: MAX_BODY,
    },
    transport,
    governor,
    attempts: ATTEMPTS,
  });
}

async function answerOf(
  client: Client,
  chainId: number,
  json: { readonly id: number } & RpcCall,
  relations: readonly Relation[],
): Promise<NodeAnswer> {
  try {
    const exchange = await client.send({
      api: NODE_API,
      method: 'POST',
      path: `/${chainId}`,
      json: { jsonrpc: '2.0', ...json },
      purpose: { kind: 'unknown' },
      relations,
    });
    return readAnswer(exchange, json.id);
  } catch (error) {
    if (error instanceof BudgetExceeded) return { kind: 'failed', why: error.spent };
    if (error instanceof ApiUnreachable)
      return { kind: 'failed', why: 'the node stopped answering' };
    throw error;
  }
}

function readAnswer({ outcome }: Exchange, id: number): NodeAnswer {
  if (outcome.kind === 'failure') return { kind: 'failed', why: outcome.message };
  const { status, body } = outcome.response;
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
