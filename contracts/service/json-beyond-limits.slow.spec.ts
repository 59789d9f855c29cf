import { expect, test } from 'vitest';
import { contractOf, success } from '../document/contract-of.testkit.ts';
import { exchangeOf } from '../judging/exchange.testkit.ts';
import { judge } from '../judging/judge.ts';
import type { Exchange } from '../wire/exchange.ts';
import { MAX_CONTAINERS, MAX_LEVELS } from '../wire/parse-json.ts';
import { REGISTRY } from './registry.ts';

const DEEP = '['.repeat(MAX_LEVELS + 1) + ']'.repeat(MAX_LEVELS + 1);
const LONG = `[${Array.from({ length: MAX_CONTAINERS }, () => '[1.5,2]').join()}]`;
const LIST = { type: 'array', items: { $ref: '#/components/schemas/List' } };
const CONTRACT = contractOf(
  {
    '/x': {
      get: { operationId: 'x', responses: { ...success(LIST), default: { description: '' } } },
    },
  },
  { schemas: { List: LIST } },
);

function answered(text: string, sketch: Parameters<typeof exchangeOf>[0]): Exchange {
  const exchange = exchangeOf(sketch);
  if (exchange.outcome.kind !== 'response') return exchange;
  const response = { ...exchange.outcome.response, body: { encoding: 'utf8', text } as const };
  return { ...exchange, outcome: { kind: 'response', response } };
}

/** Rules that look at the status or at header fields alone, and operations whose answers are no JSON. */
const OTHERS = /\.served$|\.rate-limit-headers$|^docs\.(?:openapi|llms|auth-md)/;

// RFC 8259 section 9: a parser may limit what it takes, and the text stays JSON.
test.each<[string, string, number[]]>([
  ['deeper', DEEP, [200, 400, 404, 429]],
  ['longer', LONG, [200, 429]],
])('no rule finds fault with JSON that is %s than Assay parses', async (_, text, statuses) => {
  const contract = await CONTRACT;
  const found = contract.operations.flatMap(({ api, method, pathTemplate }) =>
    statuses.flatMap((status) => {
      const path = pathTemplate.replaceAll(/\{[^}]*\}/g, '1');
      const exchanges = [answered(text, { api, method, path, status })];
      return judge(REGISTRY.ofRun(contract), contract, exchanges)
        .filter(({ rule, findings }) => findings.length > 0 && !OTHERS.test(rule.id))
        .map(({ rule }) => `${method} ${path} ${status} ${rule.id}`);
    }),
  );
  expect(found).toEqual([]);
});

test('what cannot be judged of JSON beyond its limits is inconclusive, with a sentence', async () => {
  const contract = await CONTRACT;
  const exchanges = [answered(DEEP, { api: 'ai', path: '/x' })];
  const results = judge(REGISTRY.ofRun(contract), contract, exchanges);
  const open = results.filter(({ unjudged }) => unjudged === 1);
  expect(open.map(({ rule, verdict }) => `${rule.id} ${verdict}`)).toEqual([
    'ai.x.response-shape inconclusive',
    'ai.x.body-is-json inconclusive',
  ]);
  expect(open[0]?.reason).toBe(
    '1 of the answers took too much to be judged, as JSON or by their schema',
  );
});
