import type { TargetConfig } from '../../target/config/config.ts';
import { parseReplay } from '../../suites/properties/replay/replay.ts';
import { UsageError } from '../exit-code.ts';
import { hasUrl } from './refused-target.ts';

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
