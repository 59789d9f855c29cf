import { mutationsOf, type Mutation } from '../mutation.ts';

/** How contracts of others are read. */
export const CONTRACT_MUTATIONS: readonly Mutation[] = [
  ...mutationsOf(
    'contracts/document/paths/path-finder.ts',
    ['contracts/document/paths/path-finder.spec.ts'],
    [
      [
        'one < other ? -1 : one > other ? 1 : 0',
        '0',
        'of two templates the first that is stated holds',
      ],
      [
        'return narrow.length > 0 ? narrow : templates;',
        'return templates;',
        'a template within another one is tied with it',
      ],
      [
        "methods.get(method) ?? (method === 'HEAD' ? methods.get('GET') : undefined)",
        'methods.get(method)',
        'HEAD addresses nothing but HEAD',
      ],
    ],
  ),
  ...mutationsOf(
    'contracts/document/paths/operation-servers.ts',
    ['contracts/document/paths/operation-servers.spec.ts'],
    [
      [
        'return path === other || path.startsWith(`${other}/`);',
        'return path.startsWith(other);',
        'a path is below another one that its last name only begins with',
      ],
    ],
  ),
  ...mutationsOf(
    'contracts/document/paths/places-below.ts',
    ['contracts/document/paths/operation-servers.spec.ts'],
    [
      [
        'return isOfBase ? [path] : ',
        'return ',
        'a base URL on the host of the contract may hold its path',
      ],
    ],
  ),
  ...mutationsOf(
    'contracts/document/openapi/media-type.ts',
    ['contracts/document/openapi/media-type.spec.ts'],
    [
      [
        'else if (rank > 0 && rank === best.rank) best = { one: undefined, rank };',
        '',
        'of two media types alike the first holds',
      ],
      ['quoted?.replaceAll', 'undefined?.replaceAll', 'a quoted value ends at its first semicolon'],
      [
        'charset !== undefined && sentCharset !== undefined',
        'charset !== undefined',
        'content without a charset is not of a media type with one',
      ],
    ],
  ),
];
