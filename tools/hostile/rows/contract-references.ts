import type { Row } from '../row.ts';
import {
  contractRow,
  contractWith,
  EITHER,
  fileContract,
  REFUSED,
  remoteContract,
} from './contract-kit.ts';

/** Contracts that lead elsewhere, or come from a hostile host. */
export const CONTRACT_REFERENCE_ROWS: readonly Row[] = [
  fileContract('a reference to a file', contractWith({ $ref: 'file:///etc/passwd' }), {
    exits: REFUSED,
  }),
  fileContract('a reference to a device', contractWith({ $ref: '/dev/zero' }), {
    exits: REFUSED,
    fast: true,
  }),
  contractRow(
    'a reference to another host',
    (lab, { trap = '' }) =>
      lab.file('contract.yaml', contractWith({ $ref: `${trap}/schema.json` })),
    {
      exits: REFUSED,
      fast: true,
    },
  ),
  contractRow(
    'from another host by reference',
    (_, { contract = '' }) => `${contract}/c/openapi.yaml`,
    {
      exits: REFUSED,
      fast: true,
      spoils: [
        { how: 'fixed', api: 'contract', text: contractWith({ $ref: '{trap}/schema.json#/a' }) },
      ],
    },
  ),
  remoteContract(
    'a reference to a file of this machine',
    [{ how: 'fixed', text: contractWith({ $ref: 'file:///etc/passwd' }) }],
    { exits: REFUSED, fast: true },
  ),
  remoteContract(
    // It is a path of the server, which answers there as everywhere.
    'a reference to a path of this machine',
    [{ how: 'fixed', text: contractWith({ $ref: '/etc/passwd' }) }],
    { exits: EITHER, fetches: 2 },
  ),
  remoteContract('a redirect to another host', [{ how: 'redirect', text: '{trap}/openapi.yaml' }], {
    exits: REFUSED,
    fast: true,
  }),
  remoteContract('a redirect to itself', [{ how: 'redirect', text: 'self' }], {
    exits: REFUSED,
    fetches: 10,
  }),
  remoteContract('a redirect to a file', [{ how: 'redirect', text: 'file:///etc/passwd' }], {
    exits: REFUSED,
  }),
  remoteContract(
    'references to itself, many times',
    [
      {
        how: 'fixed',
        text: contractWith({
          anyOf: Array.from({ length: 300 }, () => ({ $ref: '{contract}/c/part.json' })),
        }),
      },
    ],
    { exits: EITHER, fast: true },
  ),
  remoteContract(
    'a chain of references without end',
    [
      { how: 'fixed', path: '/c/openapi.yaml', text: contractWith({ $ref: 'a/x.json' }) },
      { how: 'fixed', path: '/c/a', text: '{"$ref":"a/x.json"}' },
    ],
    { exits: REFUSED },
  ),
  remoteContract('an endless body', [{ how: 'endless-body' }], { exits: REFUSED, fast: true }),
  remoteContract('no answer', [{ how: 'never-answers' }], { exits: REFUSED }),
  remoteContract('a slow body', [{ how: 'slow-body' }], { exits: REFUSED }),
  remoteContract('a gzip bomb', [{ how: 'gzip-bomb', size: 100 }], { exits: REFUSED }),
  remoteContract(
    '404 and HTML',
    [
      {
        how: 'fixed',
        size: 404,
        text: '<html>no</html>',
        headers: { 'content-type': 'text/html' },
      },
    ],
    { exits: REFUSED, fast: true },
  ),
  remoteContract('500 and a contract', [{ how: 'fixed', size: 500, text: contractWith({}) }], {
    exits: REFUSED,
  }),
  remoteContract(
    'control sequences in an error',
    [{ how: 'fixed', text: 'openapi: "\u001b[2J\n\u202e::error::x": [' }],
    { exits: REFUSED },
  ),
];
