import { API_NAMES } from '../contracts/service/wire/apis.ts';
import type { RunTarget } from '../contracts/run/run.ts';
import type { ApiName } from '../contracts/wire/exchange.ts';
import type { TargetConfig } from '../target/config/config-types.ts';
import { UsageError } from './exit-code.ts';

/** The APIs of the service that Assay judges, for what reads no rules: those take a while to load. */
export const APIS: readonly ApiName[] = API_NAMES;

/** The APIs of the service that a configuration is for: its own, or those. */
export function apisOf({ service }: Pick<TargetConfig, 'service'>): readonly ApiName[] {
  return service?.apis ?? APIS;
}

/** What a record says of the APIs of a target, and of a service of one's own. */
export function describedApis(config: TargetConfig): Pick<RunTarget, 'apis' | 'service'> {
  const { service } = config;
  return { apis: apisOf(config), ...(service === undefined ? {} : { service: service.name }) };
}

/**
 * Refuses a service of one's own if a command knows only the one that Assay brings along.
 *
 * @param what it does, to follow `assay`, e.g. `load`
 * @throws UsageError
 */
export function refuseOwnService({ service }: Pick<TargetConfig, 'service'>, what: string): void {
  if (service === undefined) return;
  throw new UsageError(
    `assay ${what} knows nothing of the service ${service.name} of the configuration: a service of one's own is for "assay check" and "assay limits". Name a configuration without it by --config.`,
  );
}
