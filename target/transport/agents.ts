import type { LookupFunction } from 'node:net';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import { Agent, type Dispatcher, EnvHttpProxyAgent, Pool, setGlobalDispatcher } from 'undici';
import type { HeaderList } from '../../contracts/wire/exchange.ts';
import { type ConnectionTimes, measuredConnector } from './measured-connector.ts';
import type { Proxies } from '../config/proxies.ts';
import { Standstill } from './standstill.ts';

/** Options of the transport over sockets. */
export interface UndiciTransportOptions {
  /** Most connections to one origin at once; unlimited when absent. */
  readonly connections?: number;
  /** Certificate authorities to trust besides those of Node, in PEM. */
  readonly ca?: string;
  /** Proxies to go through; none when absent. */
  readonly proxies?: Proxies;
  /** Called with each connection that is made without a proxy. */
  readonly onConnection?: (times: ConnectionTimes) => void;
  /** Resolves names, in place of the system. */
  readonly lookup?: LookupFunction;
}

const CONNECT_MS = 60_000;
const MAX_HEADER_BYTES = 65_536;
/** An idle connection is not used again after this: it might be closing at the other end. */
export const IDLE_MS = 1_000;

/** Dispatchers of undici, their connections kept alive. */
export interface Agents {
  /** The one to an origin from a local address; from the system's choice if there is none. */
  from(sourceAddress: string | undefined, origin: string): Dispatcher;
  close(): Promise<void>;
}

/**
 * Dispatchers that set no time limits of their own except for connecting. An `Agent` of undici lets go of the pool of
 * an origin as soon as none of its connections stands, those under way apart, and makes a new one: of a target that
 * accepts slowly it would have more and more connections, whatever their ceiling.
 *
 * After this thread stood still none of its connections is used again, once what is on it has ended.
 */
export function createAgents({
  ca,
  proxies,
  connections,
  lookup,
  onConnection,
}: UndiciTransportOptions): Agents {
  const agents = new Map<string, Pool | EnvHttpProxyAgent>();
  const retired = new Set<Pool | EnvHttpProxyAgent>();
  const standstill = new Standstill(IDLE_MS);
  let retiredMs: number | undefined;
  const retire = (): void => {
    for (const agent of agents.values()) {
      retired.add(agent);
      const forget = (): boolean => retired.delete(agent);
      // One that is destroyed meanwhile may refuse to be closed.
      void agent.close().then(forget, forget);
    }
    agents.clear();
  };
  const tls = trusting(ca);
  const options = { timeout: CONNECT_MS, ...tls, ...(lookup === undefined ? {} : { lookup }) };
  const isMeasured = onConnection !== undefined && proxies === undefined;
  const connect = isMeasured
    ? measuredConnector(options, onConnection, () => performance.now())
    : options;
  return {
    from(sourceAddress, origin) {
      const endedMs = standstill.endedMs();
      if (endedMs !== retiredMs) retire();
      retiredMs = endedMs;
      const key = `${sourceAddress ?? ''} ${proxies === undefined ? origin : ''}`;
      let agent = agents.get(key);
      if (agent === undefined) {
        const settings = {
          // Whoever sends has a timer for the whole exchange.
          headersTimeout: 0,
          bodyTimeout: 0,
          keepAliveTimeout: IDLE_MS,
          maxHeaderSize: MAX_HEADER_BYTES,
          connect,
          ...(connections === undefined ? {} : { connections }),
          ...(sourceAddress === undefined ? {} : { localAddress: sourceAddress }),
        };
        agent =
          proxies === undefined
            ? new Pool(origin, settings)
            : throughProxies(settings, proxies, tls);
        agents.set(key, agent);
      }
      return agent;
    },
    async close() {
      standstill.close();
      await Promise.all([...agents.values(), ...retired].map((agent) => agent.destroy()));
      agents.clear();
    },
  };
}

interface Trusting {
  readonly secureContext?: SecureContext;
}

const contexts = new Map<string, SecureContext>();

/**
 * What trusts authorities besides those of Node, made once: from certificates in PEM each connection would read all of
 * them again, which takes tens of milliseconds of this thread.
 */
function trusting(ca: string | undefined): Trusting {
  if (ca === undefined) return {};
  let secureContext = contexts.get(ca);
  if (secureContext === undefined) {
    secureContext = createSecureContext({ ca: [...rootCertificates, ca] });
    contexts.set(ca, secureContext);
  }
  return { secureContext };
}

/** What goes to http targets is asked of the proxy; https is tunnelled (RFC 9110 section 7.6). */
function throughProxies(
  settings: Agent.Options,
  { httpProxy = '', httpsProxy = '', noProxy = '' }: Proxies,
  requestTls: Trusting,
): EnvHttpProxyAgent {
  return new EnvHttpProxyAgent({
    ...settings,
    ...{ httpProxy, httpsProxy, noProxy, requestTls, proxyTls: requestTls, proxyTunnel: false },
  });
}

/** Sends what `fetch` sends from now on by the same proxies, and trusts the same authorities. */
export function useForFetch({ ca, proxies }: Pick<UndiciTransportOptions, 'ca' | 'proxies'>): void {
  if (ca === undefined && proxies === undefined) return;
  const tls = trusting(ca);
  const settings = { connect: { timeout: CONNECT_MS, ...tls } };
  setGlobalDispatcher(
    proxies === undefined ? new Agent(settings) : throughProxies(settings, proxies, tls),
  );
}

/** Splits without normalising, so that odd spellings of a path reach the wire as they are. */
export function splitUrl(url: string): { origin: string; path: string } {
  const { origin } = new URL(url);
  const [, path = ''] = /^[a-z]+:\/\/[^/?#]*([^#]*)/i.exec(url) ?? [];
  return { origin, path: path.startsWith('/') ? path : `/${path}` };
}

/** The raw fields as pairs; header bytes are Latin-1 (RFC 9110 section 5.5). */
export function headerPairs(raw: Dispatcher.DispatchController['rawHeaders']): HeaderList {
  if (!Array.isArray(raw)) return [];
  const texts = raw.map((part) => (typeof part === 'string' ? part : part.toString('latin1')));
  const pairs: [string, string][] = [];
  for (let at = 0; at + 1 < texts.length; at += 2) {
    pairs.push([texts[at] ?? '', texts[at + 1] ?? '']);
  }
  return pairs;
}
