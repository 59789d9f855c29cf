/** Long because all rules are tried on one build of which something is changed. */

import { expect, test } from 'vitest';
import { exchangeOf } from '../../../judging/exchange.testkit.ts';
import type { RuleResult } from '../../../judging/judge.ts';
import { judge } from '../../../judging/judge.ts';
import { loadContract } from '../../load-contract.ts';
import { RULES } from '../../registry.ts';
import type { Exchange, HeaderList, Purpose } from '../../../wire/exchange.ts';
import { NATIVE_TOKEN } from '../../../wire/addresses.ts';

const contract = await loadContract();

const [A, B, C] = ['a', 'b', 'c'].map((digit) => `0x${digit.repeat(40)}`) as [
  string,
  string,
  string,
];
const WALLET = `0x${'1'.repeat(40)}`;

type Fields = Readonly<Record<string, unknown>>;

function entry(fields: Fields = {}): Fields {
  return { amount: '1000', srcToken: A, destToken: B, slippage: 1, toChain: 1, ...fields };
}

function request(fields: Fields = {}): Fields {
  const [sender, refundee] = [WALLET, WALLET];
  const data = [entry()];
  return { fromChain: 1, sender, refundee, gasless: false, data, ...fields };
}

function summary(fields: Fields = {}): Fields {
  return { provider: 'p', destAmount: '1000', minDestAmount: '990', ...fields };
}

function response(fields: Fields = {}, transaction: Fields = {}): Fields {
  return {
    status: 'success',
    txId: '0xab',
    chainId: 1,
    gasless: false,
    transaction: {
      data: '0xabcd',
      to: A,
      from: WALLET,
      value: '0',
      gasLimit: '90000',
      ...transaction,
    },
    quotes: { [`1_${A}-1_${B}`]: summary() },
    ...fields,
  };
}

interface Sketch {
  readonly status?: number;
  readonly purpose?: Purpose;
  readonly sentHeaders?: HeaderList;
}

let count = 0;

function build(sent: Fields, answered: unknown, sketch: Sketch = {}): Exchange {
  count += 1;
  const { sentHeaders = [], ...rest } = sketch;
  const exchange = exchangeOf({
    ...rest,
    id: `x${count}`,
    api: 'trade',
    method: 'POST',
    path: '/v1/buildTx',
    sent,
    answered,
  });
  return { ...exchange, request: { ...exchange.request, headers: sentHeaders } };
}

function resultOf(id: string, ...exchanges: readonly Exchange[]): RuleResult {
  const [result] = judge(
    RULES.filter((rule) => rule.id === id),
    contract,
    exchanges,
  );
  if (result === undefined) throw new Error(`there is no rule ${id}`);
  return result;
}

/** `held`, `broken` or `nothing`. */
function outcome(id: string, ...exchanges: readonly Exchange[]): string {
  const { evidence, findings } = resultOf(id, ...exchanges);
  return evidence === 0 ? 'nothing' : findings.length > 0 ? 'broken' : 'held';
}

function judged(id: string, sent: Fields, answered: unknown, sketch: Sketch = {}): string {
  return outcome(id, build(sent, answered, sketch));
}

test('pair keys are those of the request in any letter case, and no others', () => {
  const id = 'trade.build-tx.pair-keys';
  const keyed = (key: string): Fields => response({ quotes: { [key]: summary() } });
  expect(judged(id, request(), response())).toBe('held');
  expect(judged(id, request(), keyed(`1_0x${'A'.repeat(40)}-1_${B}`))).toBe('held');
  expect(judged(id, request(), keyed(`1:${A}-1:${B}`))).toBe('broken');
  expect(judged(id, request(), keyed(`1_${B}-1_${A}`))).toBe('broken');
  expect(judged(id, request(), keyed(`1_${A}-10_${B}`))).toBe('broken');
  expect(judged(id, request(), response({ quotes: {} }))).toBe('broken');
  expect(judged(id, request({ data: [entry({ toChain: undefined })] }), response())).toBe(
    'nothing',
  );
  expect(judged(id, request(), response({ quotes: [] }))).toBe('nothing');
});

