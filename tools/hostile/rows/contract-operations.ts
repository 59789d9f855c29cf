import type { Row } from '../row.ts';
import {
  answering,
  contractRow,
  contractWith,
  EITHER,
  fileContract,
  USED,
} from './contract-kit.ts';
const PARAMETERS: readonly (readonly [name: string, parameter: object])[] = [
  [
    'Transfer-Encoding',
    { name: 'Transfer-Encoding', in: 'header', required: true, schema: { enum: ['chunked'] } },
  ],
  ['Host', { name: 'Host', in: 'header', required: true, schema: { enum: ['trap.example'] } }],
  [
    'Content-Length',
    { name: 'Content-Length', in: 'header', required: true, schema: { enum: ['5'] } },
  ],
  [
    'a header with line breaks',
    { name: 'X-A', in: 'header', required: true, schema: { enum: ['a\r\nx-evil: 1'] } },
  ],
  [
    'a header name with a line break',
    { name: 'X\r\nEvil: 1', in: 'header', required: true, schema: { enum: ['a'] } },
  ],
  ['a cookie', { name: 'c', in: 'cookie', required: true, schema: { enum: ['a; b=\r\n'] } }],
  [
    'a query with control characters',
    { name: 'q\u0000\n', in: 'query', required: true, schema: { enum: ['\u0000\r\n'] } },
  ],
];

/** Schemas of an input that cannot be met, or only at a great price. */
const INPUTS: readonly (readonly [name: string, schema: object, fast: boolean])[] = [
  ['of nested quantifiers', { type: 'string', pattern: '^(a+)+$' }, false],
  ['a million characters by its pattern', { type: 'string', pattern: '^a{1000000}$' }, true],
  ['nested counts by its pattern', { type: 'string', pattern: '^((a{99}){99}){99}$' }, false],
  ['a pattern that nothing meets', { type: 'string', pattern: '^(?!)$' }, false],
  // In CI `hostile-schemas.slow.spec.ts` has these two.
  ['a billion characters', { type: 'string', minLength: 1_000_000_000 }, false],
  ['a billion items', { type: 'array', minItems: 1_000_000_000, items: { type: 'string' } }, false],
  ['a number past all', { type: 'integer', minimum: 1e300, multipleOf: 7 }, false],
  ['a multiple of next to nothing', { type: 'number', multipleOf: 1e-300, minimum: 1 }, false],
  ['one of 100,000', { enum: Array.from({ length: 100_000 }, (_, n) => `v${n}`) }, false],
  ['what is not itself', { not: {} }, false],
  ['of a type that is none', { type: 'dream' }, false],
  ['all of 2,000', { allOf: Array.from({ length: 2_000 }, (_, n) => ({ minLength: n })) }, false],
];

const IDS: readonly (readonly [name: string, id: string])[] = [
  ['a path upwards', '../../../../pwn'],
  ['line breaks', 'a\n::error::owned\nb'],
  ['control sequences', 'a\u001b[2Jb'],
  ['a command', '$(touch pwn)'],
  ['an at sign', 'a@b:c'],
  ['10 kB', 'a'.repeat(10_000)],
  ['quotes', 'a\'"`b'],
  ['a member of the engine', '__proto__'],
];

/** Contracts whose names, parameters and paths are hostile. */
export const CONTRACT_OPERATION_ROWS: readonly Row[] = [
  ...INPUTS.map(([name, schema, fast]) =>
    fileContract(
      `an input that is ${name}`,
      () =>
        contractWith(
          { type: 'object' },
          { parameters: [{ name: 'q', in: 'query', required: true, schema }] },
        ),
      { exits: EITHER, fast },
    ),
  ),
  ...IDS.map(([name, id]) =>
    contractRow(
      `an operation named with ${name}`,
      (lab) => lab.file('contract.yaml', contractWith({ type: 'string' }, { id })),
      {
        exits: [1, 2, 3],
        fast: ['a path upwards', 'line breaks', 'a command'].includes(name),
        spoils: [answering('{"not":"a string"}')],
        args: ['--regressions', 'kept'],
        requests: 150,
      },
    ),
  ).map(keepsInFolder),
  ...PARAMETERS.map(([name, parameter]) =>
    fileContract(
      `the parameter ${name}`,
      contractWith({ type: 'object' }, { parameters: [parameter] }),
      {
        exits: USED,
        fast: name === 'Transfer-Encoding',
        requests: 150,
        spoils: [answering('{}')],
      },
    ),
  ),
  fileContract(
    'a path with line breaks',
    contractWith({ type: 'object' }, { path: '/v1/a\r\nHost: trap.example\r\n/b' }),
    {
      exits: EITHER,
      fast: true,
      requests: 150,
    },
  ),
  fileContract('a path upwards', contractWith({ type: 'object' }, { path: '/../../etc/passwd' }), {
    exits: EITHER,
    requests: 150,
  }),
  fileContract(
    'a path that is a URL',
    contractWith({ type: 'object' }, { path: '/@127.0.0.2/x' }),
    { exits: EITHER },
  ),
];

/** What was found is kept in the folder named for it, and nowhere else. */
function keepsInFolder(row: Row): Row {
  return {
    ...row,
    prepare: async (lab) => {
      const plan = await row.prepare(lab);
      return { ...plan, writes: [lab.path('kept')] };
    },
  };
}
