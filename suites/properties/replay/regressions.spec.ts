/** Long because a folder of regressions is a file format that others may write: each way to be wrong is tried. */

import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Reproducer } from '../reproducer.ts';
import type { HeaderList, Purpose } from '../../../contracts/wire/exchange.ts';
import {
  type FoundRegression,
  keepRegression,
  readRegressions,
  RegressionError,
  safeName,
} from './regressions.ts';
import { lacks } from '../../../fixtures/machine-needs.testkit.ts';

let dir = '';

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'assay-regressions-'));
});

afterEach(() => {
  rmSync(dir, { recursive: true });
});

const PAIR: Reproducer = ['A', 'B'].map((role) => ({
  role,
  request: {
    api: 'zap',
    method: 'POST',
    path: '/v1/quote',
    json: { slippage: role === 'A' ? 1 : 2 },
    purpose: { kind: 'valid' },
  },
}));

const rolesOf = (role: string): Reproducer => PAIR.map((one) => ({ ...one, role }));

test('what is kept is read again, once, and nothing is promised of it any longer', () => {
  const kept = keepRegression(dir, { rule: 'zap.some.rule', reproducer: PAIR });
  expect(keepRegression(dir, { rule: 'zap.some.rule', reproducer: PAIR })).toEqual(kept);
  const name = 'name' in kept ? kept.name : '';
  expect(readdirSync(dir)).toEqual([`${name}.json`]);
  const request = { api: 'zap', method: 'POST', path: '/v1/quote', purpose: { kind: 'unknown' } };
  const was = { kind: 'valid' };
  expect(readRegressions(dir).regressions).toEqual([
    {
      name,
      rule: 'zap.some.rule',
      isFailed: false,
      requests: [
        { role: 'A', request: { ...request, body: '{"slippage":1}' }, was },
        { role: 'B', request: { ...request, body: '{"slippage":2}' }, was },
      ],
    },
  ]);
});

test('the same request is kept once, whatever it is for and whatever is fresh in it', () => {
  const [{ request } = { request: undefined }] = PAIR;
  if (request === undefined) throw new Error('no request');
  const keyed = (key: string, purpose: Purpose, ...more: HeaderList): FoundRegression => ({
    rule: 'zap.some.rule',
    reproducer: [
      { request: { ...request, purpose, headers: [['Idempotency-Key', key], ...more] } },
    ],
    then: { pointer: '', expected: '', actual: '', rate: { broken: 1, judged: 9 } },
  });
  const kept = keepRegression(dir, keyed('1', { kind: 'valid' }));
  expect(keepRegression(dir, keyed('2', { kind: 'unknown' }))).toEqual(kept);
  const [json, text] = ['application/json', 'text/plain'].map((type) =>
    keepRegression(dir, keyed('3', { kind: 'valid' }, ['Content-Type', type])),
  );
  expect(json).toEqual(kept);
  expect(text).not.toEqual(kept);
  rmSync(join(dir, `${text !== undefined && 'name' in text ? text.name : ''}.json`));
  expect(readRegressions(dir).regressions).toMatchObject([{ rate: { broken: 1, judged: 9 } }]);
});

test('the same request that two rules break is kept once, with both', () => {
  const then = { pointer: '', expected: '', actual: '', rate: { broken: 1, judged: 2 } };
  const first = keepRegression(dir, { rule: 'zap.one', reproducer: PAIR });
  const name = 'name' in first ? first.name : '';
  const file = join(dir, `${name}.json`);
  const counted = JSON.parse(readFileSync(file, 'utf8')) as object;
  writeFileSync(file, JSON.stringify({ ...counted, keptRuns: 4 }));
  for (const rule of ['zap.other', 'zap.one', 'zap.other', 'zap.third']) {
    expect(keepRegression(dir, { rule, reproducer: PAIR, then })).toEqual(first);
  }
  expect(readdirSync(dir)).toEqual([`${name}.json`]);
  expect(readRegressions(dir).regressions).toMatchObject([
    { name, rule: 'zap.one', isFailed: false },
    { name, rule: 'zap.other', rate: { broken: 1, judged: 2 } },
    { name, rule: 'zap.third' },
  ]);
  expect(JSON.parse(readFileSync(file, 'utf8'))).not.toHaveProperty('keptRuns');
  // For something else the same bytes mean something else.
  const invalid = PAIR.map(({ request, ...place }) => ({
    ...place,
    request: { ...request, purpose: { kind: 'unknown' } as const },
  }));
  expect(keepRegression(dir, { rule: 'zap.fourth', reproducer: invalid })).not.toEqual(first);
});

test('of what shows at times two are kept at an operation, whatever their requests ask', () => {
  const then = { pointer: '', expected: '', actual: '', rate: { broken: 1, judged: 4 } };
  const keep = (rule: string, query: string, more: object = { then }): unknown => {
    const asked = { api: 'zap', method: 'GET', path: `/v1/pools?${query}` } as const;
    const request = { ...asked, purpose: { kind: 'valid' } } as const;
    return keepRegression(dir, { rule, reproducer: [{ request }], ...more });
  };
  const first = keep('zap.some.rule', 'limit=1');
  expect(keep('zap.some.rule', 'limit=2')).not.toEqual(first);
  expect(readRegressions(dir).regressions).toHaveLength(2);
  keep('zap.some.rule', 'limit=3');
  expect(readRegressions(dir).regressions).toHaveLength(2);
  keep('zap.other.rule', 'limit=3');
  keep('zap.some.rule', 'limit=4', {});
  expect(readRegressions(dir).regressions).toHaveLength(4);
});

