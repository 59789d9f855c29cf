import { describe, expect, test } from 'vitest';
import { contractOf } from '../document/contract-of.testkit.ts';
import type { ExchangeSketch } from '../judging/exchange.testkit.ts';
import { exchangeOf } from '../judging/exchange.testkit.ts';
import { judge } from '../judging/judge.ts';
import { REGISTRY } from '../service/registry.ts';
import type { Exchange } from '../wire/exchange.ts';
import { CONTRACT_PROBE } from '../judging/contract-probe.ts';

const json = (schema: object): object => ({ content: { 'application/json': { schema } } });
const problem = {
  type: 'object',
  required: ['detail'],
  properties: { detail: { type: 'string' } },
};

const contract = await contractOf({
  '/runs/{id}': {
    get: {
      operationId: 'run',
      responses: {
        200: { description: 'The run.', ...json({ type: 'object', required: ['id'] }) },
        404: { description: 'No such run.', ...json(problem) },
        502: { description: 'The model is away.', ...json(problem) },
        default: { description: 'Any error.', ...json(problem) },
      },
    },
    delete: {
      operationId: 'drop',
      responses: { 204: { description: 'Gone.' }, 500: { description: 'Busy.' } },
    },
    head: { operationId: 'look', responses: { 200: { description: 'The run.', ...json({}) } } },
  },
  '/marked': {
    get: {
      operationId: 'marked',
      responses: {
        200: {
          description: 'A text.',
          headers: {
            ETag: { required: true, schema: { type: 'string' } },
            'Content-Type': { required: true, schema: { type: 'string' } },
            'Set-Cookie': { required: true, schema: { type: 'string' } },
            'X-Other': { schema: { type: 'string' } },
          },
        },
        '4XX': { description: 'An error.', ...json(problem) },
      },
    },
  },
  '/go': { get: { operationId: 'go', responses: { 302: { description: 'There.' } } } },
  '/text': {
    get: {
      operationId: 'text',
      responses: {
        '2XX': { description: 'A text.', content: { 'application/json': {}, 'text/plain': {} } },
      },
    },
  },
});

function brokenBy(exchange: Exchange): string[] {
  return judge(REGISTRY.ofRun(contract), contract, [exchange])
    .filter(({ findings }) => findings.length > 0)
    .map(({ rule }) => rule.id);
}

const asked = { kind: 'probe', about: `${CONTRACT_PROBE}: query limit 50` } as const;

/** An answer to GET /runs/r1 unless said otherwise. */
function answer(sketch: ExchangeSketch, text?: string): Exchange {
  const exchange = exchangeOf({ api: 'ai', path: '/runs/r1', purpose: asked, ...sketch });
  const { outcome } = exchange;
  if (text === undefined || outcome.kind === 'failure') return exchange;
  const response = { ...outcome.response, body: { encoding: 'utf8', text } as const };
  return { ...exchange, outcome: { ...outcome, response } };
}

const CASES: readonly (readonly [what: string, exchange: Exchange, broken: readonly string[]])[] = [
  ['a success as stated', answer({ answered: { id: 1 } }), []],
  ['a success of another shape', answer({ answered: {} }), ['ai.run.response-shape']],
  ['a success that is no JSON', answer({}, '<html>'), ['ai.run.body-is-json']],
  ['a success without a body', answer({}, ''), ['ai.run.body-is-json']],
  ['an error as stated', answer({ status: 404, answered: { detail: 'no' } }), []],
  [
    'an error of another shape',
    answer({ status: 404, answered: { error: 'no' } }),
    ['ai.run.error-shape'],
  ],
  [
    'an error of another shape than by default',
    answer({ status: 418, answered: [] }),
    ['ai.run.error-shape'],
  ],
  ['an error that is no JSON', answer({ status: 404 }, 'not found'), ['ai.run.body-is-json']],
  ['a gateway that speaks for itself', answer({ status: 503 }, '<html>'), []],
  [
    'a gateway that the contract names',
    answer({ status: 502, answered: {} }),
    ['ai.run.error-shape'],
  ],
  ['a redirect', answer({ status: 307 }, ''), []],
  [
    'what the contract does not state',
    answer({ method: 'DELETE', status: 200, answered: {} }),
    ['ai.drop.stated-status'],
  ],
  ['what has no content', answer({ method: 'DELETE', status: 204 }, ''), []],
  ['an answer to HEAD', answer({ method: 'HEAD' }, ''), []],
  [
    'a class of statuses, and another media type',
    answer({ path: '/text', status: 203, headers: { 'content-type': 'text/plain' } }, 'text'),
    [],
  ],
  [
    'a text that says it is the JSON that is stated beside texts',
    answer({ path: '/text', status: 203 }, 'text'),
    ['ai.text.body-is-json'],
  ],
  [
    'an error of the server',
    answer({ status: 500, answered: { detail: 'oops' } }),
    ['ai.run.no-server-error'],
  ],
  [
    'one that the contract names',
    answer({
      method: 'DELETE',
      status: 500,
      answered: { status: 500, code: 'A', message: 'b', requestId: 'c' },
    }),
    [],
  ],
  [
    'one to a request of which nothing is known',
    answer({ purpose: { kind: 'unknown' }, status: 500, answered: { detail: 'oops' } }),
    [],
  ],
  [
    'an error of which the contract states nothing',
    answer({ method: 'DELETE', status: 404, answered: {} }),
    ['ai.errors.typed-body'],
  ],
  ['a redirect that the contract states', answer({ path: '/go', status: 302 }, ''), []],
  [
    'one that it does not state',
    answer({ path: '/go', status: 303 }, ''),
    ['ai.errors.typed-body'],
  ],
  ['a required header field', answer({ path: '/marked', headers: { etag: '"1"' } }, ''), []],
  ['none', answer({ path: '/marked' }, ''), ['ai.marked.required-headers']],
  ['none, if none is', answer({ path: '/marked', status: 404, answered: { detail: 'no' } }), []],
  ['none, of HEAD', answer({ path: '/marked', method: 'HEAD' }, ''), []],
  ['a rate limit', answer({ status: 429, answered: {} }), []],
];

