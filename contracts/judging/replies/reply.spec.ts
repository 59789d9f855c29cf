import { expect, test } from 'vitest';
import { contractOf } from '../../document/contract-of.testkit.ts';
import { exchangeOf } from '../exchange.testkit.ts';
import { View } from '../view.ts';
import { isStrayPage, replyOf } from './reply.ts';

const JSON_TYPE = { 'application/json': {} };
const contract = await contractOf({
  '/go': { get: { operationId: 'go', responses: { 302: { description: 'There.' } } } },
  '/things': {
    get: { operationId: 'things', responses: { 200: { description: '', content: JSON_TYPE } } },
  },
  '/page': {
    get: {
      operationId: 'page',
      responses: {
        200: { description: '', content: { ...JSON_TYPE, 'text/html; charset=utf-8': {} } },
        201: { description: '', content: { ...JSON_TYPE, 'text/*': {} } },
        202: { description: '' },
        206: { description: '', content: { '*/*': {} } },
        203: { description: '', content: { 'application/octet-stream': {} } },
      },
    },
  },
});

function viewOf(path: string, status: number, text = '{}'): View {
  const exchange = exchangeOf({ api: 'ai', method: 'GET', path, status });
  if (exchange.outcome.kind !== 'response') throw new Error('an answer was asked for');
  const response = { ...exchange.outcome.response, body: { encoding: 'utf8', text } as const };
  return new View({ ...exchange, outcome: { kind: 'response', response } }, contract);
}

test('a redirect is service if the contract states it', () => {
  expect(replyOf(viewOf('/go', 302))).toBe('served');
  expect(replyOf(viewOf('/go', 307))).toBe('moved');
  expect(replyOf(viewOf('/things', 302))).toBe('moved');
});

test.each([
  ['/things', 200, true],
  ['/things', 404, true],
  ['/nothing', 200, true],
  ['/page', 200, false],
  ['/page', 201, false],
  // Nobody expects JSON there.
  ['/page', 202, false],
  ['/page', 203, false],
  // Frameworks that know no better state that of JSON.
  ['/page', 206, true],
])('a web page at %s with status %d is astray: %s', (path, status, isStray) => {
  expect(isStrayPage(viewOf(path, status, '<!doctype html><html></html>'))).toBe(isStray);
  expect(isStrayPage(viewOf(path, status))).toBe(false);
});
