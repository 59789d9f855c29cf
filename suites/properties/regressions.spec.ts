import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Exhibit } from './exhibit.ts';
import { keepRegression, readRegressions, RegressionError } from './regressions.ts';

let dir = '';

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'assay-regressions-'));
});

afterEach(() => {
  rmSync(dir, { recursive: true });
});

const PAIR: Exhibit = ['A', 'B'].map((role) => ({
  role,
  request: {
    api: 'zap',
    method: 'POST',
    path: '/v1/quote',
    json: { slippage: role === 'A' ? 1 : 2 },
    purpose: { kind: 'valid' },
  },
}));

test('what is kept is read again, once, and nothing is promised of it any longer', () => {
  const name = keepRegression(dir, 'zap.some.rule', PAIR);
  expect(keepRegression(dir, 'zap.some.rule', PAIR)).toBe(name);
  expect(readdirSync(dir)).toEqual([`${name}.json`]);
  const request = { api: 'zap', method: 'POST', path: '/v1/quote', purpose: { kind: 'unknown' } };
  expect(readRegressions(dir)).toEqual([
    {
      name,
      rule: 'zap.some.rule',
      requests: [
        { role: 'A', request: { ...request, body: '{"slippage":1}' } },
        { role: 'B', request: { ...request, body: '{"slippage":2}' } },
      ],
    },
  ]);
});

test('a defect stays one', () => {
  const purpose = { kind: 'invalid', defect: 'missing slippage' } as const;
  const [{ request } = { request: undefined }] = PAIR;
  if (request === undefined) throw new Error('there is no request');
  keepRegression(dir, 'zap.other', [{ request: { ...request, json: {}, purpose } }]);
  expect(readRegressions(dir)[0]?.requests[0]?.request.purpose).toEqual(purpose);
});

test('a folder that is not there holds none', () => {
  expect(readRegressions(join(dir, 'none'))).toEqual([]);
});

describe('what is no regression is told with its file', () => {
  test.each([
    ['not JSON', '{', 'is not JSON'],
    ['no rule', '{"requests":[]}', 'is no regression'],
    ['no requests', '{"rule":"a.b","requests":[]}', 'is no regression'],
    [
      'another API',
      '{"rule":"a.b","requests":[{"request":{"api":"x","method":"GET","path":"/"}}]}',
      'is no regression',
    ],
    [
      'a path without a slash',
      '{"rule":"a.b","requests":[{"request":{"api":"zap","method":"GET","path":"v1"}}]}',
      'is no regression',
    ],
  ])('%s', (_, text, message) => {
    writeFileSync(join(dir, 'bad.json'), text);
    expect(() => readRegressions(dir)).toThrow(RegressionError);
    expect(() => readRegressions(dir)).toThrow(new RegExp(`bad\\.json ${message}`));
  });
});
