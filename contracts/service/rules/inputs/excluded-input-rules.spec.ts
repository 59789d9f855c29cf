/** Long because it is a table of wrong requests and of answers to them. */

import { describe, expect, test } from 'vitest';
import { judge } from '../../../judging/judge.ts';
import { loadContract } from '../../load-contract.ts';
import { RULES } from '../../registry.ts';
import { EXCLUDED_INPUT } from './excluded-inputs.ts';
import type { WireSketch } from '../../../judging/verdicts.testkit.ts';
import { wireExchange } from '../../../judging/verdicts.testkit.ts';

const contract = await loadContract();

const SRC = '0x00112233445566778899aabbccddeeff00112233';
const DEST = '0x33221100ffeeddccbbaa99887766554433221100';
const WHO = '0x1111111111111111111111111111111111111111';

const zap = {
  srcToken: SRC,
  srcChainId: 10,
  destToken: DEST,
  destChainId: 10,
  recipient: WHO,
  slippage: 0.37,
  account: WHO,
  amount: '1000000',
};

const trade = {
  ...{ fromChain: 10, sender: WHO, refundee: WHO, gasless: false },
  hasPermit2ApprovalForAllTokens: false,
  data: [
    {
      amount: '1000000',
      srcToken: SRC,
      destToken: DEST,
      slippage: 0.37,
      toChain: 10,
      recipient: WHO,
    },
  ],
};

interface Route {
  readonly amount?: string;
  readonly chainId?: number;
  readonly minReturn?: string;
}

function route({ amount = '1000000', chainId = 10, minReturn = '4981500' }: Route = {}): unknown {
  const asset = (address: string): unknown => ({ address, chainId, decimals: 6 });
  const input = [{ amount, asset: asset(SRC) }];
  const output = [{ amount: '5000000', minReturn, asset: asset(DEST) }];
  const step = { action: 'swap', protocol: { id: 'a' }, input, output, fee: [], dust: [] };
  return { status: 'success', data: { amountOut: '5000000', path: [step] } };
}

function built({ gasless = false, minDestAmount = '4981500' } = {}): unknown {
  const quote = { provider: 'a', destAmount: '5000000', minDestAmount };
  return {
    status: 'success',
    gasless,
    transaction: {},
    quotes: { [`10_${SRC}-10_${DEST}`]: quote },
  };
}

const build = { method: 'POST', path: '/v1/buildTx' } as const;
const mark = (role: string): Pick<WireSketch, 'relations'> => ({
  relations: [{ kind: EXCLUDED_INPUT, group: 'g', role }],
});
const plainZap: WireSketch = { ...build, ...mark('plain'), sent: zap, answered: route() };
const plainTrade: WireSketch = {
  ...{ ...build, ...mark('plain'), api: 'trade' },
  ...{ sent: trade, answered: built() },
};
const refusal = { status: 400, answered: { status: 400, code: 'A', message: 'b', requestId: 'c' } };

function zapWith(
  defect: string,
  change: object,
  answer: Partial<WireSketch> = refusal,
): WireSketch {
  const sent = { ...zap, ...change };
  const purpose = { kind: 'invalid', defect } as const;
  return { ...build, ...mark('defect'), sent, purpose, ...answer };
}

function tradeWith(
  defect: string,
  change: object,
  answer: Partial<WireSketch> = refusal,
): WireSketch {
  const sent = { ...trade, ...change };
  const purpose = { kind: 'invalid', defect } as const;
  return { ...build, ...mark('defect'), api: 'trade', sent, purpose, ...answer };
}

/** Verdicts by the last part of the rule's id, of rules that have evidence. */
function verdicts(...sketches: readonly WireSketch[]): Record<string, string> {
  const rules = RULES.filter(({ id }) => /excluded-inputs|not-guessed|stated-types/.test(id)).map(
    (rule) => ({ ...rule, leastEvidence: 1 }),
  );
  const numbered = sketches.map((sketch, index) => ({ id: `x0000${index + 1}`, ...sketch }));
  const judged = judge(rules, contract, numbered.map(wireExchange));
  const reached = judged.filter(({ verdict }) => verdict !== 'not-reached');
  return Object.fromEntries(
    reached.map(({ rule, verdict, findings }) => [
      rule.id,
      [verdict, ...findings.map(({ expected, actual }) => `${expected} / ${actual}`)].join(': '),
    ]),
  );
}

const served = (answered: unknown = route()): Partial<WireSketch> => ({ answered });
const MONEY = 'zap.requests.money-fields-are-not-guessed';
const OTHER = 'zap.requests.excluded-inputs-are-refused';
const TYPES = 'zap.requests.stated-types-are-asked-for';
const without = { recipient: undefined };

