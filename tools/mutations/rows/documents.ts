import { mutationsOf, type Mutation } from '../mutation.ts';

const REFERENCES = 'contracts/document/openapi/references.spec.ts';
const SETTLED = 'contracts/document/openapi/settled-files.spec.ts';
const DIRECTIONS = 'contracts/document/directions/directions.spec.ts';
const DOUBTS = 'contracts/document/directions/doubtful-answers.spec.ts';

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
    'contracts/document/openapi/settled-files.ts',
    ['contracts/document/openapi/prototype-member.spec.ts'],
    [['    settlePrototype(files, schema, moved);\n', '', 'a member __proto__ is passed over']],
  ),
  ...mutationsOf(
    'contracts/document/openapi/operation-inputs.ts',
    ['contracts/rules/raw-bodies.spec.ts'],
    [
      [
        "isJsonType(type) && !String(openapi).startsWith('3.0')",
        'isJsonType(type)',
        'raw octets of 3.0 under the name of JSON are held against its schema',
      ],
    ],
  ),
  ...mutationsOf(
    'contracts/document/yaml/yaml.ts',
    ['contracts/document/yaml/yaml.spec.ts'],
    [
      [
        "return typeof key === 'number' || typeof key === 'boolean' ? String(key) : key;",
        'return key;',
        'of keys that differ in their types alone the first is lost',
      ],
    ],
  ),
  ...mutationsOf(
    'contracts/document/openapi/openapi-survey.ts',
    ['contracts/document/openapi/references-by-id.spec.ts'],
    [
      [
        'this.#visits.push([kind, target, this.#baseAround(target)]);',
        'this.#visits.push([kind, target, target.file]);',
        'what stands in no keyword of a file is relative to its URL, whatever its $id',
      ],
      [
        'this.#names.get(href) ?? this.#names.get(this.#own(href) + hash)',
        'this.#names.get(href)',
        'an anchor of a file with an $id is known by that alone',
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
    'contracts/document/directions/one-way.ts',
    [DIRECTIONS, 'contracts/document/directions/releases.spec.ts'],
    [
      [
        'isInDoubt: isTurned(nodes, looser)',
        'isInDoubt: looser.size < 0',
        'a choice of which more holds in one direction is refused',
      ],
      [
        "keyword === 'then' ? held : { not: held }",
        '{ not: held }',
        'what takes a branch then needs a member that it marks',
      ],
      [
        'if (key === this.#keyOf(this.#homeOf(node))) return urlOf(node.place);',
        'if (key !== "") return urlOf(node.place);',
        'a schema that is shared requires the same everywhere',
      ],
    ],
  ),
  ...mutationsOf(
    'contracts/document/directions/releases.ts',
    [DIRECTIONS, 'contracts/document/directions/releases.spec.ts'],
    [
      [
        'for (const [name, more] of own.bySome)',
        'for (const [name, more] of NONE.bySome)',
        'a mark in a choice in a branch is none around',
      ],
      [
        'chain: [branch, ...inner.chain]',
        'chain: [branch, ...inner.chain.slice(-1)]',
        'a branch between others need not be taken',
      ],
      [
        'if (!edge.isInPlace) return',
        'if (!isPart(edge)) return',
        'what is marked around is not in a condition',
      ],
    ],
  ),
  ...mutationsOf(
    'contracts/document/directions/directions.ts',
    [DIRECTIONS],
    [
      [
        'if (!schemaGraph(given, urls).some(isNames)) return given;',
        'if (urls.length >= 0) return given;',
        'a member that another one makes necessary is needed both ways',
      ],
    ],
  ),
  ...mutationsOf(
    'contracts/document/directions/required-in-doubt.ts',
    ['contracts/document/directions/releases.spec.ts'],
    [
      [
        '{ allOf: [unevaluating(then), unevaluating(otherwise)] }',
        'false',
        'what holds whether or not its condition does is in doubt',
      ],
    ],
  ),
  ...mutationsOf(
    'contracts/document/directions/required-in-doubt.ts',
    [DOUBTS],
    [
      [
        'const others = branches.map((steps) => part(node, steps, other));',
        'const others: unknown[] = [];',
        'a choice of which two hold in any case conforms',
      ],
      [
        '  not: (node, { other }) => [',
        '  not: (node, { own: other }) => [',
        'a `not` refuses what may not hold',
      ],
      [
        'const [possible, certain] = isCertain ? [other, own] : [own, other];',
        'const [possible, certain] = isCertain ? [own, other] : [other, own];',
        'a condition that may not hold asks for what it states',
      ],
    ],
  ),
];
