import type { UriResolver } from 'ajv/dist/types/index.js';

/**
 * How the compiler reads URLs: as everything else does. Its own reader writes some characters of file
 * names in another way, so that references to such files led nowhere.
 */
export const SCHEMA_URIS: UriResolver = {
  parse: (uri) => {
    const [path = '', fragment] = uri.split(/#(.*)/s);
    return { path, ...(fragment === undefined ? {} : { fragment }) };
  },
  resolve: (base, path) => (URL.canParse(path, base) ? new URL(path, base).href : path),
  serialize: ({ path = '', fragment }) => (fragment === undefined ? path : `${path}#${fragment}`),
};
