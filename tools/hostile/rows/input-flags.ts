import type { Row } from '../row.ts';
import { check, PASSWORD } from './input-kit.ts';
import { refused, row } from './kit.ts';

const ESC = 'a\u001b[2J\u202eb\n::error::c';

/** URLs with a password in them, well-formed and not. */
const WITH_PASSWORD = [
  `http://user:${PASSWORD}@127.0.0.1:1`,
  `http://user:${PASSWORD}@127.0.0.1:1/a b`,
  `http://us er:${PASSWORD}@ho st`,
  `https:user:${PASSWORD}@127.0.0.1`,
  `http:/user:${PASSWORD}@127.0.0.1`,
  `ftp://user:${PASSWORD}@127.0.0.1`,
  `//user:${PASSWORD}@127.0.0.1`,
  `user:${PASSWORD}@127.0.0.1`,
  `http://127.0.0.1:1/?password=${PASSWORD}`,
  `http://127.0.0.1:1/#${PASSWORD}`,
  ` http://user:${PASSWORD}@127.0.0.1\u0000`,
];

/** What nobody means, each refused with a sentence. */
const FLAGS: readonly (readonly [name: string, args: readonly string[], fast: boolean])[] = [
  ['an unknown flag with control sequences', [`--${ESC}`], true],
  ['a URL with control sequences', ['--zap-url', ESC], true],
  ['a seed with control sequences', ['--seed', ESC], false],
  ['a profile of the engine', ['--profile', '__proto__'], true],
  ['a profile that is a constructor', ['--profile', 'constructor'], false],
  ['a replay of nothing', ['--replay', '@:'], false],
  ['no requests', ['--max-requests', '0'], false],
  ['requests below zero', ['--max-requests', '-1'], false],
  ['requests past all', ['--max-requests', '1e309'], false],
  ['seconds that are none', ['--max-seconds', 'NaN'], true],
  ['seconds without end', ['--max-seconds', 'Infinity'], false],
  ['a rate of zero', ['--max-rate', '0'], false],
  ['a rate that is a word', ['--max-rate', 'fast'], false],
  ['a timeout of zero', ['--timeout-ms', '0'], false],
  ['bodies past all', ['--max-body-bytes', '99999999999'], false],
  ['a record of no bytes', ['--max-record-bytes', '0'], false],
  ['a source that is no address', ['--source-ip', '127.0.0.1; ls'], false],
  ['a contract for an API that is not known', ['--contract', '__proto__=a.yaml'], false],
  ['a contract of nothing', ['--contract', ''], false],
  ['an empty out', ['--out', ''], false],
  ['a command that is none', [ESC], false],
  ['rules that are none', ['--only', `zap,${ESC}`], true],
  ['a glob that means no rule', ['--skip', '*.nothing.*'], false],
  ['rules of which none is left', ['--only', 'zap', '--skip', 'zap'], false],
  ['a level of the engine', ['--fail-on', '__proto__'], false],
];

/** Proxies that nothing can be sent through. */
const NO_PROXIES = [
  `socks5://user:${PASSWORD}@127.0.0.1:1`,
  `user:${PASSWORD}@127.0.0.1:1`,
  '127.0.0.1:1',
  'file:///etc/passwd',
  'http://',
];

/** What a proxy passes on to loopback is asked of whoever is behind it. */
const BY_A_PROXY: readonly Row[] = (
  [
    ['load', '--allow-load 127.0.0.1'],
    ['limits', '--allow-limits 127.0.0.1'],
  ] as const
).map(([command, flag]) =>
  refused(command, `input: ${command} by a proxy that nobody allowed`, () => ({
    args: [command, '--zap-url', 'http://127.0.0.1:1'],
    env: { HTTP_PROXY: 'http://127.0.0.1:2' },
    says: [flag],
  })),
);

/** Flags, variables and URLs that nobody means. */
export const INPUT_FLAG_ROWS: readonly Row[] = [
  ...FLAGS.map(([name, args, fast]) =>
    refused(
      'check',
      `input: ${name}`,
      (lab) => ({ args: check(lab, ...args), record: lab.path('out') }),
      fast,
    ),
  ),
  row('check', 'input: a replay with control sequences', [2, 3], (lab) => ({
    args: check(lab, '--replay', 'a\u001b[2J@b:c', '--seed', '1'),
    record: lab.path('out'),
  })),
  row('check', 'input: a source that is not of this machine', [2, 3], (lab) => ({
    args: check(lab, '--source-ip', '192.0.2.1', '--zap-url', 'http://127.0.0.1:1'),
    record: lab.path('out'),
  })),
  ...WITH_PASSWORD.flatMap((url, index) => [
    refused(
      'check',
      `input: a URL with a password, form ${index + 1}`,
      (lab) => ({
        args: check(lab, '--zap-url', url),
        hidden: { password: PASSWORD },
      }),
      index < 4,
    ),
    ...(url.includes('\u0000')
      ? []
      : [
          refused(
            'check',
            `input: a variable with a password, form ${index + 1}`,
            (lab) => ({
              args: check(lab),
              env: { ASSAY_TRADE_URL: url },
              hidden: { password: PASSWORD },
            }),
            index === 2,
          ),
          refused(
            'check',
            `input: a configuration with a password, form ${index + 1}`,
            (lab) => {
              lab.file('assay.config.json', JSON.stringify({ docsUrl: url }));
              return { args: check(lab), hidden: { password: PASSWORD } };
            },
            index === 2,
          ),
        ]),
  ]).filter(({ name }) => !name.includes('form 11') || !name.includes('URL')),
  ...NO_PROXIES.flatMap((url, index) =>
    (['check', 'load'] as const).map((command) =>
      refused(
        command,
        `input: a proxy that is none, form ${index + 1}`,
        () => ({
          args: [command, '--zap-url', 'http://127.0.0.1:1'],
          env: { [index % 2 === 0 ? 'HTTP_PROXY' : 'https_proxy']: url },
          hidden: { password: PASSWORD },
          says: [/(?:HTTP_PROXY|https_proxy)/],
        }),
        index === 0,
      ),
    ),
  ),
  ...BY_A_PROXY,
  refused('limits', 'input: a URL with a password', () => ({
    args: ['limits', '--zap-url', `http://user:${PASSWORD}@127.0.0.1:1`],
    hidden: { password: PASSWORD },
  })),
];
