import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Lab, Row } from '../row.ts';
import { row } from './kit.ts';

/** A certificate on a record, and what of both was altered then. */
function verified(
  name: string,
  exits: readonly number[],
  alter: (given: { readonly certificate: string; readonly dir: string; readonly lab: Lab }) => {
    readonly args?: readonly string[];
    readonly says?: readonly (string | RegExp)[];
  },
  fast = false,
): Row {
  return row(
    'verify',
    `certificate: ${name}`,
    exits,
    async (lab) => {
      const dir = await lab.copyOf('clean');
      const out = lab.path('release');
      await lab.assay(['report', dir, '--release', '1', '--out', out]);
      const certificate = join(out, 'certificate.json');
      const { args = [], says = [] } = alter({ certificate, dir, lab });
      return { args: ['verify', certificate, dir, ...args], says };
    },
    fast,
  );
}

/** The same with another certificate in its place. */
function replaced(
  name: string,
  exits: readonly number[],
  put: (certificate: string) => void,
  fast = false,
): Row {
  return verified(
    name,
    exits,
    ({ certificate }) => {
      rmSync(certificate);
      put(certificate);
      return { says: [/assay: \S.{10,}/] };
    },
    fast,
  );
}

const DEEP = '['.repeat(1_000_000);
const KEY = `-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=
-----END PUBLIC KEY-----
`;

/** A certificate of which one member was edited, and what is said of it. */
const STATEMENTS: readonly (readonly [
  name: string,
  exits: readonly number[],
  edit: (text: string) => string,
  says: readonly string[],
])[] = [
  [
    'another tool, an outcome and no gaps',
    [3],
    (text) => {
      const statement = JSON.parse(text) as { predicate: Record<string, unknown> };
      Object.assign(statement.predicate, { outcome: 'conforms', gaps: [] });
      (statement.predicate.tool as Record<string, unknown>).sha256 = '0'.repeat(64);
      return JSON.stringify(statement);
    },
    ['It was judged by assay', 'is incomplete', 'The certificate says that it conforms'],
  ],
  [
    'an outcome that stands twice',
    [4],
    (text) => text.replace('"outcome":', '"outcome": "conforms", "outcome":'),
    ['says "outcome" twice in one object'],
  ],
  [
    'issued before its runs ended',
    [4],
    (text) => text.replace(/"issuedAt": "[^"]*"/, '"issuedAt": "2026-01-01T00:00:00.000Z"'),
    ['after the certificate was issued'],
  ],
];

/** Certificates, keys and records that are not what they say they are. */
export const CERTIFICATE_ROWS: readonly Row[] = [
  replaced(
    'a FIFO',
    [2],
    (file) => {
      execFileSync('mkfifo', [file]);
    },
    true,
  ),
  replaced('a link to a device', [2], (file) => {
    execFileSync('ln', ['-s', '/dev/zero', file]);
  }),
  replaced('a folder', [2], (file) => {
    mkdirSync(file);
  }),
  replaced('nested 1,000,000 deep', [4], (file) => {
    writeFileSync(file, DEEP);
  }),
  replaced('binary', [4], (file) => {
    writeFileSync(file, Buffer.from([0, 255, 10, 0, 254, 10]));
  }),
  replaced('40 MB', [2], (file) => {
    writeFileSync(file, Buffer.alloc(40_000_000, 0x20));
  }),
  replaced('30 MB of empty objects', [4], (file) => {
    writeFileSync(file, `[${'{},'.repeat(10_000_000)}{}]`);
  }),
  verified('an envelope of 20 MB that nobody signed', [4], ({ certificate, lab }) => {
    const payload = Buffer.from(DEEP.repeat(15)).toString('base64');
    const signatures = [{ keyid: '', sig: Buffer.alloc(64).toString('base64') }];
    const payloadType = 'application/vnd.in-toto+json';
    writeFileSync(certificate, JSON.stringify({ payloadType, payload, signatures }));
    return { args: ['--key', lab.file('key.pem', KEY)], says: ['is not signed by the key'] };
  }),
  verified(
    'a key that is a FIFO',
    [2],
    ({ lab }) => {
      const file = lab.path('key.pem');
      execFileSync('mkfifo', [file]);
      return { args: ['--key', file], says: ['it is a named pipe'] };
    },
    true,
  ),
  ...STATEMENTS.map(([name, exits, edit, says]) =>
    verified(
      name,
      exits,
      ({ certificate }) => {
        const text = readFileSync(certificate, 'utf8');
        writeFileSync(certificate, edit(text));
        return { says };
      },
      true,
    ),
  ),
  verified('a record with a FIFO in place of a report', [4], ({ dir }) => {
    rmSync(join(dir, 'junit.xml'));
    execFileSync('mkfifo', [join(dir, 'junit.xml')]);
    return { says: ['junit.xml, line 1: this is no plain file'] };
  }),
  verified('a record with 6,000 files', [4], ({ dir }) => {
    for (let count = 0; count < 6_000; count += 1) writeFileSync(join(dir, `file-${count}`), '');
    return { says: ['holds more than 5000 files'] };
  }),
  verified('a record whose summary nests 1,000,000 deep', [4], ({ dir }) => {
    writeFileSync(join(dir, 'run.json'), DEEP);
    return { says: ['run.json, line 1 is not as it was certified'] };
  }),
  verified('a record whose exchanges are one line of 100 MB', [4], ({ dir }) => {
    writeFileSync(join(dir, 'exchanges.ndjson'), Buffer.alloc(100_000_000, 0x20));
    return { says: ['exchanges.ndjson, line 1'] };
  }),
];
