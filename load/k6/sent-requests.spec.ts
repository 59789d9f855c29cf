import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { exchangeIn, headersToSend, withoutSecrets } from './exchange.ts';
import { withOwnKey } from './fresh-key.ts';
import { choiceOf, isInShare, packedChoices, scenarioName, stepOfScenario } from './plan.ts';
import type { PlannedRequest } from './plan.ts';

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

test('the choice of each slot is found again, and none beyond the last', () => {
  const choose = (slot: number): number => (slot * 7919) % 46_656;
  const packed = packedChoices(1000, choose);
  for (let slot = 0; slot < 1000; slot += 1) expect(choiceOf(packed, slot)).toBe(choose(slot));
  expect(choiceOf(packed, 1000)).toBeNaN();
  expect(choiceOf(packed, 5000)).toBeNaN();
  expect(stepOfScenario(scenarioName(12))).toBe(12);
});

test('a share is spread evenly over slots, and the parts of a run', () => {
  for (const share of [0, 0.01, 0.3, 1]) {
    for (const stride of [1, 2, 4, 7]) {
      const own = Array.from({ length: 20_000 }, (_, at) => at * stride);
      const judged = own.filter((slot) => isInShare(slot, share)).length;
      expect(Math.abs(judged - 20_000 * share)).toBeLessThanOrEqual(200);
    }
  }
});

test('secrets are filled in when sent, and taken out of what is handed out', () => {
  const env = { ASSAY_TRADE_KEY: 'sk-1234', OTHER: 'x' };
  const headers = [
    { name: 'Accept', value: '$5 off' },
    { name: 'Authorization', value: 'Bearer $ASSAY_TRADE_KEY', secret: 'ASSAY_TRADE_KEY' },
    { name: 'X-A', value: '1' },
    { name: 'X-A', value: '2' },
  ];
  expect(headersToSend(headers, env)).toEqual({
    Accept: '$5 off',
    Authorization: 'Bearer sk-1234',
    'X-A': '1, 2',
  });
  expect(() => headersToSend(headers, {})).toThrow(/ASSAY_TRADE_KEY is not set/);
  expect(
    withoutSecrets(
      '{"said":"sk-1234"}',
      [...headers, { name: 'X-B', value: '$NONE', secret: 'NONE' }],
      env,
    ),
  ).toBe('{"said":"$ASSAY_TRADE_KEY"}');
});

test('each slot has an Idempotency-Key of its own, in the form that was prepared', () => {
  const key = '0f8fad5b-d9cb-469f-a165-70867728950e';
  const keyOf = (about: string, value = key): string | undefined =>
    withOwnKey([{ name: 'idempotency-key', value }], about, digest)[0]?.value;
  const keys = Array.from({ length: 200 }, (_, slot) => keyOf(`run\n${slot}`));
  expect(new Set(keys).size).toBe(200);
  for (const one of keys) {
    expect(one).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
  }
  expect(keyOf('run\n1')).toBe(keys[1]);
  expect(keyOf('run\n1', 'short')).toBe('short');
  const long = 'f'.repeat(200);
  expect(keyOf('run\n1', long)).toMatch(/^[0-9a-f]{200}$/);
  const others = [{ name: 'Accept', value: key }];
  expect(withOwnKey(others, 'run\n1', digest)).toBe(others);
});

test('an exchange says what was sent, with names in place of secrets', () => {
  const sent: PlannedRequest = {
    operation: 'trade.build-tx',
    api: 'trade',
    method: 'POST',
    url: 'http://trade.invalid/v1/buildTx',
    path: '/v1/buildTx',
    headers: [
      { name: 'Authorization', value: 'Bearer $ASSAY_TRADE_KEY', secret: 'ASSAY_TRADE_KEY' },
    ],
    body: '{}',
    purpose: { kind: 'valid' },
  };
  const headers = { 'Content-Type': 'application/json, text/html', 'X-A': '1, 2' };
  const exchange = exchangeIn(
    'k1',
    sent,
    { status: 200, headers, body: null, timings: { duration: 5 } },
    7,
  );
  expect(exchange).toEqual({
    id: 'k1',
    api: 'trade',
    purpose: { kind: 'valid' },
    relations: [],
    request: {
      method: 'POST',
      url: sent.url,
      path: sent.path,
      headers: [['Authorization', 'Bearer $ASSAY_TRADE_KEY']],
      body: { encoding: 'utf8', text: '{}' },
    },
    outcome: {
      kind: 'response',
      response: {
        status: 200,
        // k6 joins fields of one name; of this one clients take the first.
        headers: [
          ['Content-Type', 'application/json'],
          ['X-A', '1, 2'],
        ],
        body: { encoding: 'utf8', text: '' },
      },
    },
    sentAtMs: 7,
    latencyMs: 5,
  });
});
