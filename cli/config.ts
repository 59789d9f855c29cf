import {
  type ConfigInput,
  resolveConfig,
  type TargetConfig,
} from '../fixtures/target/config/config.ts';
import { APIS } from './apis.ts';

/**
 * The configuration of a run of the service that Assay judges.
 *
 * @throws ConfigError with everything that is wrong
 */
export function readConfig(input: Omit<ConfigInput, 'apis'>): Promise<TargetConfig> {
  return resolveConfig({ ...input, apis: APIS });
}
