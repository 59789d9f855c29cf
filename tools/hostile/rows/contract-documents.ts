import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { BODIES } from '../service/bodies.ts';
import type { Row } from '../row.ts';
import { contractRow, EITHER, fileContract, REFUSED, remoteContract } from './contract-kit.ts';
const made =
  (body: string, size: number): (() => string) =>
  () =>
    String(BODIES[body]?.(size));

/** Documents that cost their reader more than their writer. */
const BOMBS: readonly (readonly [
  name: string,
  body: string,
  size: number,
  exits: readonly number[],
  fast: boolean,
])[] = [
  ['100,000 paths', 'yaml-keys', 100_000, EITHER, false],
  ['60,000 merge keys', 'yaml-merge-keys', 60_000, REFUSED, true],
  ['an alias bomb', 'yaml-alias-bomb', 9, REFUSED, true],
  ['flow lists nested 100,000 deep', 'yaml-deep-flow', 100_000, REFUSED, true],
  ['flow maps nested 20,000 deep', 'yaml-deep-flow-maps', 20_000, REFUSED, false],
  ['blocks nested 3,000 deep', 'yaml-deep-block', 3_000, REFUSED, false],
  ['a scalar of 8 MiB', 'yaml-scalar', 8_388_608, REFUSED, false],
  ['8 MiB of comments', 'yaml-comments', 8_388_608, EITHER, false],
  ['400,000 anchors', 'yaml-anchors', 400_000, REFUSED, false],
  ['a function', 'yaml-function', 1, REFUSED, true],
  ['tabs', 'yaml-tabs', 1, EITHER, false],
  ['two documents', 'yaml-documents', 2, REFUSED, false],
  ['200,000 documents', 'yaml-documents', 200_000, REFUSED, false],
  ['an alias of itself', 'yaml-self-alias', 1, REFUSED, true],
  ['HTML', 'html', 1, REFUSED, true],
  ['nothing', 'nothing', 1, REFUSED, true],
  ['NUL bytes', 'raw-nuls', 1_000, REFUSED, false],
  ['bytes that are not UTF-8', 'not-utf-8', 1_000, REFUSED, false],
];

/** Contracts that are large, or no documents at all. */
export const CONTRACT_DOCUMENT_ROWS: readonly Row[] = [
  ...BOMBS.flatMap(([name, body, size, exits, fast]) => [
    fileContract(name, made(body, size), { exits, fast }),
    remoteContract(name, [{ how: 'body', text: body, size }], { exits }),
  ]),
  contractRow('from a host that is not there', () => 'http://127.0.0.1:1/openapi.yaml', {
    exits: REFUSED,
    fast: true,
  }),
  contractRow(
    'from a host with a password',
    () => 'http://user:Passw0rdOfSomebody@127.0.0.1:1/openapi.yaml',
    {
      exits: REFUSED,
      plan: { hidden: { password: 'Passw0rdOfSomebody' } },
    },
  ),
  contractRow(
    'a FIFO',
    (lab) => {
      execFileSync('mkfifo', [lab.path('fifo')]);
      return lab.path('fifo');
    },
    { exits: REFUSED, fast: true },
  ),
  ...['/dev/zero', '/dev/random', '/dev/null', '/dev/stdin', '/proc/self/mem'].map((device) =>
    contractRow(device, () => device, { exits: REFUSED, fast: device === '/dev/zero' }),
  ),
  contractRow(
    'a folder',
    (lab) => {
      mkdirSync(lab.path('folder'));
      return lab.path('folder');
    },
    { exits: REFUSED },
  ),
  contractRow('a file that is not there', (lab) => lab.path('nowhere.yaml'), {
    exits: REFUSED,
    fast: true,
  }),
  contractRow('a name with control sequences', (lab) => lab.path('now\u001b[2Jhere.yaml'), {
    exits: REFUSED,
  }),
];
