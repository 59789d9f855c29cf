import { deflateRawSync } from 'node:zlib';
import type { Ended, Plan, Row } from '../row.ts';
import { check } from './input-kit.ts';
import { refused, row } from './kit.ts';

/** Secrets that are ordinary text: what replaces them would change what a correct service says. */
const ORDINARY: Readonly<Record<string, string>> = {
  true: 'true',
  'a member of JSON': 'data',
  'a number': '1000000000000000000',
  null: 'null',
  'a number in hexadecimal': '0x00',
  'the zero address': '0x0000000000000000000000000000000000000000',
  'a media type': 'application/json',
  'a directive of HTTP': 'no-cache',
  'a date': '2026-01-31',
  'a member of the contract': 'recipient',
  'a part of words of the contract': 'slippag',
};

const COMMANDS: readonly string[] = [
  '::error title=x::y',
  '##[add-mask]x',
  '##vso[task.complete result=Succeeded;]x',
  "##teamcity[buildStatus status='SUCCESS']",
  'section_start:1700000000:x',
];

/** What a CI system obeys in a log. */
const OBEYED = /^\s*::(?:error|set-output)|##[a-z]*\[|section_(?:start|end):/im;

/** A record of a service that says commands everywhere, printed in a format. */
function printed(name: string, args: readonly string[], read: (stdout: string) => unknown): Row {
  return row(
    'judge',
    `secret: commands of CI systems, printed as ${name}`,
    [0],
    async (lab) => {
      const spoil = { how: 'append-to-strings', text: `\n${COMMANDS.join('\n')}` };
      const { flags } = await lab.open({ spoils: [spoil] });
      const dir = lab.path('out');
      await lab.assay(check(lab, ...flags, '--seed', '1'));
      const after = ({ stdout, stderr }: Ended): string[] => [
        ...(OBEYED.test(`${stdout}\n${stderr}`) ? ['prints a command'] : []),
        ...unreadable(stdout, read),
        ...(/task\.complete|buildStatus/.test(stdout) ? [] : ['prints nothing hostile']),
      ];
      return { args: ['report', dir, ...args], env: { GITHUB_ACTIONS: 'true' }, after };
    },
    true,
  );
}

function unreadable(text: string, read: (text: string) => unknown): string[] {
  try {
    read(text);
    return [];
  } catch {
    return ['prints what is not of its format'];
  }
}

function labelled(command: string): Row {
  return row(
    'check',
    `secret: JSON on standard output with ${command.slice(0, 12)}`,
    [2, 3],
    (lab) => ({
      args: check(lab, '--json', '--label', `said=a${command}`),
      env: { GITHUB_ACTIONS: 'true', TF_BUILD: 'True' },
      record: lab.path('out'),
      after: ({ stdout, exit }) => [
        ...(OBEYED.test(stdout) ? ['prints a command'] : []),
        ...(exit === 2 || labelOf(stdout) === `a${command}` ? [] : ['the label is another']),
      ],
    }),
    true,
  );
}

function labelOf(stdout: string): string | undefined {
  try {
    return (JSON.parse(stdout) as { labels?: Record<string, string> }).labels?.said;
  } catch {
    return undefined;
  }
}

/** A line of a replay, of whoever wrote it. */
function replayed(api: string): Row {
  return refused('check', `secret: a replay that sends the key of trade to ${api}`, async (lab) => {
    const { flags, seen } = await lab.open({ spoils: [] });
    const request = { api, method: 'GET', path: '/v1/pools', purpose: { kind: 'unknown' } };
    const text = JSON.stringify({ requests: [{ request, credential: 'trade-key' }] });
    const word = deflateRawSync(text).toString('base64url');
    return {
      args: check(lab, ...flags, '--replay', `zap.quote.served@requests:${word}`),
      says: ['sent to that API alone'],
      after: async () => ((await seen()).length === 0 ? [] : ['something was sent']),
    };
  });
}

const LITERAL = 'gw-9f8a7b6c5d4e';

/** Secrets that are no good, texts that a CI system obeys, and keys that are sent elsewhere. */
export const SECRET_ROWS: readonly Row[] = [
  ...Object.entries(ORDINARY).flatMap(([name, value]): Row[] => {
    const plan = (args: readonly string[]): Plan => ({
      args,
      env: { ASSAY_SECRET_ORDINARY: value },
      revealed: ['ASSAY_SECRET_ORDINARY'],
      says: ['ASSAY_SECRET_ORDINARY', 'Use a secret of at least 8 characters'],
    });
    return [refused('check', `secret: ${name}`, (lab) => plan(check(lab)))];
  }),
  ...COMMANDS.map(labelled),
  printed('SARIF', ['--sarif', '-'], JSON.parse),
  printed('code quality', ['--code-quality', '-'], JSON.parse),
  printed('JUnit', ['--junit', '-'], (text) => {
    if (!text.startsWith('<?xml')) throw new Error('no XML');
  }),
  printed('Markdown', ['--markdown', '-'], String),
  ...['zap', 'docs', 'ai'].map(replayed),
  refused('check', 'secret: a header field whose value looks like a key', (lab) => ({
    args: check(lab, '--header', `X-Gateway: ${LITERAL}`),
    hidden: { literal: LITERAL },
    says: ['ASSAY_SECRET_'],
  })),
  row(
    'check',
    'secret: a header field that is given as it is',
    [3],
    (lab) => ({
      args: check(lab, '--header', 'X-Tenant: acme-eu-1'),
      record: lab.path('out'),
      says: ['the record and its reports show the value of X-Tenant'],
    }),
    true,
  ),
];
