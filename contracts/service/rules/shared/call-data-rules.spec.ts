import { describe, expect, test } from 'vitest';
import type { WireSketch } from '../../../judging/verdicts.testkit.ts';
import { resultsOf, verdictOf } from '../../../judging/verdicts.testkit.ts';
import { CALL_DATA } from './call-data-rules.ts';

const address = (byte: string): string => `0x${byte.repeat(20)}`;
const [ACCOUNT, FIRST, OTHER] = [address('ac'), address('1f'), address('2e')];
const word = (text: string): string => text.replace('0x', '').padStart(64, '0');
const amountWord = (amount: string): string => word(BigInt(amount).toString(16));

/** A zap that was built, by its recipient, its amount and the words of its call data. */
function zap(
  role: string,
  recipient: string,
  amount: string,
  words: readonly string[],
): WireSketch {
  return {
    ...{ method: 'POST', path: '/v1/buildTx' },
    sent: {
      ...{ srcToken: address('5a'), srcChainId: 1, destToken: address('5b'), destChainId: 1 },
      ...{ recipient, account: ACCOUNT, amount, slippage: 1 },
    },
    answered: {
      status: 'success',
      data: {
        path: [],
        steps: [
          {
            action: 'execute',
            data: {
              ...{ callTo: address('77'), value: '0' },
              callData: `0x12aa3caf${word(address('5a'))}${words.join('')}`,
            },
          },
        ],
      },
    },
    relations: [{ kind: CALL_DATA, group: 'g', role }],
  };
}

/** The same of a trade. */
function trade(
  role: string,
  recipient: string,
  amount: string,
  words: readonly string[],
): WireSketch {
  const entry = {
    srcToken: address('5a'),
    destToken: address('5b'),
    toChain: 1,
    amount,
    recipient,
  };
  return {
    ...{ api: 'trade', method: 'POST', path: '/v1/buildTx' },
    sent: { fromChain: 1, sender: ACCOUNT, gasless: false, data: [entry] },
    answered: {
      ...{ status: 'success', gasless: false, quotes: {} },
      transaction: {
        ...{ to: address('77'), value: '0x0' },
        data: `0x12aa3caf${word(address('5a'))}${words.join('')}`,
      },
    },
    relations: [{ kind: CALL_DATA, group: 'g', role }],
  };
}

const ONCE = '250000000';
const TWICE = '500000000';
type Words = (recipient: string, amount: string) => readonly string[];

describe.each([
  ['zap.steps', zap, '/data/steps/0/data/callData'],
  ['trade.transaction', trade, '/transaction/data'],
] as const)('%s', (subject, built, pointer) => {
  const story = (words: Words): WireSketch[] => [
    built('A', FIRST, ONCE, words(FIRST, ONCE)),
    built('recipient', OTHER, ONCE, words(OTHER, ONCE)),
    built('amount', FIRST, TWICE, words(FIRST, TWICE)),
    built('A', FIRST, ONCE, words(FIRST, ONCE)),
  ];
  test.each<[string, Words, string, string, string]>([
    ['both', (who, amount) => [word(who), amountWord(amount)], 'pass', 'pass', 'pass'],
    [
      'the account in place of the recipient',
      (_, amount) => [word(ACCOUNT), amountWord(amount)],
      `fail ${pointer}`,
      'pass',
      'pass',
    ],
    ['no amount', (who) => [word(who)], 'pass', `fail ${pointer}`, 'not-reached'],
    [
      'a tenth of the amount',
      (who, amount) => [word(who), amountWord(String(BigInt(amount) / 10n))],
      'pass',
      'pass',
      `fail ${pointer}`,
    ],
  ])('call data that holds %s', (_, words, recipient, amount, all) => {
    const verdicts = ['recipient-in-call', 'amount-in-call', 'all-of-amount-in-call'].map((rule) =>
      verdictOf(`${subject}.${rule}`, ...story(words)),
    );
    expect(verdicts).toEqual([recipient, amount, all]);
  });
});

test('says that the money goes to the account', () => {
  const words = [word(ACCOUNT)];
  const [result] = resultsOf(
    'zap.steps.recipient-in-call',
    ...[zap('A', FIRST, ONCE, words), zap('A', FIRST, ONCE, words)],
    zap('recipient', OTHER, ONCE, words),
  );
  expect(result?.findings[0]?.actual).toContain(`the account ${ACCOUNT}, to whom the money goes`);
});

test('says nothing of builds without a second one to compare with', () => {
  const words = [word(ACCOUNT)];
  const sketches = [zap('A', FIRST, ONCE, words), zap('recipient', OTHER, ONCE, words)];
  expect(verdictOf('zap.steps.recipient-in-call', ...sketches)).toBe('not-reached');
});

const DRAWN = ['a7', '5e', '91'].map((byte) => byte.repeat(32));

test.each([
  ['on one chain', 1, [], 'not-reached'],
  ['across chains', 2, [], 'not-reached'],
  ['across chains, if the account gets refunds', 2, [word(ACCOUNT)], 'not-reached'],
  ['on one chain, if the account is paid', 1, [word(ACCOUNT)], 'fail /data/steps/0/data/callData'],
])('an order number may stand for a recipient %s: %#', (_, destChainId, words, verdict) => {
  const built = (role: string, recipient: string, drawn = ''): WireSketch => {
    const sketch = zap(role, recipient, ONCE, [...words, amountWord(ONCE), drawn]);
    return { ...sketch, sent: { ...(sketch.sent as object), destChainId } };
  };
  const sketches = [
    built('A', FIRST, DRAWN[0]),
    built('recipient', OTHER, DRAWN[1]),
    built('A', FIRST, DRAWN[2]),
  ];
  const [result] = resultsOf('zap.steps.recipient-in-call', ...sketches);
  expect(verdictOf('zap.steps.recipient-in-call', ...sketches)).toBe(verdict);
  if (verdict === 'not-reached') expect(result?.reason).toContain('drawn for each build');
});
