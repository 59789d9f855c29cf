/** Which hosts `assay limits` may be let loose on, and from which addresses. */

import { isIP } from 'node:net';
import type { LimitedApi } from '../../contracts/run/load/limit-measurement.ts';
import { hostsOfOthers, isLoopback } from '../../target/budget/polite-rate.ts';
import type { Proxies } from '../../target/config/proxies.ts';
import { isLocalAddress, LOOPBACK_ALIAS } from '../../target/transport/local-address.ts';
import { baseUrlOf, baseUrlsOf, type TargetConfig } from '../../target/config/config.ts';
import { UsageError } from '../exit-code.ts';
import { probedServiceOf } from '../probed-service.ts';

/** The APIs of a configuration that can be probed. */
export function probedApis(config: TargetConfig): LimitedApi[] {
  return probedServiceOf(config).limitedApis.filter((api) => baseUrlOf(config, api) !== undefined);
}

/**
 * Refuses a target of which there is nothing to probe although it has a URL.
 *
 * @throws UsageError
 */
export function requireLimited(config: TargetConfig): void {
  const { limitedApis } = probedServiceOf(config);
  if (probedApis(config).length > 0 || Object.keys(baseUrlsOf(config)).length === 0) return;
  if (config.service === undefined) {
    throw new UsageError(
      `only the ${limitedApis.join(' and the ')} API have limits to find: name one of them`,
    );
  }
  const [api = ''] = config.service.apis;
  throw new UsageError(
    limitedApis.length > 0
      ? `of the service ${config.service.name} the limits of ${limitedApis.join(', ')} can be found, and none of these APIs has a URL`
      : `nothing says how the limits of the service ${config.service.name} are found. Name a request in the configuration, beside the document of its API: ${api}: { document, limits: { request: 'GET /…' } }`,
  );
}

/**
 * Whether all of the hosts are loopback, with no proxy on the way.
 *
 * @throws UsageError when a host is neither loopback nor allowed by name, or a proxy is not
 */
export function requireAllowed(
  config: TargetConfig,
  allowed: readonly string[],
  proxies?: Proxies,
): boolean {
  const urls = probedApis(config).map((api) => baseUrlOf(config, api) ?? '');
  const foreign = hostsOfOthers(urls, proxies);
  const missing = foreign.filter((host) => !allowed.includes(host));
  if (missing.length > 0) {
    const flags = missing.map((host) => `--allow-limits ${host}`).join(' ');
    throw new UsageError(
      `finding the limits of ${missing.join(' and ')} means exceeding them. If its owner agrees, say so with ${flags}`,
    );
  }
  return foreign.length === 0;
}

/** A second address to ask from, or why there is none, as a sentence. */
export interface OtherAddress {
  readonly address?: string;
  readonly notice?: string;
}

/**
 * The second address to ask from: named, or on loopback one that this machine has.
 *
 * @throws UsageError when the named one is none, or not of this machine
 */
export async function otherAddressOf(
  flags: Readonly<Record<string, unknown>>,
  config: TargetConfig,
  isOurs: (address: string) => Promise<boolean> = isLocalAddress,
): Promise<OtherAddress> {
  if (flags.otherAddress === false) return {};
  const { otherSourceIp: address } = flags;
  if (typeof address === 'string') {
    if (isIP(address) === 0)
      throw new UsageError(`--other-source-ip takes an IP address, not "${address}"`);
    if (await isOurs(address)) return { address };
    throw new UsageError(`--other-source-ip ${address} is not an address of this machine`);
  }
  const hosts = probedApis(config).map((api) => new URL(baseUrlOf(config, api) ?? '').hostname);
  const isIpv4 = hosts.every((host) => isIP(host) === 4);
  if (!hosts.every(isLoopback) || config.sourceIp === SECOND) return {};
  if (isIpv4 && (await isOurs(SECOND))) return { address: SECOND };
  const remedy = isIpv4 ? LOOPBACK_ALIAS : 'Name the target as 127.0.0.1';
  return {
    notice: `Whether each client address has a limit of its own is not known: this machine has no second address for it. ${remedy}, or name one with --other-source-ip.`,
  };
}

const SECOND = '127.0.0.2';