describe('a zap', () => {
  test('without a recipient is refused', () => {
    const refused = zapWith('missing recipient', without);
    expect(verdicts(plainZap, refused)).toEqual({ [MONEY]: 'pass' });
    // Who refuses it with a recipient, too, shows nothing.
    expect(verdicts({ ...plainZap, ...refusal }, refused)).toEqual({});
    expect(verdicts(refused)).toEqual({});
  });

  test('without a recipient is served', () => {
    const taken = zapWith('missing recipient', without, served());
    const expected =
      'fail: a refusal (4xx) of a request with missing recipient / 200 for missing recipient, something filled in for it';
    expect(verdicts(plainZap, taken)).toEqual({ [MONEY]: expected });
    expect(verdicts(taken)).toEqual({ [MONEY]: expected });
  });

  test('without a recipient gets an error under 200, or nothing', () => {
    for (const answered of [{ status: 'error', message: 'no' }, {}, []]) {
      expect(verdicts(plainZap, zapWith('missing recipient', without, { answered }))).toEqual({});
    }
    for (const status of [500, 503, 302]) {
      const failed = zapWith('missing recipient', without, { ...refusal, status });
      expect(verdicts(plainZap, failed)).toEqual({});
    }
  });

  test('without an account, or with null there, is served', () => {
    const missing = zapWith('missing account', { account: undefined }, served());
    expect(verdicts(plainZap, missing)[MONEY]).toMatch(/^fail: .*missing account/);
    expect(verdicts(plainZap, missing)[OTHER]).toBeUndefined();
    const isNull = zapWith('mistyped account, null', { account: null }, served());
    expect(verdicts(plainZap, isNull)[MONEY]).toMatch(/^fail: .*mistyped account, null/);
  });

  test('with an account that is no address is served', () => {
    const taken = zapWith('malformed account, a name', { account: 'nobody' }, served());
    expect(verdicts(plainZap, taken)[OTHER]).toMatch(/^warn: .*malformed account/);
    expect(verdicts(plainZap, taken)[MONEY]).toBeUndefined();
  });

  test.each([
    ['mistyped amount, a number', { amount: 1_000_000 }],
    ['malformed amount, hex', { amount: '0xf4240' }],
    ['mistyped srcChainId, text', { srcChainId: '10' }],
    ['mistyped slippage, text', { slippage: '0.37' }],
  ])('%s: read as what it says', (defect, change) => {
    const answers = verdicts(plainZap, zapWith(defect, change, served()));
    expect(Object.keys(answers)).toEqual([MONEY, TYPES]);
    expect(answers[MONEY]).toBe('pass');
    expect(answers[TYPES]).toMatch(/^warn: .*read as what it says$/);
  });

  test.each([
    ['mistyped amount, a number', { amount: 1_000_000 }, route({ amount: '1000000000' })],
    ['malformed amount, hex', { amount: '0xf4240' }, route({ amount: '0' })],
    ['mistyped srcChainId, text', { srcChainId: '10' }, route({ chainId: 1 })],
    ['mistyped slippage, text', { slippage: '0.37' }, route({ minReturn: '4950000' })],
  ])('%s: read as something else', (defect, change, answered) => {
    const answers = verdicts(plainZap, zapWith(defect, change, { answered }));
    expect(answers[MONEY]).toMatch(/^fail: .*read as .* in place of /);
    expect(answers[TYPES]).toBeUndefined();
  });

  test('a source that is spent in several steps is divided otherwise each time', () => {
    const [half, rest] = ['200000', '800000'].map((amount) => route({ amount })) as unknown as [
      { data: { path: unknown[] } },
      { data: { path: unknown[] } },
    ];
    const path = [...half.data.path, ...rest.data.path];
    const answered = { ...half, data: { ...half.data, path } };
    const divided = zapWith('mistyped amount, a number', { amount: 1_000_000 }, { answered });
    expect(verdicts(plainZap, divided)[MONEY]).toBe('pass');
  });

  test('a market that moves makes no other reading', () => {
    const answered = route({ minReturn: '4981499' });
    const moved = zapWith('mistyped slippage, text', { slippage: '0.37' }, { answered });
    expect(verdicts(plainZap, moved)[MONEY]).toBe('pass');
    // Of what another field governs nothing is said.
    const other = route({ minReturn: '4900000' });
    const chain = zapWith('mistyped srcChainId, text', { srcChainId: '10' }, { answered: other });
    expect(verdicts(plainZap, chain)[MONEY]).toBe('pass');
  });

  test.each([
    ['malformed amount, leading zeros', { amount: '0001000000' }],
    ['malformed srcToken, white space around', { srcToken: ` ${SRC} ` }],
    ['mistyped amount, null', { amount: null }],
    ['mistyped integrator, text', { integrator: 'me' }],
    ['mistyped estimateGas, text', { estimateGas: 'true' }],
    ['unknown route', {}],
  ])('%s: nothing is said', (defect, change) => {
    expect(verdicts(plainZap, zapWith(defect, change, served()))).toEqual({});
  });

  test('several defects are reported in one finding', () => {
    const answers = verdicts(
      plainZap,
      zapWith('malformed slippage, below 0', { slippage: -1 }, served()),
      zapWith('malformed recipient, a name', { recipient: 'nobody' }, served()),
    );
    expect(answers[MONEY]).toContain('200 for malformed slippage, below 0 (-1), something taken');
    expect(answers[MONEY]).toContain('200 for malformed recipient, a name ("nobody"), something');
  });
});

