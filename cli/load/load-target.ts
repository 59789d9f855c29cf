/** What `assay load` may be let loose on, and with which keys. */

import { randomUUID } from 'node:crypto';
import type { RunTarget } from '../../contracts/run/run.ts';
import type { ApiName } from '../../contracts/wire/exchange.ts';
import { parseLimit } from '../../fixtures/service/reference/limits.ts';
import { REFERENCE_DEFAULTS } from '../../fixtures/service/reference/options.ts';
import { baseUrlOf, baseUrlsOf, type TargetConfig } from '../../target/config/config.ts';
import { hostsOfOthers, withPoliteRate } from '../../target/budget/polite-rate.ts';
import { type Proxies, proxiesOf } from '../../target/config/proxies.ts';
import { SECOND_TRADE_KEY, type Secrets, TRADE_KEY } from '../../target/config/secrets.ts';
import type { Scenario } from '../../load/scenarios/scenario.ts';
import { systemEnvironment } from '../../fixtures/service/system-environment.ts';
import { UsageError } from '../exit-code.ts';
import { APIS } from '../apis.ts';
import { SERVICE } from '../service.ts';

/**
 * Refuses hosts that are neither loopback nor allowed by name, and proxies on the way that are not allowed by name.
 *
 * @throws UsageError
 */
export function requireLoadAllowed(
  config: TargetConfig,
  apis: readonly ApiName[],
  allowed: readonly string[],
  proxies?: Proxies,
): void {
  const urls = apis.flatMap((api) => baseUrlOf(config, api) ?? []);
  const missing = hostsOfOthers(urls, proxies).filter((host) => !allowed.includes(host));
  if (missing.length === 0) return;
  const flags = missing.map((host) => `--allow-load ${host}`).join(' ');
  throw new UsageError(
    `load on ${missing.join(' and ')} may slow it down for others, or shut them out. If its owner agrees, say so with ${flags}`,
  );
}

/**
 * The APIs that a scenario needs of those that there are: what its mix asks for, and the one whose
 * listings say what can be asked for. Ids of operations begin with their API.
 */
export function neededApis({ mix }: Scenario, hasUrl: (api: ApiName) => boolean): ApiName[] {
  const operations = Object.keys(mix);
  return APIS.filter(
    (api) =>
      hasUrl(api) &&
      (api === SERVICE.listingApi || operations.some((one) => one.startsWith(`${api}.`))),
  );
}

/** A target that is open for load. */
export interface LoadTarget {
  readonly config: TargetConfig;
  readonly described: RunTarget;
  readonly apis: readonly ApiName[];
  /** Keys that only this run knows, by the name that stands for each in records. */
  readonly keys: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/**
 * The target that the configuration names; the embedded service when it names none, with limits only
 * if the scenario is about them.
 *
 * @param addressHeader the field that the embedded service believes for the address of a client
 */
export async function openLoadTarget(
  given: TargetConfig,
  scenario: Scenario,
  secrets: Secrets,
  addressHeader?: string,
): Promise<LoadTarget> {
  const isRemote = Object.keys(baseUrlsOf(given)).length > 0;
  const { config, keys, close } = isRemote
    ? {
        config: withPoliteRate(given, proxiesOf(process.env)),
        keys: {},
        close: () => Promise.resolve(),
      }
    : await openEmbedded(given, scenario, secrets, addressHeader);
  const apis = neededApis(scenario, (api) => baseUrlOf(config, api) !== undefined);
  if (apis.length === 0) {
    throw new UsageError(
      `the scenario ${scenario.name} asks for ${Object.keys(scenario.mix).join(', ')}, and none of these APIs has a URL`,
    );
  }
  const described: RunTarget = {
    kind: isRemote ? 'remote' : 'reference',
    urls: Object.fromEntries(apis.map((api) => [api, baseUrlOf(config, api) ?? ''])),
    apis: APIS,
    credentials: Object.keys(secrets),
  };
  return { config, apis, keys, described, close };
}

/** The reference service; without limits a scenario about them would show nothing. */
async function openEmbedded(
  given: TargetConfig,
  { clients, onThrottle }: Scenario,
  secrets: Secrets,
  addressHeader: string | undefined,
): Promise<Pick<LoadTarget, 'config' | 'keys' | 'close'>> {
  const { listen } = await import('../../fixtures/service/reference/listen.ts');
  const isAboutLimits = clients.kind !== 'one' || onThrottle === 'come-back';
  const known = [TRADE_KEY, SECOND_TRADE_KEY].filter((name) => secrets[name] !== undefined);
  const count = clients.kind === 'keys' ? clients.count : 0;
  const keys = Object.fromEntries(
    Array.from({ length: Math.max(0, count - known.length) }, (_, at) => [
      [TRADE_KEY, SECOND_TRADE_KEY][known.length + at] ?? `${TRADE_KEY}_${known.length + at + 1}`,
      randomUUID(),
    ]),
  );
  const listening = await listen({
    ...REFERENCE_DEFAULTS,
    ...{ seed: 1, environment: systemEnvironment() },
    ...{ portBase: 0, singlePort: false },
    ...(addressHeader === undefined ? {} : { addressHeader }),
    limits: isAboutLimits
      ? {
          zap: parseLimit('fixed-window:limit=20,window=1s'),
          trade: parseLimit('token-bucket:burst=20,refill=15/s'),
          tradeKey: parseLimit('sliding-log:limit=15,window=1s'),
        }
      : { zap: null, trade: null, tradeKey: null },
    apiKeys: [...known.flatMap((name) => secrets[name] ?? []), ...Object.values(keys)],
  });
  const { zap: zapUrl, trade: tradeUrl, docs: docsUrl, ai: aiUrl } = listening.urls;
  const config = { ...given, zapUrl, tradeUrl, docsUrl, aiUrl };
  return { config, keys, close: () => listening.close() };
}
