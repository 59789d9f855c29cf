import { mutationsOf, type Mutation } from '../mutation.ts';

const REFERENCES = 'contracts/document/openapi/references.spec.ts';
const SETTLED = 'contracts/document/openapi/settled-files.spec.ts';
const DIRECTIONS = 'contracts/document/openapi/directions.spec.ts';

/** Contracts of others: dialects, references, and what is for requests or answers alone. */
export const DOCUMENT_MUTATIONS: readonly Mutation[] = [
  ...mutationsOf(
    'contracts/document/openapi/settled-files.ts',
    [SETTLED, REFERENCES],
    [
      ["if (dialect === '3.0') {", 'if (dialect) {', 'documents of 3.1 are read as those of 3.0'],
      [
        'urlOf(moved.placeOf(files, target))',
        'urlOf(target)',
        'a reference into what has moved leads to where it stood',
      ],
    ],
  ),
  ...mutationsOf(
    'contracts/document/openapi/openapi-3-0.ts',
    [SETTLED],
    [
      [
        '? BESIDE_REFERENCES : KNOWN_IN_3_0',
        '? KNOWN_IN_3_0 : KNOWN_IN_3_0',
        'what stands beside a reference of 3.0 judges',
      ],
    ],
  ),
  ...mutationsOf(
    'contracts/document/openapi/directions.ts',
    [DIRECTIONS],
    [
      [
        '  loosenAround(document, nodes, looser, new Set());',
        '  void looser;',
        'a choice of which more holds in one direction is refused',
      ],
      [
        'new Set([...kept, ...stillRequired(node, released, reach)])',
        'new Set(kept)',
        'a shared schema asks nobody for what one of them need not have',
      ],
    ],
  ),
];
