/** Targets that are refused before anything is sent. */

import { baseUrlsOf, urlVariableOf } from '../../target/config/config.ts';
import type { TargetConfig } from '../../target/config/config.ts';
import type { OwnService } from '../../target/config/own-service.ts';
import { isSecretName, secretsOf } from '../../target/config/secrets.ts';
import { chainOfVariable } from '../../target/secrets/rpc-variable.ts';
import { refuseUnfit, SecretUnfit } from '../../target/secrets/unfit-secret.ts';
import { UsageError } from '../exit-code.ts';

/**
 * Refuses secrets that cannot be kept out of records, as they are ordinary text or the target's host, and header fields whose secret the environment does not hold:
 * every request would fail.
 *
 * @throws UsageError
 * @throws SecretUnfit
 */
export function refuseSecrets(config: TargetConfig): void {
  const { headers } = config;
  const secrets = secretsOf(process.env);
  // The password of a proxy is nothing that a person chose for Assay.
  const chosen = Object.entries(secrets).filter(([name]) => isSecretName(name));
  refuseUnfit(Object.fromEntries(chosen));
  const origins = Object.values(baseUrlsOf(config)).map((url) => new URL(url).origin);
  for (const [name, value] of chosen) {
    if (origins.some((origin) => origin.includes(value.toLowerCase())))
      throw new SecretUnfit(name, 'stands in the host of the target');
  }
  for (const { name, value } of headers) {
    const secret = value.startsWith('$') ? value.slice(1) : undefined;
    if (secret === undefined || secrets[secret] !== undefined) continue;
    throw new UsageError(
      `the header field ${name} takes its value from ${secret}, which is not set in the environment.`,
    );
  }
}

/**
 * Refuses a run without a target if somebody surely wants to test one, and one with two.
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

/**
 * Refuses nodes that would not be asked: the embedded service is simulated on chains of its own.
 *
 * @throws UsageError
 */
export function refuseNodesOfEmbedded(
  { rpc = [], rpcOfService }: Readonly<Record<string, unknown>>,
  isEmbedded: boolean,
): void {
  if (!isEmbedded || (rpcOfService !== true && (rpc as readonly string[]).length === 0)) return;
  throw new UsageError(
    '--rpc and --rpc-of-service are for a service that has a URL, such as --zap-url: builds of the embedded one are executed on chains of its own.',
  );
}

/** That nodes which variables name are not asked: a sentence, or none. */
export function unusedNodes(
  env: Readonly<Record<string, string | undefined>>,
  isEmbedded: boolean,
): string[] {
  const names = Object.keys(env).filter(
    (name) => chainOfVariable(name) !== undefined && (env[name] ?? '') !== '',
  );
  if (!isEmbedded || names.length === 0) return [];
  return [
    `${names.join(', ')}: not used, since the embedded service brings nodes of its own chains.`,
  ];
}

/** Whether an API has a URL. */
export function hasUrl(config: TargetConfig): boolean {
  return Object.keys(baseUrlsOf(config)).length > 0;
}
