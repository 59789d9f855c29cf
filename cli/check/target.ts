import type { RunTarget } from '../../contracts/run/run.ts';
import type { Listening } from '../../fixtures/service/reference/listen.ts';
import { REFERENCE_DEFAULTS } from '../../fixtures/service/reference/options.ts';
import type { TargetConfig } from '../../target/config/config.ts';
import { baseUrlsOf } from '../../target/config/config.ts';
import { withPoliteRate } from '../../target/budget/polite-rate.ts';
import { credentialsOf, secretsOf, TRADE_KEY } from '../../target/config/secrets.ts';
import { proxiesOf } from '../../target/config/proxies.ts';
import { systemEnvironment } from '../../fixtures/service/system-environment.ts';
import { APIS, describedApis } from '../apis.ts';
import { hasUrl } from './refused-target.ts';

/** The target of a run, and the end of it. */
export interface OpenTarget {
  readonly config: TargetConfig;
  readonly described: RunTarget;
  close(): Promise<void>;
}

/** The world that the embedded reference service shows. */
const REFERENCE_SEED = 1;

/** The target that the configuration names; the embedded reference service when it names none. */
export async function openTarget(given: TargetConfig): Promise<OpenTarget> {
  const config = withPoliteRate(given, proxiesOf(process.env));
  const rate = config.maxRate === undefined ? {} : { maxRate: config.maxRate };
  const credentials = credentialsOf(process.env);
  if (hasUrl(config)) {
    const urls = baseUrlsOf(config);
    return {
      config,
      described: { kind: 'remote', urls, ...describedApis(config), credentials, ...rate },
      close: () => Promise.resolve(),
    };
  }
  const listening = await openReference(process.env);
  const { zap: zapUrl, trade: tradeUrl, docs: docsUrl, ai: aiUrl } = listening.urls;
  return {
    config: { ...config, zapUrl, tradeUrl, docsUrl, aiUrl },
    described: { kind: 'reference', urls: listening.urls, apis: APIS, credentials, ...rate },
    close: () => listening.close(),
  };
}

/**
 * The embedded reference service, listening on free ports of this machine.
 *
 * @param env of the run that is to ask it: a key for the trade API in it is a key there
 */
export async function openReference(
  env: Readonly<Record<string, string | undefined>>,
): Promise<Listening> {
  const { [TRADE_KEY]: key } = secretsOf(env);
  const { listen } = await import('../../fixtures/service/reference/listen.ts');
  return listen({
    ...REFERENCE_DEFAULTS,
    seed: REFERENCE_SEED,
    environment: systemEnvironment(),
    portBase: 0,
    singlePort: false,
    apiKeys: key === undefined ? [] : [key],
  });
}
