import { expect, test } from 'vitest';
import { exchangeFault } from './exchange-form.ts';

const EXCHANGE = {
  id: 'x00001',
  api: 'zap',
  purpose: { kind: 'invalid', defect: 'no amount' },
  relations: [{ kind: 'quote-build', group: '1', role: 'A' }],
  request: {
    method: 'GET',
    url: 'http://127.0.0.1/',
    path: '/',
    headers: [['a', 'b']],
    body: null,
  },
  outcome: {
    kind: 'response',
    response: { status: 200, headers: [], body: { encoding: 'utf8', text: '{}' } },
  },
  sentAtMs: 1,
  latencyMs: 2.5,
};
const FAILURE = { kind: 'failure', failure: 'timeout', message: 'none' };

/** The exchange with the member at a path replaced. */
function withMember(path: string, value: unknown): unknown {
  const copy = structuredClone(EXCHANGE) as Record<string, unknown>;
  const steps = path.split('.');
  const last = steps.pop() ?? '';
  const holder = steps.reduce<Record<string, unknown>>(
    (at, step) => at[step] as Record<string, unknown>,
    copy,
  );
  holder[last] = value;
  return copy;
}

test('an exchange is one, also with members that are not known, and as a failure', () => {
  expect(exchangeFault(EXCHANGE)).toBeUndefined();
  expect(exchangeFault({ ...EXCHANGE, extra: [1], outcome: FAILURE })).toBeUndefined();
  expect(exchangeFault({ ...EXCHANGE, relations: [], purpose: { kind: 'valid' } })).toBeUndefined();
});

test.each([null, 1, 'x', [], [EXCHANGE]])('%j is none', (value) => {
  expect(exchangeFault(value)).toBe('it is no object');
});

/** Every member that anybody reads, and values of other types that stand there for mischief. */
const PATHS = [
  ...['id', 'api', 'purpose', 'purpose.kind', 'purpose.defect', 'relations', 'request', 'outcome'],
  ...['sentAtMs', 'latencyMs', 'relations.0.kind', 'relations.0.group', 'relations.0.role'],
  ...['request.method', 'request.url', 'request.path', 'request.headers', 'request.headers.0'],
  ...['request.headers.0.0', 'outcome.kind', 'outcome.response', 'outcome.response.status'],
  ...['outcome.response.headers', 'outcome.response.body', 'outcome.response.body.text'],
  ...['outcome.response.body.encoding', 'request.body'],
];

test.each(PATHS)('a value of another type at %s makes it none', (path) => {
  for (const value of [true, [7], { a: 1 }, -1.5]) {
    expect(exchangeFault(withMember(path, value)), JSON.stringify(value)).toBeDefined();
  }
});

test.each(PATHS.filter((path) => !['purpose.defect', 'request.body'].includes(path)))(
  'without %s it is none',
  (path) => {
    expect(exchangeFault(withMember(path, undefined))).toBeDefined();
  },
);

test.each([
  ['id', 'a/../b'],
  ['id', 'x'.repeat(65)],
  ['id', 'x\n'],
  ['api', 'Web'],
  ['api', 'constructor'],
  ['api', '../web'],
  ['latencyMs', Infinity],
  ['outcome.response.status', 200.5],
  ['outcome.response.body.encoding', 'hex'],
  ['outcome.kind', 'nothing'],
])('%s as %j makes it none', (path, value) => {
  expect(exchangeFault(withMember(path, value))).toBeDefined();
});

test('of an API that its run was given no URL of it is none', () => {
  expect(exchangeFault(EXCHANGE, ['books', 'zap'])).toBeUndefined();
  expect(exchangeFault(EXCHANGE, ['books'])).toBe('its api is none of the APIs');
});
