import type { NamedRun } from '../../contracts/release/release-runs.ts';
import { apisOfRun } from '../../contracts/run/apis-of-run.ts';
import type { ApiName } from '../../contracts/wire/exchange.ts';
import { UsageError } from '../exit-code.ts';

/**
 * The APIs that a release speaks of: those that are named, else those that its runs have URLs of.
 *
 * @throws UsageError when one is none of the service
 */
export function scopeOf(flag: string | undefined, runs: readonly NamedRun[]): ApiName[] {
  const apis = [...new Set(runs.flatMap(({ run }) => apisOfRun(run)))];
  const isGiven = (api: ApiName): boolean =>
    runs.some(({ run }) => run.target.urls[api] !== undefined);
  if (flag === undefined) return apis.filter(isGiven);
  const named = flag.split(',').map((name) => name.trim());
  const unknown = named.find((name) => !apis.includes(name));
  if (unknown === undefined) return apis.filter((api) => named.includes(api));
  throw new UsageError(
    `--apis takes APIs of the service, comma-separated: ${apis.join(', ')}; not ${JSON.stringify(unknown)}`,
  );
}