describe('a trade', () => {
  test.each([
    ['missing refundee', { refundee: undefined }, 'money-fields-are-not-guessed: fail'],
    ['missing gasless', { gasless: undefined }, 'excluded-inputs-are-refused: warn'],
    ['mistyped data, an object', { data: trade.data[0] }, 'excluded-inputs-are-refused: warn'],
    ['mistyped gasless, text', { gasless: 'false' }, 'stated-types-are-asked-for: warn'],
    [
      'malformed data.recipient, a name',
      { data: [{ ...trade.data[0], recipient: 'nobody' }] },
      'money-fields-are-not-guessed: fail',
    ],
    [
      'mistyped data.slippage, text',
      { data: [{ ...trade.data[0], slippage: '0.37' }] },
      'stated-types-are-asked-for: warn',
    ],
  ])('with %s is served', (defect, change, verdict) => {
    const answers = verdicts(plainTrade, tradeWith(defect, change, served(built())));
    const [rule = '', is = ''] = verdict.split(': ');
    expect(answers[`trade.requests.${rule}`]?.startsWith(is)).toBe(true);
    expect(Object.values(answers).filter((text) => !text.startsWith('pass'))).toHaveLength(1);
  });

  test('a text is taken for its contrary', () => {
    const answered = built({ gasless: true });
    const answers = verdicts(
      plainTrade,
      tradeWith('mistyped gasless, text', { gasless: 'false' }, { answered }),
    );
    expect(answers['trade.requests.excluded-inputs-are-refused']).toMatch(/^warn: .*gasless true/);
  });

  test('a tolerance that is text is left aside', () => {
    const answered = built({ minDestAmount: '4950000' });
    const data = [{ ...trade.data[0], slippage: '0.37' }];
    const taken = tradeWith('mistyped data.slippage, text', { data }, { answered });
    const verdict = verdicts(plainTrade, taken)['trade.requests.money-fields-are-not-guessed'];
    expect(verdict).toContain('a guarantee of 99 % in place of 99.63 % of what is expected');
  });

  test('an entry without one of its fields is nobody’s mistake', () => {
    const data = [{ ...trade.data[0], recipient: null }];
    const taken = tradeWith('mistyped data.recipient, null', { data }, served(built()));
    expect(verdicts(plainTrade, taken)).toEqual({});
  });
});

describe('a list of pools', () => {
  const pools = (count: number): unknown => ({
    data: { pools: Array.from({ length: count }, () => ({})) },
  });
  const plain: WireSketch = { ...mark('plain'), path: '/v1/pools?limit=5', answered: pools(5) };
  const LISTINGS = 'zap.listings.excluded-inputs-are-refused';
  const list = (query: string, defect: string, answer: Partial<WireSketch>): WireSketch => ({
    ...{ ...mark('defect'), path: `/v1/pools?${query}` },
    ...{ purpose: { kind: 'invalid', defect }, ...answer },
  });

  test.each([
    ['limit=5&chainId=abc', 'mistyped chainId, text', 5],
    ['limit=abc', 'mistyped limit, text', 50],
    ['limit=-2', 'malformed limit, below 0', 48],
  ])('by %s leaves it aside', (query, defect, count) => {
    const taken = list(query, defect, { answered: pools(count) });
    expect(verdicts(plain, taken)[LISTINGS]).toMatch(/^warn/);
    expect(verdicts(plain, list(query, defect, refusal))).toEqual({ [LISTINGS]: 'pass' });
  });

  test.each([
    ['limit=5&chainId=abc', 'mistyped chainId, text', 0],
    ['limit=-2', 'malformed limit, below 0', 1],
    ['limit=5&chainId=1.5', 'mistyped chainId, a fraction', 5],
    ['limit=1e1', 'mistyped limit, an exponent', 10],
    ['limit=', 'mistyped limit, empty', 50],
    ['chainId=1,2', 'mistyped chainId, a list', 50],
  ])('by %s may be answered so', (query, defect, count) => {
    expect(verdicts(plain, list(query, defect, { answered: pools(count) }))).toEqual({});
  });
});

test('details of a pool without a chain', () => {
  const details = {
    method: 'POST',
    path: '/v1/pool/details',
    answered: { data: { a: 1 } },
  } as const;
  const poolAddress = SRC;
  const taken: WireSketch = {
    ...{ ...details, ...mark('defect'), sent: { poolAddress } },
    purpose: { kind: 'invalid', defect: 'missing chainId' },
  };
  expect(verdicts(taken)['zap.pool-details.pool-is-not-guessed']).toMatch(/^fail/);
  expect(verdicts({ ...taken, answered: { data: null } })).toEqual({});
  expect(verdicts({ ...taken, answered: { data: {} } })).toEqual({});
});
