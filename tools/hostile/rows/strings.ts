import { existsSync } from 'node:fs';
import type { Row } from '../row.ts';
import { shellComplaints } from '../shell-lines.ts';
import { target } from './kit.ts';

const ESC = '\u001b[2J\u001b]0;owned\u0007\u009b31m';
const CI = '\n::error::owned\n::set-env name=A::b\n##[error]x';
const NO_XML = '\u0000\u0001\ufffe\uffff\ud800';
const BIDI = '\u202e\u2066\u200f';

/** What a target may put into every string of an otherwise fair answer. */
const STRINGS: readonly (readonly [name: string, text: string, fast: boolean])[] = [
  // What CI tries of all that something must not be reported: a terminal, a CI system, a reader of XML.
  [
    'control sequences, commands of a CI system and characters that XML forbids',
    `${ESC}${CI}${NO_XML}`,
    true,
  ],
  ['control sequences', ESC, false],
  ['bidi marks', BIDI, false],
  ['commands of a CI system', CI, false],
  ['line breaks of all kinds', 'a\r\nb\rc\u0085d\u2028e\u2029f\u000bg', false],
  ['markup', ']]><system-out>&lt;</testcase><script>alert(1)</script>&#0;&amp;', false],
  ['characters that XML forbids', NO_XML, false],
  ['a command for a shell', '$(touch pwn)`touch pwn`;touch pwn|touch pwn\'"\\', false],
  ['patterns', '(a+)+$[[:alpha:]]\\1', false],
  ['templates', '${process.exit(9)}{{7*7}}<%= 1 %>%s%n%d', false],
  ['paths', '../../../../etc/passwd\u0000', false],
];

export const STRING_ROWS: readonly Row[] = [
  ...STRINGS.flatMap(([name, text, fast]) => [
    ...target(`strings with ${name}`, { how: 'append-to-strings', text }, { fast, requests: 150 }),
    ...target(`all strings with ${name}`, { how: 'append-to-all-strings', text }),
  ]),
  ...[
    ['a variable that holds the key', 'x$ASSAY_TRADE_KEY'],
    ['a variable in braces', 'x${ASSAY_TRADE_KEY}'],
    ['a variable behind a quote', 'x\'$ASSAY_TRADE_KEY\'"$ASSAY_SECRET_GATEWAY"'],
    ['a command', "x$(touch pwn)`touch pwn`'$(touch pwn)'"],
  ].flatMap(([name = '', text = ''], index) =>
    printsSafely(`names with ${name}`, text, index % 3 === 0),
  ),
  ...target(
    'members that reach into the engine',
    { how: 'prototype-members' },
    { fast: true, requests: 150 },
  ),
  ...target('members that pointers escape', { how: 'pointer-members' }, { requests: 150 }),
  ...target('a thousand more members in every object', {
    how: 'more-members',
    size: 200,
    api: 'zap',
  }),
  ...target('members with control sequences', {
    how: 'rename-members',
    text: `${ESC}\n::error::x`,
  }),
  ...target('members that are shell words', { how: 'rename-members', text: '$(touch pwn)' }),
  ...target('amounts below zero', { how: 'set-amounts', text: '-1' }),
  ...target('amounts of 100,000 digits', {
    how: 'set-amounts',
    text: '9'.repeat(100_000),
    api: 'zap',
  }),
  ...target('amounts that are words', { how: 'set-amounts', text: '0x__proto__' }),
];

/** Names that reach request bodies, and from there the command lines that a report prints. */
function printsSafely(name: string, text: string, fast: boolean): Row[] {
  return target(
    name,
    [
      { how: 'append-to-strings', text, path: '/v1/config' },
      { how: 'set-members', api: 'zap', path: '/v1/config/providers', members: ['id'], text },
      {
        how: 'set-members',
        api: 'zap',
        path: '/v1/quote',
        members: ['protocol', 'minReturn'],
        text,
      },
    ],
    { fast, requests: 150 },
  ).map((row) => ({
    ...row,
    prepare: async (lab) => {
      const plan = await row.prepare(lab);
      return {
        ...plan,
        after: async (ended) => [
          ...((await plan.after?.(ended)) ?? []),
          ...(existsSync(lab.path('pwn')) ? ['a command of the target ran'] : []),
          ...shellComplaints(lab.path('out'), lab.dir),
        ],
      };
    },
  }));
}
