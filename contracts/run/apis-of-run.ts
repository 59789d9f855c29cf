import type { ApiName } from '../wire/exchange.ts';
import type { RunTarget } from './run.ts';

/** What names the APIs of a run. */
export interface ReportedApis {
  readonly target: Pick<RunTarget, 'urls' | 'apis'>;
  readonly rules?: readonly { readonly api: ApiName }[];
}

/**
 * The APIs of the service of a run, configured or not, in the order in which reports list them; of a
 * record that does not name them those that have a URL, or rules.
 */
export function apisOfRun({ target: { urls, apis = [] }, rules = [] }: ReportedApis): ApiName[] {
  return [...new Set([...apis, ...Object.keys(urls), ...rules.map(({ api }) => api)])];
}

/** Those of them that the run was given no URL of. */
export function apisWithoutUrl(reported: ReportedApis): ApiName[] {
  return apisOfRun(reported).filter((api) => reported.target.urls[api] === undefined);
}

/** Those that it was given a URL of. */
export function apisWithUrl(reported: ReportedApis): ApiName[] {
  return apisOfRun(reported).filter((api) => reported.target.urls[api] !== undefined);
}
