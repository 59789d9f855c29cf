import { describe, expect, test } from 'vitest';
import { loadContractOf } from '../../document/load-contract.ts';
import { exchangeOf, type ExchangeSketch } from '../../judging/exchange.testkit.ts';
import { judge, type RuleResult } from '../../judging/judge.ts';
import { plainService } from '../../plain-service.ts';
import { CONTRACT_PROBE, PLACE_PROBE } from '../../judging/contract-probe.ts';

/** A service of which only its document is known. */
const SERVICE = plainService(['shop']);
const CONTRACT = await contractOf();

async function contractOf(): ReturnType<typeof loadContractOf> {
  const responses = { 200: { description: 'Done.' } };
  const text = JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Shop', version: '1' },
    paths: {
      '/orders': { post: { operationId: 'order', responses } },
      '/orders/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        get: { operationId: 'read', responses: { ...responses, 404: { description: 'None.' } } },
        put: { operationId: 'write', responses },
        delete: { operationId: 'remove', responses },
      },
      '/prices': {
        get: { operationId: 'prices', responses },
        post: {
          operationId: 'price',
          responses: { ...responses, 500: { description: 'No price can be computed.' } },
        },
      },
    },
  });
  const file = { url: 'file:///shop.json', text, sha256: '', bytes: text.length };
  const source = { api: 'shop', source: 'shop.json', url: file.url, files: [file] };
  return loadContractOf(SERVICE, { files: [source] });
}

const RULES = SERVICE.rules.ofRun(CONTRACT).filter(({ id }) => id.startsWith('shop.errors.'));
const PROBE = { kind: 'probe', about: CONTRACT_PROBE } as const;

const STATUSES: Readonly<Record<string, ExchangeSketch>> = {
  s: {},
  f: { status: 500 },
  d: { status: 502 },
  t: { failure: 'timeout' },
  l: { failure: 'too-large' },
  r: { status: 400 },
  u: { status: 401 },
  n: { status: 404 },
  c: { status: 409 },
  w: { status: 403, headers: { 'retry-after': '1' } },
};

/** Answers to one order, one letter each; of a capital one the request is another. */
function orders(letters: string, more: ExchangeSketch = {}): ExchangeSketch[] {
  return Array.from(letters, (letter) => ({
    ...{ api: 'shop', method: 'POST', path: '/orders', purpose: PROBE },
    sent: { of: letter === letter.toLowerCase() ? 'one' : letter },
    ...STATUSES[letter.toLowerCase()],
    ...more,
  }));
}

function resultsOf(sketches: readonly ExchangeSketch[]): RuleResult[] {
  const exchanges = sketches.map((sketch, at) =>
    exchangeOf({ ...sketch, id: `x${String(at + 1).padStart(5, '0')}` }),
  );
  return judge(RULES, CONTRACT, exchanges);
}

/** The rules that are broken, by the last word of their ids. */
function brokenBy(sketches: readonly ExchangeSketch[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    resultsOf(sketches)
      .filter(({ findings }) => findings.length > 0)
      .map(({ rule, verdict }) => [rule.id.split('.').at(-1) ?? '', verdict]),
  );
}