test.each(CASES)('%s', (_, exchange, broken) => {
  expect(brokenBy(exchange).filter((id) => id !== 'ai.reachable')).toEqual(broken);
});

test('an answer as stated is evidence for each of the rules', () => {
  const results = judge(REGISTRY.ofContract(contract), contract, [
    answer({ answered: { id: 1 } }),
    answer({ status: 404, answered: { detail: 'no' } }),
  ]);
  const evidence = results.filter(({ rule }) => rule.id.startsWith('ai.run.'));
  expect(Object.fromEntries(evidence.map((result) => [result.rule.id, result.evidence]))).toEqual({
    'ai.run.response-shape': 1,
    'ai.run.is-there': 1,
    'ai.run.body-is-json': 2,
    'ai.run.media-type': 2,
    'ai.run.names-media-type': 2,
    'ai.run.error-shape': 1,
    'ai.run.stated-status': 1,
    'ai.run.no-server-error': 1,
  });
});

describe('an operation that the contract states', () => {
  const verdictAmong = (id: string, ...sketches: readonly ExchangeSketch[]): string | undefined =>
    judge(
      REGISTRY.ofContract(contract),
      contract,
      sketches.map((sketch, index) =>
        answer({ id: `x0000${index + 1}`, path: '/text', ...sketch }),
      ),
    ).find(({ rule }) => rule.id === id)?.verdict;
  const failed = { answered: { status: 404, code: 'A', message: 'b', requestId: 'c' } };
  const absent = { ...failed, status: 404 };
  const id = 'ai.text.is-there';

  test('that answers 404, 405 or 501 to all is reported', () => {
    for (const status of [404, 405, 501]) {
      expect(verdictAmong(id, { ...absent, status }, { ...absent, status })).toBe('warn');
    }
    expect(
      verdictAmong(
        'ai.run.is-there',
        ...[1, 2].map(() => ({ ...absent, path: '/runs/1', status: 405 })),
      ),
    ).toBe('warn');
  });

  test.each<[is: string, verdict: string, sketches: readonly ExchangeSketch[]]>([
    ['refuses, and is there', 'pass', [absent, { ...failed, status: 400 }]],
    ['was missing for a moment', 'pass', [absent, {}]],
    ['was asked once', 'not-reached', [absent]],
    ['asks for a credential', 'not-reached', [absent, absent, { ...failed, status: 401 }]],
    ['is behind a gateway', 'not-reached', [{ status: 503 }, { status: 503 }]],
    [
      'was asked by somebody who knows nothing of it',
      'not-reached',
      [1, 2].map(() => ({ ...absent, purpose: { kind: 'unknown' } as const })),
    ],
  ])('%s', (_, verdict, sketches) => {
    expect(verdictAmong(id, ...sketches)).toBe(verdict);
  });

  test('may have no thing of a name', () => {
    const unknown = { ...absent, path: '/runs/1' };
    expect(verdictAmong('ai.run.is-there', unknown, unknown)).toBe('not-reached');
  });
});

test('only operations beyond the document have them', () => {
  expect(REGISTRY.operationsBeyond(contract).map(({ id }) => id)).toEqual([
    'ai.run',
    'ai.drop',
    'ai.look',
    'ai.marked',
    'ai.go',
    'ai.text',
  ]);
});
