import { describe, expect, test } from 'vitest';
import { loadCases } from '../../../../../fixtures/service/cases/load-cases.ts';
import { NATIVE_TOKEN } from '../../../../wire/addresses.ts';
import { foundBy } from '../../../../judging/verdicts.testkit.ts';

const QUOTE = { method: 'POST', path: '/v1/quote' } as const;
const BUILD = { method: 'POST', path: '/v1/buildTx' } as const;

/** The body of the first mocked case of an operation, with other members of `data`. */
async function cleanWith(operation: string, data: object): Promise<object> {
  const [clean] = (await loadCases()).filter((one) => one.operation === operation);
  if (clean?.exchange.outcome.kind !== 'response') throw new Error('no clean case');
  const body = JSON.parse(clean.exchange.outcome.response.body.text) as { data: object };
  return { ...body, data: { ...body.data, ...data } };
}

describe('approvalData if the source is the native token', () => {
  const rule = 'zap.quote.response-shape';

  test.each([
    ['missing', undefined],
    ['null', null],
    ['an empty object', {}],
    ['empty fields', { callTo: '', approveTo: '', amount: '' }],
  ])('%s is right', async (_, approvalData) => {
    const answered = await cleanWith('zap.quote', { approvalData });
    const native = { sent: { srcToken: NATIVE_TOKEN }, answered };
    const spelled = { sent: { srcToken: NATIVE_TOKEN.toLowerCase() }, answered };
    for (const sketch of [native, spelled]) {
      expect(foundBy(rule, QUOTE, sketch)).toEqual(['pass']);
      expect(foundBy('zap.values.address', QUOTE, sketch)).toEqual(['pass']);
    }
  });

  test('of another token it is missed', async () => {
    const answered = await cleanWith('zap.quote', { approvalData: undefined });
    const sent = { srcToken: '0x1000000000000000000000000000000000000001' };
    expect(foundBy(rule, QUOTE, { sent, answered })).toEqual(['fail', '/data/approvalData']);
  });
});

describe('zap.quote.no-steps', () => {
  test.each<[unknown, string]>([
    [undefined, 'pass'],
    [null, 'pass'],
    [[], 'fail'],
    [[{ action: 'execute' }], 'fail'],
    [{}, 'fail'],
  ])('steps %j: %s', (steps, verdict) => {
    const answered = { data: { steps } };
    expect(foundBy('zap.quote.no-steps', QUOTE, { answered })[0]).toBe(verdict);
  });

  test('says nothing of an answer without data', () => {
    expect(foundBy('zap.quote.no-steps', QUOTE, { answered: [] })[0]).toBe('not-reached');
  });
});

describe('zap.build-tx.steps-present', () => {
  test.each<[unknown, string]>([
    [[{}], 'pass'],
    [[], 'fail'],
    [null, 'fail'],
    [undefined, 'fail'],
    [{ 0: {} }, 'fail'],
  ])('steps %j: %s', (steps, verdict) => {
    const answered = { data: { steps } };
    expect(foundBy('zap.build-tx.steps-present', BUILD, { answered })[0]).toBe(verdict);
  });
});

describe('zap.path.min-return-within-amount', () => {
  const rule = 'zap.path.min-return-within-amount';
  const at = (list: string, entry: object): { answered: object } => ({
    answered: { data: { path: [{ input: [], output: [], dust: [], [list]: [entry] }] } },
  });

  test.each([
    ['equal', { amount: '5', minReturn: '5' }, 'pass'],
    ['one above', { amount: '5', minReturn: '6' }, 'fail'],
    ['none promised', { amount: '5', minReturn: '0' }, 'pass'],
    // As numbers both would be 2^53, and as text the first is the larger.
    [
      'beyond what numbers hold',
      { amount: '9007199254740992', minReturn: '9007199254740993' },
      'fail',
    ],
    ['more digits', { amount: '9', minReturn: '10' }, 'fail'],
    ['no amounts of base units', { amount: '1.5', minReturn: '2.5' }, undefined],
  ])('%s', (_, entry, verdict) => {
    for (const list of ['output', 'dust']) {
      const [found, pointer] = foundBy(rule, QUOTE, at(list, entry));
      if (verdict === undefined) expect(found).not.toBe('fail');
      else expect(found).toBe(verdict);
      if (verdict === 'fail') expect(pointer).toBe(`/data/path/0/${list}/0/minReturn`);
    }
  });

  test('without any minReturn it is not reached', () => {
    expect(foundBy(rule, QUOTE, at('output', { amount: '5' }))[0]).toBe('not-reached');
    expect(foundBy(rule, QUOTE, { answered: { data: {} } })[0]).toBe('not-reached');
  });
});
