/** The reference service for the tests of others: as a function, and listening on loopback. */

import type { DocumentApi } from '../../contracts/service/wire/apis.ts';
import { asFetch, createReferenceService } from '../../fixtures/service/reference/index.ts';
import { listen } from '../../fixtures/service/reference/listen.ts';
import {
  REFERENCE_DEFAULTS,
  type ReferenceOptions,
} from '../../fixtures/service/reference/options.ts';
import { systemEnvironment } from '../../fixtures/service/system-environment.ts';
import { alteredBy, type AskedOptions } from '../self-test/serve-fault.ts';

export type { DocumentApi } from '../../contracts/service/wire/apis.ts';
export type { ReferenceOptions } from '../../fixtures/service/reference/options.ts';
export type { Limit } from '../../fixtures/service/reference/limits.ts';

/** What the service is to be like; each member may be left out. */
export interface ReferenceSetting extends Partial<
  Pick<ReferenceOptions, 'seed' | 'limits' | 'rateLimitHeaders' | 'apiKeys' | 'approval'>
> {
  /** Breaks one promise: an id that `assay serve --list-faults` lists. */
  readonly fault?: string;
  /** Reads what is unspecified in another correct way: an id of the same list. */
  readonly variant?: string;
}

/** Base URLs that the service answers if nobody names others: they lead nowhere. */
export const REFERENCE_URLS: Readonly<Record<DocumentApi, string>> = {
  zap: 'http://zap.example',
  trade: 'http://trade.example',
  docs: 'http://docs.example',
  ai: 'http://ai.example',
};

/** Takes what `fetch` takes. */
export type ReferenceFetch = (
  input: Request | URL | string,
  init?: RequestInit,
) => Promise<Response>;

/**
 * The service as a function, without sockets: in place of `fetch`, or beneath a server that mocks.
 *
 * @param setting `baseUrls`: where its APIs are asked, {@link REFERENCE_URLS} when absent
 * @returns a function that rejects with TypeError, as `fetch` does, where none of its APIs is
 * @throws UsageError when no fault or variant has such an id, or it sets by itself what the setting names
 */
export function referenceFetch(
  setting: ReferenceSetting & {
    readonly baseUrls?: Readonly<Partial<Record<DocumentApi, string>>>;
  } = {},
): ReferenceFetch {
  const baseUrls = { ...REFERENCE_URLS, ...setting.baseUrls };
  const create = alteredBy(setting, askedIn(setting))?.create ?? createReferenceService;
  const service = create({ ...optionsOf(setting), baseUrls, mountPaths: pathsOf(baseUrls) });
  const answer = asFetch(service, baseUrls);
  return (input, init) => answer(new Request(input, init));
}

function pathsOf(urls: Readonly<Record<DocumentApi, string>>): Record<DocumentApi, string> {
  const paths = Object.entries(urls).map(([api, url]) => [
    api,
    new URL(url).pathname.replace(/\/$/, ''),
  ]);
  return Object.fromEntries(paths) as Record<DocumentApi, string>;
}

/** A reference service that listens. */
export interface ListeningReference {
  /** Base URL of each API. */
  readonly urls: Readonly<Record<DocumentApi, string>>;
  /** Ends the listeners and the service. */
  close(): Promise<void>;
}

/**
 * The service on free ports of this machine.
 *
 * @param setting `portBase`: the port of the zap API, the others on those that follow
 * @throws ListenError when a port is taken
 * @throws UsageError when no fault or variant has such an id, or it sets by itself what the setting names
 */
export function listenReference(
  setting: ReferenceSetting & { readonly portBase?: number } = {},
): Promise<ListeningReference> {
  const altered = alteredBy(setting, askedIn(setting));
  return listen({
    ...optionsOf(setting),
    portBase: setting.portBase ?? 0,
    singlePort: false,
    ...(altered === undefined ? {} : { create: altered.create }),
  });
}

/** What of a setting a fault or variant may set by itself. */
function askedIn({ limits, rateLimitHeaders }: ReferenceSetting): AskedOptions {
  return {
    limits: limits === undefined ? [] : ['limits'],
    rateLimitHeaders: rateLimitHeaders === undefined ? [] : ['rateLimitHeaders'],
  };
}

function optionsOf({
  seed = 1,
  limits,
  rateLimitHeaders,
  apiKeys,
  approval,
}: ReferenceSetting): Omit<ReferenceOptions, 'baseUrls'> {
  return {
    ...REFERENCE_DEFAULTS,
    seed,
    environment: systemEnvironment(),
    ...(limits === undefined ? {} : { limits }),
    ...(rateLimitHeaders === undefined ? {} : { rateLimitHeaders }),
    ...(apiKeys === undefined ? {} : { apiKeys }),
    ...(approval === undefined ? {} : { approval }),
  };
}
