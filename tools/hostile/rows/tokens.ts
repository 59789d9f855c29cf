import type { Row } from '../row.ts';
import { brokenRules } from '../verdicts.ts';
import { target } from './kit.ts';

const CLAIM = { api: 'docs', path: '/.well-known/agent-auth' } as const;
/** Of the world that the reference service behind a hostile one shows. */
const FIRST_POOL = '0xDd9DFa1dd0Cfe0460503403B789Ceb203D9eDF23';
const NATIVE = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE';

/** Credentials that a docs host issues, so that Assay hides what the target wants hidden. */
const TOKENS: readonly (readonly [name: string, token: unknown, fast: boolean])[] = [
  ['a piece of JSON', '{"data":{"', false],
  // In CI `learned-secrets.spec.ts` and `linear-time.slow.spec.ts` have it.
  ['40 backslashes', '\\'.repeat(40), false],
  ['the word success', 'success', false],
  ['the name of a member', 'amountOut', false],
  ['a pool', FIRST_POOL, true],
  ['the native token', NATIVE, false],
  ['the tvl of a pool', '60017999.98', false],
  ['a provider', 'basalt-swap', false],
  ['a chain', 'Ethereum', false],
  ['an operation', '/v1/config/chains', false],
  ['one character', 'e', false],
  ['nothing', '', false],
  ['1 MB', 'Ab1'.repeat(350_000), false],
  ['an object', { a: { b: 'c' } }, false],
  ['a list of 100,000', Array.from({ length: 100_000 }, (_, index) => `tok-${index}-Aa9`), false],
  ['a pattern', '(a+)+$', false],
  ['a replacement', "$&$1$`$'", false],
  ['control sequences', '\u001b[2Jtoken-9A\u0000', false],
  ['the name of a variable', '$ASSAY_TRADE_KEY', false],
  ['application/json', 'application/json', false],
];

const WHOLE = { requests: 1_000, seconds: 20, timeoutMs: 2_000 } as const;
/** Not those by which registrations are claimed: nothing would be issued then. */
const MEMBERS = ['credential'];

export const TOKEN_ROWS: readonly Row[] = [
  ...TOKENS.flatMap(([name, token, fast]) =>
    target(
      `a credential that is ${name}`,
      {
        how: 'set-members',
        ...CLAIM,
        only: 'success',
        members: MEMBERS,
        text: JSON.stringify(token),
      },
      // What the docs host issues breaks no rule of zap, whatever it breaks of its own.
      { ...WHOLE, fast, exits: [0, 1, 3], plan: {} },
    ).map(judgesZapAsEver),
  ),
  ...target(
    'a new credential in each of 400 answers',
    {
      how: 'append-to-strings',
      ...CLAIM,
      text: '-aB3',
    },
    { ...WHOLE, exits: [0, 1, 3] },
  ).map(judgesZapAsEver),
];

/** The zap API is the correct one: whatever is hidden must not make it break a rule. */
function judgesZapAsEver(row: Row): Row {
  return {
    ...row,
    prepare: async (lab) => {
      const plan = await row.prepare(lab);
      return {
        ...plan,
        after: async (ended) => {
          const broken = brokenRules(lab.path('out')).filter((id) => id.startsWith('zap.'));
          return [
            ...((await plan.after?.(ended)) ?? []),
            ...(broken.length === 0 ? [] : [`the correct zap API broke ${broken.join(', ')}`]),
          ];
        },
      };
    },
  };
}
