import type { RunTarget } from '../../contracts/run/run.ts';
import type { Listening } from '../../fixtures/service/reference/listen.ts';
import { REFERENCE_DEFAULTS } from '../../fixtures/service/reference/options.ts';
import type { TargetConfig } from '../../fixtures/target/config/config.ts';
import { baseUrlsOf, urlVariableOf } from '../../fixtures/target/config/config.ts';
import { withPoliteRate } from '../../fixtures/target/budget/polite-rate.ts';
import { credentialsOf, secretsOf } from '../../fixtures/target/config/secrets.ts';
import { parseReplay } from '../../suites/properties/replay/replay.ts';
import { systemEnvironment } from '../environment.ts';
import { UsageError } from '../exit-code.ts';
import { APIS, apisOf } from '../apis.ts';
import type { OwnService } from '../../fixtures/target/config/own-service.ts';

/** The target of a run, and the end of it. */
export interface OpenTarget {
  readonly config: TargetConfig;
  readonly described: RunTarget;
  close(): Promise<void>;
}

/** The world that the embedded reference service shows. */
const REFERENCE_SEED = 1;

/**
 * Refuses header fields whose secret the environment does not hold: every request would fail.
 *
 * @throws UsageError
 */
export function refuseMissingSecrets({ headers }: TargetConfig): void {
  const secrets = secretsOf(process.env);
  for (const { name, value } of headers) {
    const secret = value.startsWith('$') ? value.slice(1) : undefined;
    if (secret === undefined || secrets[secret] !== undefined) continue;
    throw new UsageError(
      `the header field ${name} takes its value from ${secret}, which is not set in the environment.`,
    );
  }
}

/**
 * Refuses a run without a target where somebody surely wants to test one, and one with two.
 *
 * @param embedded whether the embedded reference service is asked for
 * @throws UsageError
 */
export function refuseOtherTarget(config: TargetConfig, embedded: boolean): void {
  const named = Object.keys(baseUrlsOf(config));
  if (config.service !== undefined) {
    refuseNoUrl(config.service, embedded, named);
    return;
  }
  if (embedded && named.length > 0) {
    throw new UsageError(
      `--embedded is for the embedded reference service, and ${named.join(', ')} has a URL. Leave one of the two out.`,
    );
  }
  const { CI = '' } = process.env;
  if (embedded || named.length > 0 || ['', '0', 'false'].includes(CI)) return;
  throw new UsageError(
    'no target: the variable CI is set, and no API has a URL. Give --zap-url, --trade-url, --docs-url, ASSAY_ZAP_URL … or a configuration; --embedded checks the embedded reference service.',
  );
}

/**
 * Refuses a replay that cannot be read, and one without a target: the embedded service would show that
 * nothing is wrong with it.
 *
 * @throws UsageError
 * @throws ReplayError
 */
export function refuseReplayOfNothing(config: TargetConfig, embedded: boolean): void {
  if (config.replay === undefined) return;
  parseReplay(config.replay);
  if (embedded || hasUrl(config)) return;
  throw new UsageError(
    '--replay shows a finding again on a target, and no API has a URL. Give the URLs of its run, such as --zap-url, or --embedded.',
  );
}

/** The embedded service is another one than that of a configuration. */
function refuseNoUrl(service: OwnService, embedded: boolean, named: readonly string[]): void {
  if (embedded) {
    throw new UsageError(
      `--embedded is for the embedded reference service, and the configuration is for the service ${service.name}. Name another configuration by --config.`,
    );
  }
  if (named.length > 0) return;
  const [api = ''] = service.apis;
  throw new UsageError(
    `no target: no API of the service ${service.name} has a URL. Give one in the configuration, as url beside its document or by the key ${api}Url, or in the variable ${urlVariableOf(api)}.`,
  );
}

/** What a record tells of a service of one's own. */
function toldOf(config: TargetConfig): Pick<RunTarget, 'apis' | 'service'> {
  const { service } = config;
  return { apis: apisOf(config), ...(service === undefined ? {} : { service: service.name }) };
}

/** The target that the configuration names; the embedded reference service when it names none. */
export async function openTarget(given: TargetConfig): Promise<OpenTarget> {
  const config = withPoliteRate(given);
  const rate = config.maxRate === undefined ? {} : { maxRate: config.maxRate };
  const credentials = credentialsOf(process.env);
  if (hasUrl(config)) {
    const urls = baseUrlsOf(config);
    return {
      config,
      described: { kind: 'remote', urls, ...toldOf(config), credentials, ...rate },
      close: () => Promise.resolve(),
    };
  }
  const listening = await openReference();
  const { zap: zapUrl, trade: tradeUrl, docs: docsUrl, ai: aiUrl } = listening.urls;
  return {
    config: { ...config, zapUrl, tradeUrl, docsUrl, aiUrl },
    described: { kind: 'reference', urls: listening.urls, apis: APIS, credentials, ...rate },
    close: () => listening.close(),
  };
}

/** The embedded reference service, listening on free ports of this machine. */
export async function openReference(): Promise<Listening> {
  const { listen } = await import('../../fixtures/service/reference/listen.ts');
  return listen({
    ...REFERENCE_DEFAULTS,
    seed: REFERENCE_SEED,
    environment: systemEnvironment(),
    host: '127.0.0.1',
    portBase: 0,
    singlePort: false,
  });
}

function hasUrl(config: TargetConfig): boolean {
  return Object.keys(baseUrlsOf(config)).length > 0;
}
