/** What `assay limits` may be let loose on, with which keys and from which addresses. */

import { isIP } from 'node:net';
import { PROFILE_NAMES } from '../../contracts/judging/profile.ts';
import type { LimitedApi } from '../../contracts/run/load/limit-measurement.ts';
import type { RunTarget } from '../../contracts/run/run.ts';
import type { ListenOptions } from '../../fixtures/service/reference/listen.ts';
import { parseLimit } from '../../fixtures/service/reference/limits.ts';
import { REFERENCE_DEFAULTS } from '../../fixtures/service/reference/options.ts';
import { baseUrlOf, type TargetConfig } from '../../fixtures/target/config/config.ts';
import { isLoopback } from '../../fixtures/target/budget/polite-rate.ts';
import { SECOND_TRADE_KEY, type Secrets, TRADE_KEY } from '../../fixtures/target/config/secrets.ts';
import type { TargetBudget } from '../../load/probe/budget-left.ts';
import type { ProbeKey } from '../../load/probe/bucket.ts';
import { systemEnvironment } from '../environment.ts';
import { UsageError } from '../exit-code.ts';
import { LIMITS_BUDGET } from './limits-budget.ts';
import { APIS } from '../apis.ts';
import { readConfig } from '../config.ts';

/** The APIs whose limits the document speaks of. */
const LIMITED: readonly LimitedApi[] = ['zap', 'trade'];
/** A key of the embedded service; no secret. */
const EMBEDDED_KEY = 'embedded-reference-key';

/** The APIs of a configuration that can be probed. */
export function probedApis(config: TargetConfig): LimitedApi[] {
  return LIMITED.filter((api) => baseUrlOf(config, api) !== undefined);
}

/**
 * Whether all of the hosts are loopback.
 *
 * @throws UsageError when a host is neither loopback nor allowed by name
 */
export function requireAllowed(config: TargetConfig, allowed: readonly string[]): boolean {
  const hosts = probedApis(config).map((api) => new URL(baseUrlOf(config, api) ?? '').hostname);
  const foreign = [...new Set(hosts.filter((host) => !isLoopback(host)))];
  const missing = foreign.filter((host) => !allowed.includes(host));
  if (missing.length > 0) {
    const flags = missing.map((host) => `--allow-limits ${host}`).join(' ');
    throw new UsageError(
      `finding the limits of ${missing.join(' and ')} means exceeding them. If its owner agrees, say so with ${flags}`,
    );
  }
  return foreign.length === 0;
}

/** The second address to ask from: named, or on loopback one that is always there. */
export function otherAddressOf(
  flags: Readonly<Record<string, unknown>>,
  config: TargetConfig,
): string | undefined {
  if (flags.otherAddress === false) return undefined;
  const { otherSourceIp } = flags;
  if (typeof otherSourceIp === 'string') {
    if (isIP(otherSourceIp) !== 0) return otherSourceIp;
    throw new UsageError(`--other-source-ip takes an IP address, not "${otherSourceIp}"`);
  }
  const hosts = probedApis(config).map((api) => new URL(baseUrlOf(config, api) ?? '').hostname);
  const isIpv4Loopback = hosts.every((host) => isIP(host) === 4 && isLoopback(host));
  return isIpv4Loopback && config.sourceIp !== '127.0.0.2' ? '127.0.0.2' : undefined;
}

/** The keys of the environment; the embedded service has one of its own. */
export function keysOf(secrets: Secrets, isEmbedded: boolean): ProbeKey[] {
  const keys = [TRADE_KEY, SECOND_TRADE_KEY]
    .filter((name) => secrets[name] !== undefined)
    .map((name): ProbeKey => ({ name, credential: { secret: name } }));
  if (!isEmbedded || keys.length > 0) return keys;
  return [{ name: TRADE_KEY, credential: { bearer: EMBEDDED_KEY, public: true } }];
}

/**
 * The configuration, and the budget in which what nobody said is left out: that of the profiles of
 * `check` is for other work. What is the same under two profiles was said by somebody.
 *
 * @throws ConfigError as `readConfig` does
 */
export async function resolveLimits(
  input: Parameters<typeof readConfig>[0],
): Promise<{ readonly config: TargetConfig; readonly said: Partial<TargetBudget> }> {
  const [one, other] = await Promise.all(
    PROFILE_NAMES.slice(0, 2).map((profile) =>
      readConfig({ ...input, flags: { ...input.flags, profile } }),
    ),
  );
  if (one === undefined || other === undefined)
    throw new Error('there are fewer than two profiles');
  const said = (['maxRequests', 'maxRejects', 'maxSeconds'] as const)
    .filter((key) => one[key] === other[key])
    .map((key) => [key, one[key]] as const);
  const { maxRate } = one;
  return {
    config: one,
    said: {
      ...Object.fromEntries(said),
      ...(maxRate === undefined ? {} : { maxRatePerSecond: maxRate }),
    },
  };
}

/** The budget of a run over so many buckets. */
export function budgetLeftOf(
  said: Partial<TargetBudget>,
  buckets: number,
  { isLoopback: loopback, long }: { readonly isLoopback: boolean; readonly long: boolean },
): TargetBudget {
  const budget = LIMITS_BUDGET;
  return {
    maxRequests: budget.requestsEach * buckets,
    maxRejects: budget.rejectsEach * buckets,
    maxSeconds: long ? budget.longSeconds : budget.seconds,
    maxRatePerSecond: loopback ? budget.loopbackRatePerSecond : budget.ratePerSecond,
    ...said,
  };
}

/** A target that is open for a probe. */
export interface LimitsTarget {
  readonly config: TargetConfig;
  readonly described: RunTarget;
  close(): Promise<void>;
}

/** The target that the configuration names; the embedded service with small limits when it names none. */
export async function openLimitsTarget(
  config: TargetConfig,
  secrets: Secrets,
): Promise<LimitsTarget> {
  const apis = probedApis(config);
  const urlsOf = (from: TargetConfig): RunTarget['urls'] =>
    Object.fromEntries(
      LIMITED.flatMap((api) => {
        const url = baseUrlOf(from, api);
        return url === undefined ? [] : [[api, url]];
      }),
    );
  const credentials = Object.keys(secrets);
  if (apis.length > 0) {
    return {
      config,
      described: { kind: 'remote', urls: urlsOf(config), apis: APIS, credentials },
      close: () => Promise.resolve(),
    };
  }
  const { listen } = await import('../../fixtures/service/reference/listen.ts');
  const listening = await listen(embedded(secrets));
  const { zap: zapUrl, trade: tradeUrl } = listening.urls;
  const found = { ...config, zapUrl, tradeUrl };
  return {
    config: found,
    described: { kind: 'reference', urls: urlsOf(found), apis: APIS, credentials },
    close: () => listening.close(),
  };
}

function embedded(secrets: Secrets): ListenOptions {
  const keys = [TRADE_KEY, SECOND_TRADE_KEY].flatMap((name) => secrets[name] ?? []);
  return {
    ...REFERENCE_DEFAULTS,
    seed: 1,
    environment: systemEnvironment(),
    host: '127.0.0.1',
    portBase: 0,
    singlePort: false,
    limits: {
      zap: parseLimit('fixed-window:limit=20,window=1s'),
      trade: parseLimit('token-bucket:burst=6,refill=6/s'),
      tradeKey: parseLimit('sliding-log:limit=15,window=1s'),
    },
    apiKeys: keys.length > 0 ? keys : [EMBEDDED_KEY],
  };
}
