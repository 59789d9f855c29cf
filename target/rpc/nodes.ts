import type { Relation } from '../../contracts/wire/exchange.ts';
import { MOST_NODE_REQUESTS, NODE_URL } from '../../contracts/run/nodes.ts';
import { isLoopback } from '../budget/polite-rate.ts';
import { rpcVariableOf } from '../secrets/rpc-variable.ts';
import type { Transport } from '../transport/transport.ts';
import { hidingUrl } from './hidden-url.ts';
import { type CallerOptions, createCaller, isThrottled } from './node-caller.ts';
import type { NodeAnswer, RpcCall } from './node-caller.ts';
import { partsOfUrl, type RpcSetting, secretsInUrl } from './rpc-urls.ts';
import { createTimeShare } from './time-share.ts';

export type { NodeAnswer };

/** A node of one chain. */
export interface ChainNode {
  /** Who names it: the user of the run, or the target, whom it may flatter. */
  readonly of: 'user' | 'service';
  /** Whether its chain may be one for trials, which makes a block only if something happens. */
  readonly mayRest: boolean;
  /** Why it is asked no more: it has failed several times in a row; undefined if it is. */
  whyLost(): string | undefined;
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
  /** Why nodes that the target names are not asked for a chain: a clause; undefined if one is, or none is to be. */
  whyNone(chainId: number, namedByService: readonly string[]): string | undefined;
  readonly spent: number;
  readonly most: number;
  /** Chains whose nodes the user names. */
  readonly named: readonly number[];
  /** Why nothing is to be asked any more, so that nothing is built in vain; undefined if something is. */
  whySpent(): string | undefined;
}

/** What nodes are asked with. */
export interface NodesOptions extends Omit<
  CallerOptions,
  'chainId' | 'url' | 'recordedAs' | 'transport' | 'leftMs' | 'spend'
> {
  readonly setting: RpcSetting;
  /** Why a node that the target names may not be asked; undefined if it may. */
  readonly whyNotAsked: (url: string) => string | undefined;
  /** Whether the whole target is on loopback. A node there may be of a chain for trials, if it is there as well. */
  readonly isLocal: boolean;
  /** `public` connects to addresses of the public internet alone. */
  readonly transports: Readonly<Record<'any' | 'public', Transport>>;
}

/** Of the seconds of a run that nodes may take, so that a slow one leaves the target its time. */
const SHARE_OF_TIME = 0.15;
const NO_TIME = `nodes may take ${SHARE_OF_TIME * 100} % of the time of the run, and no more`;
/** Calls in a row that a node fails before it is asked no more. */
const FAILURES_IN_A_ROW = 3;
/** The same of calls that are throttled to the end, each of which takes a wait. */
const THROTTLED_IN_A_ROW = 2;
/** A target names some nodes for each chain, not any number. */
const MOST_NAMED = 3;

/** The nodes that a run may ask. */
export function createNodes(options: NodesOptions): Nodes {
  const { setting, whyNotAsked, transports, clock } = options;
  let [calls, spent] = [0, 0];
  const share = createTimeShare(clock, options.maxSeconds * 1_000 * SHARE_OF_TIME);
  const whySpent = (): string | undefined => {
    if (share.leftMs() <= 0) return NO_TIME;
    if (spent < MOST_NODE_REQUESTS) return undefined;
    return `the budget of ${MOST_NODE_REQUESTS} requests to nodes is used up`;
  };
  const spend = (): string | undefined => {
    const why = whySpent();
    if (why === undefined) spent += 1;
    return why;
  };
  const nodeAt = (chainId: number, url: string, of: ChainNode['of']): ChainNode => {
    const isHere = isLoopback(new URL(url).hostname);
    const transport = of === 'user' || isHere ? transports.any : transports.public;
    // What a target publishes is no secret.
    if (of === 'user') {
      for (const secret of secretsInUrl(url)) options.redactor.add(rpcVariableOf(chainId), secret);
    }
    const caller = createCaller({
      ...options,
      ...{ chainId, url, recordedAs: NODE_URL[of], spend, leftMs: () => share.leftMs() },
      transport: hidingUrl(transport, url, of === 'user' ? partsOfUrl(url) : []),
    });
    let [failures, throttled] = [0, 0];
    let lost: string | undefined;
    return {
      ...{ of, mayRest: isHere && options.isLocal },
      whyLost: () => lost,
      async call(rpc, relations = []) {
        const why = lost ?? whySpent();
        if (why !== undefined) return { kind: 'failed', why };
        calls += 1;
        const json = { id: calls, ...rpc };
        const answer = await share.within(() => caller(json, relations));
        failures = answer.kind === 'failed' ? failures + 1 : 0;
        throttled = isThrottled(answer) ? throttled + 1 : 0;
        if (failures >= FAILURES_IN_A_ROW || throttled >= THROTTLED_IN_A_ROW)
          lost = 'why' in answer ? `${answer.why}, as before: it is asked no more` : undefined;
        return answer;
      },
    };
  };
  const mayAsk = (url: string): boolean => whyNotAsked(url) === undefined;
  const known = new Map<number, ChainNode[]>();
  return {
    ofChain(chainId, namedByService) {
      let nodes = known.get(chainId);
      if (nodes === undefined) {
        const given = setting.urls[chainId];
        nodes =
          given === undefined
            ? chosenOf(setting.ofService ? namedByService.filter(mayAsk) : []).map((url) =>
                nodeAt(chainId, url, 'service'),
              )
            : [nodeAt(chainId, given, 'user')];
        known.set(chainId, nodes);
      }
      return nodes;
    },
    whyNone(chainId, namedByService) {
      if (!setting.ofService || setting.urls[chainId] !== undefined) return undefined;
      if (namedByService.some(mayAsk)) return undefined;
      const [first] = namedByService.map(whyNotAsked);
      if (first === undefined) return 'the service names no node of it';
      return `no node that the service names may be asked: ${first}`;
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
