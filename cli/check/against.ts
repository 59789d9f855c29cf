/** `--against`, read: which second target a check is to ask the same as the first. */

import { Option } from 'commander';
import type { ApiName } from '../../contracts/wire/exchange.ts';
import type { TargetConfig } from '../../target/config/config-types.ts';
import { baseUrlsOf } from '../../target/config/config-types.ts';
import { readBaseUrl, Unwanted } from '../../target/config/config-value.ts';
import { nameAtSecondTarget } from '../../target/config/secrets.ts';
import { UsageError } from '../exit-code.ts';
import { APIS, apisOf } from '../apis.ts';

/** The second target: its base URLs, one for each API that the first has, or the embedded service. */
export type SecondTarget =
  | { readonly kind: 'remote'; readonly urls: Readonly<Record<ApiName, string>> }
  | { readonly kind: 'embedded' };

const EMBEDDED = 'embedded';

/** `--against`, which names a second target. */
export function againstOption(): Option {
  return new Option(
    '--against <[api=]url|embedded>',
    'a second target that is asked the same at the same times, and that the first is held against; of every API if none is named; its keys are taken from ASSAY_AGAINST_TRADE_KEY and ASSAY_AGAINST_SECRET_…; it changes no verdict; may be repeated',
  ).argParser((value: string, before: readonly string[] | undefined) => [...(before ?? []), value]);
}

/**
 * The second target that the flags name; undefined if they name none.
 *
 * @param config of the first
 * @throws UsageError when the two have not the same APIs, or something else is wrong with it
 */
export function secondTargetOf(
  flags: Readonly<Record<string, unknown>>,
  config: TargetConfig,
  env: Readonly<Record<string, string | undefined>>,
): SecondTarget | undefined {
  const { against } = flags;
  if (!Array.isArray(against)) return undefined;
  const named = against as readonly string[];
  if (flags.baseline !== undefined) {
    throw new UsageError(
      '--against holds the run against a second target, and --baseline against an earlier run: leave one of the two out. `assay compare` holds any two records against each other.',
    );
  }
  if (config.replay !== undefined) {
    throw new UsageError(
      '--replay shows one finding again, which is nothing to compare: leave --against out, and replay it on each target.',
    );
  }
  const apis = Object.keys(baseUrlsOf(config));
  if (apis.length === 0) {
    throw new UsageError(
      '--against names the second of two targets, and no API of the first has a URL. Give it with --zap-url, --trade-url, --docs-url, ASSAY_ZAP_URL … or a configuration.',
    );
  }
  refuseEmptySecrets(env);
  if (named.includes(EMBEDDED)) {
    if (named.length > 1) {
      throw new UsageError(
        '--against embedded is the embedded reference service, for all APIs: leave the other URLs out.',
      );
    }
    return { kind: EMBEDDED };
  }
  return { kind: 'remote', urls: urlsOf(named, apis, apisOf(config)) };
}

/** A variable of CI that is not set where it should be would send the key of the first target. */
function refuseEmptySecrets(env: Readonly<Record<string, string | undefined>>): void {
  const empty = Object.keys(env).find(
    (name) => nameAtSecondTarget(name) !== undefined && env[name] === '',
  );
  if (empty === undefined) return;
  throw new UsageError(
    `the variable ${empty} is empty: give it the secret of the second target, or leave it out, and ${nameAtSecondTarget(empty) ?? ''} is sent there as well.`,
  );
}

function urlsOf(
  named: readonly string[],
  apis: readonly ApiName[],
  all: readonly ApiName[],
): Record<ApiName, string> {
  const urls = new Map<ApiName | undefined, string>();
  for (const text of named) {
    const [, word, location = ''] = /^(?:([A-Za-z][A-Za-z0-9-]*)=)?(.*)$/s.exec(text) ?? [];
    const api = all.find((name) => name === word);
    if (word !== undefined && api === undefined) {
      throw new UsageError(
        `--against names the API "${word}", and there is none. There are ${all.join(', ')}.`,
      );
    }
    if (api !== undefined && !apis.includes(api)) {
      throw new UsageError(
        `--against names the ${api} API, which the first target does not have: leave it out, or give --${api}-url.`,
      );
    }
    if (urls.has(api)) {
      throw new UsageError(
        `--against names ${api === undefined ? 'a URL for every API' : `the ${api} API`} twice.`,
      );
    }
    urls.set(api, urlOf(location));
  }
  const found = apis.map((api) => [api, urls.get(api) ?? urls.get(undefined)] as const);
  const missing = found.filter(([, url]) => url === undefined).map(([api]) => api);
  if (missing.length > 0) {
    throw new UsageError(
      `--against has no URL for ${missing.join(', ')}, which the first target has: give --against ${missing[0] ?? ''}=URL, or leave that API out of both.`,
    );
  }
  return Object.fromEntries(found) as Record<ApiName, string>;
}

function urlOf(location: string): string {
  try {
    return String(readBaseUrl(location, { typed: false, dir: '', apis: APIS }));
  } catch (error) {
    if (!(error instanceof Unwanted)) throw error;
    throw new UsageError(
      `--against takes [api=]URL, with ${error.message}, or embedded; not ${JSON.stringify(error.shown ?? '')}`,
    );
  }
}
