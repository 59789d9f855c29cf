import { describe, expect, test } from 'vitest';
import { exchangeOf } from '../../../judging/exchange.testkit.ts';
import { judge } from '../../../judging/judge.ts';
import { loadContract } from '../../load-contract.ts';
import type { Exchange } from '../../../wire/exchange.ts';
import { apiCatalogRules } from './api-catalog.ts';
import { verdictOf } from '../../../judging/verdicts.testkit.ts';

const contract = await loadContract();
const CATALOG = '/.well-known/api-catalog';

function asked(api: 'zap' | 'trade' | 'docs', base: string, answered: unknown): Exchange {
  const path = api === 'docs' ? CATALOG : '/v1/none';
  const exchange = exchangeOf({ id: api, api, path, answered });
  return { ...exchange, request: { ...exchange.request, url: base + path } };
}

/** The verdict on a catalog of a service whose APIs are at these bases. */
function verdictOn(
  linkset: unknown,
  zap = 'http://127.0.0.1:1',
  trade = 'http://127.0.0.1:2',
): string {
  const exchanges = [
    asked('docs', 'http://127.0.0.1:3', { linkset }),
    asked('zap', zap, {}),
    asked('trade', trade, {}),
  ];
  const rules = apiCatalogRules.filter(({ id }) => id === 'docs.api-catalog.names-the-apis');
  const [result] = judge(rules, contract, exchanges);
  return [result?.verdict, ...(result?.findings ?? []).map(({ expected }) => expected)].join(' ');
}

describe('the catalog names both APIs', () => {
  const zap = { anchor: 'http://127.0.0.1:1', 'service-doc': [{ href: 'http://127.0.0.1:3/a' }] };
  const trade = { anchor: 'http://localhost:2/', 'service-doc': [] };

  test.each([
    ['both', [zap, trade]],
    ['as items', [{ item: [{ href: 'http://127.0.0.1:1/v1/quote' }, { href: 'http://[::1]:2' }] }]],
  ])('%s', (_, linkset) => {
    expect(verdictOn(linkset)).toBe('pass');
  });

  test('is not known if the other may be at another port', () => {
    expect(verdictOn([zap, { anchor: 'http://localhost:20' }])).toBe('not-reached');
  });

  test.each([
    ['zap alone', [zap], 'warn a link to the trade API, localhost:2'],
    ['trade alone', [trade], 'warn a link to the zap API, localhost:1'],
  ])('not %s', (_, linkset, verdict) => {
    expect(verdictOn(linkset)).toBe(verdict);
  });

  test('is not known if its links lead to other hosts or catalogs, or if both APIs are at one host', () => {
    const names = [{ anchor: 'https://zap.example' }];
    expect(verdictOn(names)).toBe('not-reached');
    expect(verdictOn([zap, { 'api-catalog': [{ href: 'http://127.0.0.1:3/more' }] }])).toBe(
      'not-reached',
    );
    expect(verdictOn([zap], 'http://127.0.0.1:1', 'http://127.0.0.1:1')).toBe('not-reached');
  });

  test('by their paths, if they share a host', () => {
    const verdictFor = (...anchors: readonly string[]): string =>
      verdictOn(
        anchors.map((anchor) => ({ anchor })),
        'http://127.0.0.1/zap',
        'http://127.0.0.1/trade',
      );
    expect(verdictFor('http://127.0.0.1/zap', 'http://127.0.0.1/trade/v1')).toBe('pass');
    expect(verdictFor('http://127.0.0.1/zap', 'http://127.0.0.1/trades')).toMatch(/^warn/);
  });
});

test.each([
  ['{"linkset":[]}', 'pass'],
  ['linkset: []', 'pass'],
  [' ', 'fail /'],
  ['<!doctype html><title>Docs</title>', 'fail /'],
])('the catalog is no page: %s', (text, verdict) => {
  expect(verdictOf('docs.api-catalog.is-no-page', { api: 'docs', path: CATALOG, text })).toBe(
    verdict,
  );
});
