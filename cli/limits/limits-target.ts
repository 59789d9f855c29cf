/** What `assay limits` probes, and with which keys. */

import type { RunTarget } from '../../contracts/run/run.ts';
import { baseUrlOf, type TargetConfig } from '../../target/config/config.ts';
import { SECOND_TRADE_KEY, type Secrets, TRADE_KEY } from '../../target/config/secrets.ts';
import type { ProbeKey } from '../../load/probe/bucket.ts';
import { APIS, describedApis } from '../apis.ts';
import { probedServiceOf } from '../probed-service.ts';
import { probedApis } from './limits-allowed.ts';
import { embedded, EMBEDDED_KEY } from './limits-embedded.ts';

/** The keys of the environment; the embedded service has one of its own. */
export function keysOf(secrets: Secrets, isEmbedded: boolean): ProbeKey[] {
  const keys = [TRADE_KEY, SECOND_TRADE_KEY]
    .filter((name) => secrets[name] !== undefined)
    .map((name): ProbeKey => ({ name, credential: { secret: name } }));
  if (!isEmbedded || keys.length > 0) return keys;
  return [{ name: TRADE_KEY, credential: { bearer: EMBEDDED_KEY, public: true } }];
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
      probedServiceOf(from).limitedApis.flatMap((api) => {
        const url = baseUrlOf(from, api);
        return url === undefined ? [] : [[api, url]];
      }),
    );
  const credentials = Object.keys(secrets);
  if (apis.length > 0) {
    return {
      config,
      described: { kind: 'remote', urls: urlsOf(config), ...describedApis(config), credentials },
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