describe('a service of which only its document is known', () => {
  test('has the rules with the levels of the interface document', () => {
    const rows = RULES.map(({ id, level }) => [id, level]);
    expect(Object.fromEntries(rows)).toEqual({
      'shop.errors.none-of-the-service': 'must',
      'shop.errors.none-each-time': 'should',
      'shop.errors.rarely-of-the-service': 'must',
      'shop.errors.served-is-not-refused': 'should',
    });
  });

  test.each<[string, Readonly<Record<string, string>>]>([
    ['fSfSf', { 'none-of-the-service': 'fail' }],
    ['fSf', {}],
    ['tStStStSt', { 'none-of-the-service': 'fail' }],
    ['dSdSdSdSdSdSdSd', { 'none-each-time': 'warn' }],
    ['dSdSdSdSdSdSd', {}],
    // What is too large for Assay is no error of the service.
    ['lSlSlSlSlSlSlSl', {}],
    // Nothing else is served.
    ['fffff', {}],
    ['sfsfsfs', { 'rarely-of-the-service': 'fail' }],
  ])('errors of the service: %s', (letters, broken) => {
    expect(brokenBy(orders(letters))).toEqual(broken);
  });

  test('an error that the contract states for the operation may be how it refuses', () => {
    const prices = (letters: string): ExchangeSketch[] => orders(letters, { path: '/prices' });
    expect(brokenBy(prices('fSfSfSf'))).toEqual({});
    expect(brokenBy(prices('fSfSfSfSfSfSfSf'))).toEqual({ 'none-each-time': 'warn' });
    // What is served at other times is not.
    expect(brokenBy(prices('sfsfsfs'))).toEqual({ 'rarely-of-the-service': 'fail' });
  });

  test('what was asked for at a place where the operation may not be is no valid request', () => {
    const purpose = { kind: 'probe', about: PLACE_PROBE } as const;
    expect(brokenBy(orders('fSfSfSf', { purpose }))).toEqual({});
  });

  test.each<[string, Readonly<Record<string, string>>]>([
    ['srsrsrs', { 'served-is-not-refused': 'warn' }],
    ['suususus', { 'served-is-not-refused': 'warn' }],
    ['srsrs', {}],
    // One moment, however long.
    ['srrrrrrs', {}],
    // It is refused from some moment on, or served from some moment on.
    ['ssssrrrr', {}],
    ['rrrrssss', {}],
    // What is there, what is in conflict, and what is for later, may be otherwise the next moment.
    ['snsnsnsns', {}],
    ['scscscscs', {}],
    ['swswswsws', {}],
  ])('refusals: %s', (letters, broken) => {
    expect(brokenBy(orders(letters))).toEqual(broken);
  });

  test('a refusal counts if no other request has changed anything until it is served again', () => {
    // Another order may have freed what was taken.
    expect(brokenBy(orders('srSsrSsrSs'))).toEqual({});
    // An order may be there already; a list of prices is there or is not.
    expect(brokenBy(orders('scscscs'))).toEqual({});
    const list = { method: 'GET', path: '/prices', sent: undefined };
    expect(brokenBy(orders('snsnsns', list))).toEqual({ 'served-is-not-refused': 'warn' });
    expect(brokenBy(orders('sSrsSrsSrs'))).toEqual({ 'served-is-not-refused': 'warn' });
    const reading = { ...orders('s')[0], method: 'GET', path: '/prices' };
    const between = orders('srsrsrs').flatMap((one) => [one, reading]);
    expect(brokenBy(between)).toEqual({ 'served-is-not-refused': 'warn' });
  });

  test('a thing is not there at times while no request changes anything', () => {
    const thing = (letters: string, more: ExchangeSketch = {}): ExchangeSketch[] =>
      orders(letters, { method: 'GET', path: '/orders/o1', sent: undefined, ...more });
    const refused = { 'served-is-not-refused': 'warn' };
    expect(brokenBy(thing('snsnsns'))).toEqual(refused);
    expect(brokenBy(orders('snsnsns', { method: 'PUT', path: '/orders/o1' }))).toEqual(refused);
    // It was deleted and made again each time.
    const changed = Array.from('snsnsns').flatMap((letter) => [
      ...thing(letter),
      ...orders('s', { method: letter === 's' ? 'DELETE' : 'PUT', path: '/orders/o1' }),
    ]);
    expect(brokenBy(changed)).toEqual({});
  });

  test('errors of one operation count although others serve far more', () => {
    const prices = orders('s'.repeat(200), { method: 'GET', path: '/prices', sent: undefined });
    expect(brokenBy([...prices, ...orders('sfsssfsssfs')])).toEqual({
      'rarely-of-the-service': 'fail',
    });
    // Three of a hundred may be one in two hundred, with several operations looked at.
    const seldom = 's'.repeat(33);
    const rare = orders(`${seldom}f${seldom}f${seldom}fs`);
    expect(brokenBy([...prices, ...prices, ...rare])).toEqual({});
  });

  test('requests with other header fields are others', () => {
    const answers = orders('srsrsrs').map((sketch, at) => {
      const exchange = exchangeOf({ ...sketch, id: `x0000${at}` });
      const headers = [['X-Kind', sketch.status === 400 ? 'odd' : 'usual']] as const;
      return { ...exchange, request: { ...exchange.request, headers } };
    });
    const results = judge(RULES, CONTRACT, answers);
    expect(results.every(({ findings }) => findings.length === 0)).toBe(true);
  });

  test('a refusal is reported with its rate and how sure that is', () => {
    const refusals = resultsOf(orders('srssssrsssssrsss')).find(({ findings }) => findings[0]);
    expect(refusals?.findings[0]?.actual).toContain(
      '3 of 14 (4.7 % to 51 %, 95 % sure) were refused',
    );
  });
});
