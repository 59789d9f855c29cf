/** The member `service` of a configuration: a service of one's own, in place of the built-in one. */

import { resolve } from 'node:path';
import { type ApiName, isApiName, MAX_APIS } from '../../contracts/wire/exchange.ts';
import { type OwnLimits, readOwnLimits, type WrittenLimits } from './own-limits.ts';
import { membersOf, readBaseUrl, textOf, Unwanted, type ValueContext } from './config-value.ts';

/** A service of one's own: plain data, since all that is code of it stands beside it. */
export interface OwnService {
  readonly name: string;
  /** In the order in which they are written, which is that of reports. */
  readonly apis: readonly ApiName[];
  /** The OpenAPI document of each of them. */
  readonly documents: readonly { readonly api: ApiName; readonly location: string }[];
  /** Base URLs if nothing else names one. */
  readonly urls: Readonly<Record<ApiName, string>>;
  /** Of each API whose rate limits can be found: what is asked to find them. */
  readonly limits: Readonly<Record<ApiName, OwnLimits>>;
}

/** A service of one's own as it is written. */
export interface WrittenService<Api extends ApiName = ApiName> {
  /** What people call it. */
  readonly name: string;
  readonly apis: Readonly<
    Record<
      Api,
      {
        /** OpenAPI 3: a path from the folder of the configuration, or an http(s) URL. */
        readonly document: string;
        /** Base URL, if no key such as `booksUrl` or variable such as `ASSAY_BOOKS_URL` names one. */
        readonly url?: string;
        /** What `assay limits` asks to find its rate limits. */
        readonly limits?: WrittenLimits;
      }
    >
  >;
}

const WANTED =
  '{ name, apis: { <name of an API>: { document, url, limits } } }, the document an OpenAPI file or its URL';
const NAME = /^[A-Za-z0-9][\w .-]{0,59}$/;

/** Reads the member `service`; throws {@link Unwanted}. */
export function readOwnService(value: unknown, context: ValueContext): OwnService {
  const { name, apis } = membersOf(value, ['name', 'apis'], WANTED);
  const known = textOf(name, WANTED);
  if (!NAME.test(known)) {
    throw new Unwanted('a name of the service of at most 60 letters, digits, spaces and hyphens');
  }
  if (typeof apis !== 'object' || apis === null || Array.isArray(apis)) throw new Unwanted(WANTED);
  const entries = Object.entries(apis as Readonly<Record<string, unknown>>);
  if (entries.length === 0 || entries.length > MAX_APIS) {
    throw new Unwanted(`1 to ${MAX_APIS} APIs`, `${entries.length} APIs`);
  }
  const read = entries.map(([api, written]) => {
    if (!isApiName(api)) {
      throw new Unwanted(
        `names of APIs in small letters, digits and hyphens, such as books`,
        `the API "${(api as string).slice(0, 60)}"`,
      );
    }
    const { document, url, limits } = membersOf(written, ['document', 'url', 'limits'], WANTED);
    return {
      api,
      location: placeOf(textOf(document, WANTED).trim(), context),
      url: url === undefined ? undefined : String(readBaseUrl(url, context)),
      limits: limits === undefined ? undefined : readOwnLimits(limits),
    };
  });
  return {
    name: known,
    apis: read.map(({ api }) => api),
    documents: read.map(({ api, location }) => ({ api, location })),
    urls: Object.fromEntries(
      read.flatMap(({ api, url }) => (url === undefined ? [] : [[api, url] as const])),
    ),
    limits: Object.fromEntries(
      read.flatMap(({ api, limits }) => (limits === undefined ? [] : [[api, limits] as const])),
    ),
  };
}

function placeOf(location: string, { dir }: ValueContext): string {
  if (!/^[a-z][a-z0-9+.-]+:/i.test(location)) return resolve(dir, location);
  const url = URL.canParse(location) ? new URL(location) : undefined;
  const isPlain = url?.username === '' && url.password === '' && /^https?:$/.test(url.protocol);
  if (isPlain) return location;
  throw new Unwanted('the document as a path, or as an http or https URL without credentials', '…');
}