test('a defect stays one', () => {
  const purpose = { kind: 'invalid', defect: 'missing slippage' } as const;
  const [{ request } = { request: undefined }] = PAIR;
  if (request === undefined) throw new Error('there is no request');
  keepRegression(dir, {
    rule: 'zap.other',
    reproducer: [{ request: { ...request, json: {}, purpose } }],
  });
  expect(readRegressions(dir).regressions[0]?.requests[0]?.request.purpose).toEqual(purpose);
});

test('a folder that is not there holds none', () => {
  expect(readRegressions(join(dir, 'none'))).toEqual({ regressions: [], notices: [] });
});

const REQUEST = { api: 'zap', method: 'GET', path: '/v1/pools' };

function textOf(request: object): string {
  return JSON.stringify({ rule: 'a.b', requests: [{ request: { ...REQUEST, ...request } }] });
}

describe('what is no regression is skipped with a notice, and the others are read', () => {
  test.each([
    ['not JSON', '{', 'it is not JSON'],
    ['deep', '['.repeat(400_000), 'it is'],
    ['large', ' '.repeat(2_000_000), 'it has more than 1048576 bytes'],
    ['a list', '[]', 'it is no regression'],
    ['no rule', '{"requests":[]}', 'it is no regression'],
    ['no requests', '{"rule":"a.b","requests":[]}', 'it is no regression'],
    [
      'too many requests',
      `{"rule":"a.b","requests":[${'{},'.repeat(50)}{}]}`,
      'it is no regression',
    ],
    ['an API without a name', textOf({ api: 'x y' }), 'it is no regression'],
    ['a path without a slash', textOf({ path: 'v1' }), 'it is no regression'],
    ['headers that are none', textOf({ headers: [['a', 1]] }), 'it is no regression'],
    ['a Host', textOf({ headers: [['Host', 'x']] }), 'HTTP itself writes the field Host'],
    ['two lengths', textOf({ headers: [['Transfer-Encoding', 'chunked']] }), 'HTTP itself writes'],
    ['a line break in a field', textOf({ headers: [['a', '\r\n']] }), 'has a value with control'],
    ['a line break in a path', textOf({ path: '/a\r\nb' }), 'HTTP takes no path such as "/a??b"'],
  ])('%s', (_, text, message) => {
    writeFileSync(join(dir, 'bad.json'), text);
    writeFileSync(join(dir, 'good.json'), textOf({}));
    const { regressions, notices } = readRegressions(dir);
    expect(regressions.map(({ name }) => name)).toEqual(['good']);
    expect(notices).toEqual([expect.stringContaining('The regression bad.json was skipped: ')]);
    expect(notices[0]).toContain(message);
  });

  test.skipIf(lacks('mkfifo'))('a pipe, a folder, a link to nowhere', () => {
    execFileSync('mkfifo', [join(dir, 'a.json')]);
    mkdirSync(join(dir, 'b.json'));
    symlinkSync('/nowhere', join(dir, 'c.json'));
    expect(readRegressions(dir)).toEqual({
      regressions: [],
      notices: [
        'The regression a.json was skipped: it is a named pipe.',
        'The regression b.json was skipped: it is a folder.',
        'The regression c.json was skipped: there is no such file.',
      ],
    });
  });
});

test('what is no folder is wrong use', () => {
  writeFileSync(join(dir, 'file'), '');
  expect(() => readRegressions(join(dir, 'file'))).toThrow(RegressionError);
});

describe('names of files', () => {
  test.each([
    ['zap.quote.served', 'zap.quote.served'],
    ['ai.get-v2-{id}.response-shape', 'ai.get-v2-{id}.response-shape'],
    ['../../outside', '____outside'],
    ['..', '_'],
    ['/etc/passwd', '_etc_passwd'],
    ['a b@c$(d)', 'a_b_c_d_'],
    ['con.x', '_con.x'],
    ['LPT1', '_LPT1'],
    ['console', 'console'],
    ['', '_'],
    ['end.', 'end_'],
    ['-rf', '_rf'],
    ['a\u001b[2J', 'a_2J'],
    ['n'.repeat(500), 'n'.repeat(120)],
  ])('%j becomes %s', (rule, name) => {
    expect(safeName(rule)).toBe(name);
  });

  test('stay in their folder, whatever the rule is called', () => {
    const inner = join(dir, 'inner');
    for (const [at, rule] of ['../outside', '/outside', 'a/b/c', '..', '.'].entries()) {
      expect(keepRegression(inner, { rule, reproducer: rolesOf(`${at}`) })).toHaveProperty('name');
    }
    expect(readdirSync(dir)).toEqual(['inner']);
    expect(readdirSync(inner)).toHaveLength(5);
  });
});

test('a link that stands where one is to be kept is not followed', () => {
  const kept = keepRegression(dir, { rule: 'a.b', reproducer: PAIR });
  const file = join(dir, `${'name' in kept ? kept.name : ''}.json`);
  rmSync(file);
  symlinkSync(join(dir, 'elsewhere'), file);
  keepRegression(dir, { rule: 'a.b', reproducer: PAIR });
  expect(existsSync(join(dir, 'elsewhere'))).toBe(false);
});

test('what cannot be kept is reported', () => {
  writeFileSync(join(dir, 'file'), '');
  expect(keepRegression(join(dir, 'file'), { rule: 'a.b', reproducer: PAIR })).toEqual({
    notice: expect.stringMatching(/^A counterexample could not be kept: /) as string,
  });
});

test.skipIf(lacks('/proc'))(
  'a folder that the system does not make is reported at once, and not waited for',
  () => {
    expect(keepRegression('/proc/none/such', { rule: 'zap.some.rule', reproducer: PAIR })).toEqual({
      notice: 'A counterexample could not be kept: it is not there.',
    });
  },
);