test('a batch has one quote for each pair', () => {
  const id = 'trade.build-tx.one-quote-per-pair';
  const batch = request({ data: [entry(), entry({ destToken: C })] });
  const both = { [`1_${A}-1_${B}`]: summary(), [`1_${A}-1_${C}`]: summary() };
  const first = { [`1_${A}-1_${B}`]: summary() };
  const again = { ...both, [`1_0x${'A'.repeat(40)}-1_${B}`]: summary() };
  expect(judged(id, batch, response({ quotes: both }))).toBe('held');
  expect(judged(id, batch, response({ quotes: first }))).toBe('broken');
  expect(judged(id, batch, response({ quotes: {} }))).toBe('broken');
  expect(judged(id, batch, response({ quotes: again }))).toBe('broken');
  expect(judged(id, request(), response())).toBe('nothing');
  // A key of no entry is the business of the rule on keys.
  expect(judged(id, batch, response({ quotes: { 'a:b': summary() } }))).toBe('nothing');
  // One pair asked for twice has one place in the map.
  expect(judged(id, request({ data: [entry(), entry()] }), response())).toBe('nothing');
});

test('gasless and chain are as asked', () => {
  const [gasless, chain] = ['trade.build-tx.gasless-as-asked', 'trade.build-tx.chain-as-asked'];
  // A service that says the same of every build is right of one kind of them.
  expect(judged(gasless, request(), response())).toBe('nothing');
  const [plain, solved] = [
    build(request(), response()),
    build(request({ gasless: true }), response({ gasless: true })),
  ];
  expect(outcome(gasless, plain, solved)).toBe('held');
  expect(judged(gasless, request({ gasless: true }), response())).toBe('broken');
  expect(judged(gasless, request(), response({ gasless: true }))).toBe('broken');
  expect(judged(gasless, request(), response({ gasless: 'no' }))).toBe('nothing');
  expect(judged(chain, request(), response())).toBe('nothing');
  const far = build(request({ fromChain: 10 }), response({ chainId: 10 }));
  expect(outcome(chain, plain, far)).toBe('held');
  expect(judged(chain, request({ fromChain: 10 }), response())).toBe('broken');
  expect(judged(chain, request(), response({ chainId: '1' }))).toBe('nothing');
});

test('a txId names one build, and its replay', () => {
  const id = 'trade.build-tx.unique-tx-id';
  const other = request({ sender: B });
  const more = request({ data: [entry({ amount: '2000' })] });
  const keyed = { sentHeaders: [['Idempotency-Key', 'k']] as const };
  const answer = response();
  expect(outcome(id, build(request(), answer), build(other, response({ txId: '0xac' })))).toBe(
    'held',
  );
  // Of one request asked for twice the id may be the same, or another.
  expect(outcome(id, build(request(), answer), build(request(), answer))).toBe('nothing');
  expect(outcome(id, build(request(), answer), build(other, answer))).toBe('broken');
  expect(outcome(id, build(request(), answer), build(more, answer))).toBe('broken');
  expect(outcome(id, build(request(), answer), build(other, answer, keyed))).toBe('broken');
  expect(outcome(id, build(request(), answer, keyed), build(other, answer, keyed))).toBe('nothing');
});

test('a transaction that is not gasless has its five fields', () => {
  const id = 'trade.transaction.evm-fields';
  expect(judged(id, request(), response())).toBe('held');
  for (const field of ['data', 'to', 'from', 'value', 'gasLimit']) {
    expect(judged(id, request(), response({}, { [field]: undefined }))).toBe('broken');
    expect(
      judged('trade.build-tx.response-shape', request(), response({}, { [field]: undefined })),
    ).toBe('held');
  }
  expect(judged(id, request(), response({}, { gasLimit: 90_000 }))).toBe('broken');
  expect(judged(id, request(), response({ gasless: true, transaction: {} }))).toBe('nothing');
  expect(judged(id, request(), response({ transaction: undefined }))).toBe('nothing');
});

