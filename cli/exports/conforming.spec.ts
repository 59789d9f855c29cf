import { describe, expect, test } from 'vitest';
import {
  contractOf as contractWith,
  success,
} from '../../contracts/document/contract-of.testkit.ts';
import { exchangeOf as recorded } from '../../contracts/judging/exchange.testkit.ts';
import { exchangeRule } from '../../contracts/judging/rule.ts';
import { conforming } from './conforming.ts';
import { exchangeOf } from './exchange-of.ts';
import { judgeExchanges } from './index.ts';
import { contractOf } from './judge-exchanges.ts';
import { referenceFetch } from './reference.ts';
import { requestOf } from './request-given.ts';
import { matchers } from './vitest.ts';

expect.extend(matchers);

const ZAP = 'http://zap.example';
const MIN_RETURN = 'zap.path.min-return-within-amount';

/** A quote of the reference service for tokens that it lists. */
async function quoted(
  fault?: string,
): Promise<{ sent: Record<string, unknown>; answer: Response }> {
  const service = referenceFetch(fault === undefined ? {} : { fault });
  const listed = await service(`${ZAP}/v1/pools?chainId=1&limit=1`);
  const { data } = (await listed.json()) as { data: { pools: { tokens: string[] }[] } };
  const [srcToken, destToken] = data.pools[0]?.tokens ?? [];
  const account = '0x1000000000000000000000000000000000000001';
  const chains = { srcChainId: 1, destChainId: 1 };
  const amounts = { slippage: 1, amount: '1000000000000000000' };
  const sent = { srcToken, destToken, ...chains, ...amounts, account, recipient: account };
  const headers = { 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body: JSON.stringify(sent) };
  return { sent, answer: await service(`${ZAP}/v1/quote`, init) };
}

describe('what is taken for an answer', () => {
  test('a response, which can still be read', async () => {
    const { sent, answer } = await quoted();
    await expect(answer).toConform({ operation: 'zap.quote', request: sent });
    expect(await answer.json()).toHaveProperty('data');
  });

  test('no response that was read already', async () => {
    const { sent, answer } = await quoted();
    await answer.text();
    const request = { operation: 'zap.quote', request: sent };
    await expect(conforming(answer, request)).rejects.toThrow('was read already');
  });

  test('a mocked answer, and the JSON of a success', async () => {
    const { sent, answer } = await quoted('zap-min-return-added');
    const body: unknown = await answer.json();
    const asked = { operation: 'zap.quote', request: sent };
    for (const given of [body, { status: 200, body }, { status: 200, headers: {}, body }]) {
      const { conforms, message } = await conforming(given, asked);
      expect(conforms).toBe(false);
      expect(message).toContain(MIN_RETURN);
    }
  });

  test('a text that is no JSON, as it is', async () => {
    const given = { status: 200, headers: { 'Content-Type': 'text/html' }, body: '<html>' };
    await expect(given).not.toConform({ operation: 'zap.chains' });
  });

  test('an exchange, by itself', async () => {
    const service = referenceFetch();
    const answered: unknown = await (await service(`${ZAP}/v1/config/chains`)).json();
    await expect(recorded({ answered })).toConform();
    await expect(recorded({ answered: { status: 'success', data: [] } })).not.toConform();
  });

  test('nothing that has no JSON', async () => {
    await expect(conforming(() => 1, { operation: 'zap.chains' })).rejects.toThrow(
      'function is no answer',
    );
  });
});

describe('what is taken for a request', () => {
  test.each([
    ['its path', '/v1/pools?chainId=1&limit=1'],
    ['its URL, whatever stands before the path', 'https://gate.example/zap/v1/pools?limit=1'],
    ['a URL', new URL(`${ZAP}/v1/pools?limit=1`)],
    ['a Request', new Request(`${ZAP}/v1/pools?limit=1`)],
    ['a written one', { method: 'get', path: '/v1/pools?limit=1' }],
  ])('%s', async (_, request) => {
    const { operationId, exchange } = await made({ request });
    expect(operationId).toBe('zap.pools');
    expect(exchange.request.path).toMatch(/^\/v1\/pools\?/);
    expect(exchange.request.method).toBe('GET');
  });

  test('the JSON that was sent, by the method of the operation', async () => {
    const { exchange } = await made({ operation: 'zap.quote', request: { slippage: 1 } });
    expect(exchange.request).toMatchObject({
      ...{ method: 'POST', path: '/v1/quote' },
      body: { encoding: 'utf8', text: '{"slippage":1}' },
    });
  });

  test('the body of a Request', async () => {
    const request = new Request(`${ZAP}/v1/quote`, { method: 'POST', body: '{"slippage":1}' });
    const { exchange } = await made({ request });
    expect(exchange.request.body?.text).toBe('{"slippage":1}');
  });

  test.each([
    ['an operation that there is not', { operation: 'zap.qoute' }, 'Did you mean zap.quote?'],
    ['nothing', {}, 'nothing says what was asked'],
    ['a request of none', { request: '/v2/quote' }, 'GET /v2/quote addresses no operation'],
    [
      'a request of another',
      { operation: 'zap.quote', request: '/v1/pools' },
      'addresses not zap.quote, which is POST /v1/quote',
    ],
  ])('not %s', async (_, asked, message) => {
    await expect(exchangeOf({ status: 200, body: {} }, asked)).rejects.toThrow(message);
  });
});

