import { describe, expect, test } from 'vitest';
import { BATCH_CODE, batchOf, batchResults } from './batch.ts';
import { planOf } from './plan.ts';
import { batchRequest, sentForm, simulateRequest, simulationIn } from './requests.ts';
import { ACCOUNT, BUILD } from './simulation.testkit.ts';
import { quantityOf, wordOfNumber } from './words.ts';

const plan = planOf(BUILD, 'strict');
const REQUEST = { id: 7, ...simulateRequest(BUILD, plan, {}, { block: '0x10', spareCoins: 1n }) };
const ONE = `0x${wordOfNumber(1n)}`;
const calls = plan.calls.map(() => ({ status: '0x1', returnData: ONE, gasUsed: '0x5', logs: [] }));

describe('what is sent', () => {
  test('has each call with its own gas, and the account with native coins', () => {
    const [{ blockStateCalls }] = REQUEST.params as [
      { blockStateCalls: [Record<string, unknown>] },
    ];
    const [state] = blockStateCalls;
    expect(state.calls).toHaveLength(plan.calls.length);
    expect(state.calls).toContainEqual({
      ...{ from: ACCOUNT, to: BUILD.call.to, data: BUILD.call.data },
      ...{ value: '0x0', gas: quantityOf(200_000n) },
    });
    expect(state.stateOverrides).toHaveProperty(ACCOUNT);
    expect(REQUEST.params[1]).toBe('0x10');
  });

  test('is one call of the account to itself if there is no eth_simulateV1', () => {
    const { method, params } = batchRequest(BUILD, plan, {}, { block: '0x10', spareCoins: 1n });
    expect(method).toBe('eth_call');
    expect(params[0]).toStrictEqual({ from: ACCOUNT, to: ACCOUNT, data: batchOf(plan.calls) });
    expect(params[2]).toHaveProperty([ACCOUNT, 'code'], BATCH_CODE);
  });
});

describe('what a node answered', () => {
  const answered = (answer: Record<string, unknown>): ReturnType<typeof simulationIn> =>
    simulationIn(REQUEST, { id: 7, ...answer });

  test.each(['0x10', '0x11'])('may be of block %s', (number) => {
    expect(answered({ result: [{ calls, number }] })).not.toBeNull();
  });

  test('is read beside what was sent', () => {
    const simulation = answered({ result: [{ calls }] });
    expect(simulation?.sent).toBe(sentForm('simulate', ACCOUNT, plan));
    expect(simulation?.results).toHaveLength(plan.calls.length);
    expect(simulation?.results[0]).toMatchObject({ succeeded: true, word: 1n, gas: 5n });
  });

  test('has the gas before refunds', () => {
    const one = { ...calls[0], maxUsedGas: '0x9' };
    const simulation = answered({ result: [{ calls: [one, ...calls.slice(1)] }] });
    expect(simulation?.results[0]).toMatchObject({ gas: 9n });
  });

  const ofText = (text: string): string => {
    const digits = Buffer.from(text).toString('hex');
    return `0x08c379a0${wordOfNumber(32n)}${wordOfNumber(BigInt(digits.length / 2))}${digits.padEnd(64, '0')}`;
  };

  test.each([
    [
      'data of the error',
      { error: { message: 'reverted', data: ofText('frozen') } },
      'reverted: frozen',
    ],
    [
      'what was returned',
      { error: { message: 'failed' }, returnData: ofText('KYC') },
      'failed: KYC',
    ],
    [
      'a message that has it',
      { error: { message: 'reverted: frozen', data: ofText('frozen') } },
      'reverted: frozen',
    ],
    ['no message', { returnData: `0x4e487b71${wordOfNumber(0x11n)}` }, 'panic 0x11'],
    ['an error of its own', { returnData: `0xDEADBEEF${wordOfNumber(1n)}` }, 'error 0xdeadbeef'],
    ['control characters', { returnData: ofText('a\u001b[31m\u202eb') }, 'a [31m b'],
    ['much', { returnData: ofText('x'.repeat(5_000)) }, 'x'.repeat(120)],
    [
      'a length beyond its data',
      { returnData: `0x08c379a0${wordOfNumber(32n)}${'f'.repeat(64)}` },
      undefined,
    ],
    ['nothing', { returnData: '0x' }, undefined],
  ])('says why a call failed: %s', (_, call, why) => {
    const one = { ...calls[0], status: '0x0', returnData: '0x', ...call };
    const simulation = answered({ result: [{ calls: [one, ...calls.slice(1)] }] });
    expect(simulation?.results[0]?.why).toBe(why);
  });

  test.each([
    [{ code: -38_013, message: 'no' }],
    [{ code: -32_000, message: 'intrinsic gas too high -- GasFloorMoreThanGasLimit' }],
    [{ code: -32_000, message: 'insufficient gas for floor data gas cost' }],
  ])('may be that a call has less gas than its bytes take: %j', (error) => {
    expect(answered({ error })?.results).toStrictEqual([]);
  });

  test.each<[string, Record<string, unknown>]>([
    ['another id', { id: 8, result: [{ calls }] }],
    ['an error', { error: { code: -32_000, message: 'busy' } }],
    ['too few calls', { result: [{ calls: calls.slice(1) }] }],
    ['no calls', { result: [{ calls: [] }] }],
    ['no status', { result: [{ calls: calls.map(() => ({ returnData: ONE })) }] }],
    [
      'a status that is none',
      { result: [{ calls: calls.map((one) => ({ ...one, status: '0x2' })) }] },
    ],
    ['of a later block', { result: [{ calls, number: '0x12' }] }],
    ['of an earlier block', { result: [{ calls, number: '0xf' }] }],
    ['null', { result: null }],
    ['a text', { result: 'ok' }],
    ['a list of lists', { result: [[[]]] }],
  ])('says nothing if it is %s', (_, answer) => {
    expect(answered(answer)).toBeNull();
  });
});

test('a batch that returned nothing says nothing', () => {
  const request = { id: 7, ...batchRequest(BUILD, plan, {}, { block: '0x10', spareCoins: 1n }) };
  expect(simulationIn(request, { id: 7, result: '0x' })).toBeNull();
});

describe('results of a batch', () => {
  test('are a flag and a word each', () => {
    const data = `0x${wordOfNumber(1n)}${wordOfNumber(5n)}${wordOfNumber(0n)}${wordOfNumber(0n)}`;
    expect(batchResults(data, 2)).toStrictEqual([
      { succeeded: true, word: 5n },
      { succeeded: false, word: 0n },
    ]);
  });

  test.each([
    ['0x', 1],
    [`0x${wordOfNumber(2n)}${wordOfNumber(5n)}`, 1],
    [`0x${wordOfNumber(1n)}${wordOfNumber(5n)}`, 2],
    [`0x${'z'.repeat(128)}`, 1],
    [null, 1],
  ])('are none in %s for %s', (data, count) => {
    expect(batchResults(data, count)).toBeUndefined();
  });
});