test('a transaction is from its sender, has gas enough and carries what is native', () => {
  const [from, gas, native] = ['from-sender', 'gas-limit-suffices', 'carries-native'].map(
    (name) => `trade.transaction.${name}`,
  ) as [string, string, string];
  expect(
    judged(
      from,
      request({ sender: A.toUpperCase().replace('0X', '0x') }),
      response({}, { from: A }),
    ),
  ).toBe('held');
  expect(judged(from, request(), response({}, { from: B }))).toBe('broken');
  expect(judged(from, request(), response({}, { from: 'me' }))).toBe('nothing');

  expect(judged(gas, request(), response({}, { gasLimit: '21008' }))).toBe('held');
  expect(judged(gas, request(), response({}, { gasLimit: '21007' }))).toBe('broken');
  expect(judged(gas, request(), response({}, { gasLimit: '0x5208' }))).toBe('broken');
  expect(judged(gas, request(), response({}, { gasLimit: '0' }))).toBe('nothing');
  expect(judged(gas, request({ disableEstimation: true }), response({}, { gasLimit: '1' }))).toBe(
    'nothing',
  );
  expect(judged(gas, request(), response({}, { data: 'abc' }))).toBe('nothing');

  const spends = request({ data: [entry({ srcToken: NATIVE_TOKEN.toLowerCase() })] });
  expect(judged(native, spends, response({}, { value: '1000' }))).toBe('held');
  expect(judged(native, spends, response({}, { value: '0x3e9' }))).toBe('held');
  expect(judged(native, spends, response({}, { value: '999' }))).toBe('broken');
  expect(judged(native, request(), response())).toBe('nothing');
  expect(judged(native, spends, response({ gasless: true }))).toBe('nothing');
});

test('a guarantee is within the amount, and honours the slippage of its entry', () => {
  const [within, honours] = ['min-within-dest-amount', 'min-honours-slippage'].map(
    (name) => `trade.summary.${name}`,
  ) as [string, string];
  const quoted = (...amounts: readonly [string, string]): Fields =>
    response({
      quotes: {
        [`1_${A}-1_${B}`]: { provider: 'p', destAmount: amounts[0], minDestAmount: amounts[1] },
      },
    });
  expect(judged(within, request(), quoted('1000', '990'))).toBe('held');
  // If both are one, a service that has them in each other's place answers the same.
  expect(judged(within, request(), quoted('1000', '1000'))).toBe('nothing');
  expect(judged(within, request(), quoted('1000', '1001'))).toBe('broken');
  // Exact if floating point is not.
  expect(judged(within, request(), quoted('9007199254740992', '9007199254740993'))).toBe('broken');
  expect(judged(within, request(), quoted('1000', '99.5'))).toBe('nothing');
  expect(judged(honours, request(), quoted('1000', '989'))).toBe('held');
  expect(judged(honours, request(), quoted('1000', '988'))).toBe('broken');
  expect(judged(honours, request(), quoted('1000', '1000'))).toBe('held');
  const unsaid = request({ data: [entry({ slippage: undefined })] });
  expect(judged(honours, unsaid, quoted('1000', '1'))).toBe('nothing');
  // Of one pair asked for twice it is not known whose slippage it is.
  const twice = request({ data: [entry(), entry({ slippage: 50 })] });
  expect(judged(honours, twice, quoted('1000', '600'))).toBe('nothing');
});

test('nobody is refused for lack of a key', () => {
  const id = 'trade.auth.key-is-optional';
  const refused = (code: string): Fields => ({ status: 1, code, message: 'm', requestId: 'r' });
  const authorization = { sentHeaders: [['Authorization', 'Bearer k']] as const };
  expect(judged(id, request(), response())).toBe('held');
  // It may be so before anybody looks for a key.
  expect(judged(id, request(), refused('NO_ROUTE_FOUND'), { status: 404 })).toBe('nothing');
  expect(judged(id, request(), refused('UNAUTHORIZED'), { status: 401 })).toBe('broken');
  expect(judged(id, request(), refused('FORBIDDEN'), { status: 403 })).toBe('broken');
  // Blocked for something else than a credential.
  expect(judged(id, request(), refused('SANCTIONED'), { status: 403 })).toBe('nothing');
  expect(judged(id, request(), refused('UNAUTHORIZED'), { status: 401, ...authorization })).toBe(
    'nothing',
  );
  const purpose = { kind: 'invalid', defect: 'unknown bearer' } as const;
  expect(judged(id, request(), refused('UNAUTHORIZED'), { status: 401, purpose })).toBe('nothing');
});