test('a path with parameters is not guessed', async () => {
  const contract = await contractWith({
    '/runs/{id}': { get: { operationId: 'run', responses: success({ type: 'object' }) } },
  });
  await expect(requestOf(undefined, 'ai.run', contract)).rejects.toThrow('asked by /runs/{id}');
  const { request } = await requestOf('/runs/7', 'ai.run', contract);
  expect(request.path).toBe('/runs/7');
});

describe('what is said', () => {
  test('every broken rule, with what it protects and where it is broken', async () => {
    const { sent, answer } = await quoted('zap-min-return-added');
    const asked = { operation: 'zap.quote', request: sent };
    const error: unknown = await expect(answer)
      .toConform(asked)
      .catch((thrown: unknown) => thrown);
    expect(String(error)).toMatch(
      /to zap\.quote \(POST \/v1\/quote\) to conform, and it breaks 1 rule:\n\nzap\.path\.min-return-within-amount \(must, card\): The guaranteed .*\n {2}at \/data\/path\/0\/output\/0\/minReturn\n {4}expected: at most .*\n {4}actual: {3}\d+/,
    );
  });

  test('no control of a terminal, whatever was answered', async () => {
    const body = { status: 'success', data: { '1': { chainId: '\u001b[31m' } } };
    const { message } = await conforming(body, { operation: 'zap.chains' });
    // eslint-disable-next-line no-control-regex
    expect(message).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
  });

  test('that no rule speaks of an answer, which is neither yes nor no', async () => {
    const rule = exchangeRule({ ...ABOUT_LENGTH, answer: 'error' });
    for (const matching of [expect(SHORT), expect(SHORT).not]) {
      await expect(matching.toConform({ ...CHAINS, rules: [rule] })).rejects.toThrow(
        'shows nothing',
      );
    }
  });

  test('a rule of level should, if that is asked for alone', async () => {
    const rules = [exchangeRule({ ...ABOUT_LENGTH, level: 'should' })];
    await expect(SHORT).toConform({ ...CHAINS, rules });
    await expect(SHORT).not.toConform({ ...CHAINS, rules, failOn: 'should' });
  });

  test('a rule that throws', async () => {
    const judge = (): never => {
      throw new Error('no such member');
    };
    const rules = [exchangeRule({ ...ABOUT_LENGTH, judge })];
    await expect(conforming(SHORT, { ...CHAINS, rules })).rejects.toThrow(
      'by ours.length failed: no such member',
    );
  });
});

test('exchanges are judged by rules of any kind, each with its verdict', async () => {
  const exchanges = [await exchangeOf(SHORT, CHAINS)];
  const [own] = await judgeExchanges([exchangeRule(ABOUT_LENGTH)], exchanges);
  expect(own).toMatchObject({ verdict: 'fail', evidence: 1 });
  const all = await judgeExchanges('all', exchanges);
  expect(all.find(({ rule }) => rule.id === MIN_RETURN)?.verdict).toBe('not-reached');
  expect(all.find(({ rule }) => rule.id === 'zap.chains.response-shape')?.verdict).toBe('fail');
});

test('a waiver accepts a broken rule until its day', async () => {
  const exchanges = [await exchangeOf(SHORT, CHAINS)];
  const waiver = { rule: 'ours.length', reason: 'known', owner: 'me', expires: '2026-01-31' };
  const verdictOn = async (today: string): Promise<unknown> => {
    const options = { waivers: [waiver], today };
    return (await judgeExchanges([exchangeRule(ABOUT_LENGTH)], exchanges, options))[0]?.verdict;
  };
  expect([await verdictOn('2026-01-31'), await verdictOn('2026-02-01')]).toEqual([
    'waived',
    'fail',
  ]);
});

const CHAINS = { operation: 'zap.chains' };
const SHORT = { status: 200, body: {} };
const ABOUT_LENGTH: Parameters<typeof exchangeRule>[0] = {
  ...{ id: 'ours.length', level: 'must', source: 'our own', protects: 'Answers say something.' },
  ...{ api: 'zap', operations: '*', answer: 'success', leastEvidence: 1 },
  judge: ({ text }) =>
    text.length > 2 ? [] : [{ pointer: '', expected: 'more than {}', actual: text }],
};

async function made(
  asked: Parameters<typeof exchangeOf>[1],
): Promise<{ operationId: string | undefined; exchange: Awaited<ReturnType<typeof exchangeOf>> }> {
  const exchange = await exchangeOf({ status: 200, body: {} }, asked);
  const { api, request } = exchange;
  const operation = (await contractOf()).find(api, request.method, request.path);
  return { operationId: operation?.id, exchange };
}
