import { describe, expect, test } from 'vitest';
import type { WireSketch } from './verdicts.testkit.ts';
import { verdictOf } from './verdicts.testkit.ts';
import { ACCEPTED_INPUTS } from './accepted-inputs.ts';
import { relationOf } from './accepted-input-rules.ts';

const ID = 'zap.pools.protocol-accepted';
const REFUSED = { status: 400, answered: { code: 'BAD_REQUEST' } };

/** Answers to `ABA`, one letter each: `s` served, `r` refused, `f` an error of the service, `o` an outage. */
function group(name: string, letters: string, query = `protocol=${name}`): WireSketch[] {
  return Array.from(letters, (letter, at): WireSketch => {
    const role = at === 1 ? 'B' : 'A';
    const answers = {
      s: {},
      r: REFUSED,
      f: { status: 500, answered: { code: 'INTERNAL_ERROR' } },
      o: { status: 503, answered: { code: 'UNAVAILABLE' } },
    }[letter];
    return {
      path: role === 'B' ? `/v1/pools?${query}` : '/v1/pools',
      relations: [{ kind: relationOf({ id: ID }), group: name, role }],
      ...answers,
    };
  });
}

describe('an input is not taken', () => {
  test('where several different requests with it are refused, served before and after without', () => {
    const groups = ['a', 'b', 'c'].flatMap((name) => group(name, 'srs'));
    expect(verdictOf(ID, ...groups)).toBe('warn /');
  });

  test.each<[string, WireSketch[]]>([
    ['two were refused', ['a', 'b'].flatMap((name) => group(name, 'srs'))],
    ['one was refused three times', ['a', 'b', 'c'].flatMap((n) => group(n, 'srs', 'protocol=x'))],
  ])('but not where %s', (_, exchanges) => {
    expect(verdictOf(ID, ...exchanges)).toBe('inconclusive');
  });

  test.each<[string, string]>([
    ['the plain request is refused afterwards', 'srr'],
    ['the plain request was refused before', 'rrs'],
    ['the service failed instead', 'sfs'],
    ['there was an outage', 'sos'],
    ['nothing followed', 'sr'],
  ])('and not where %s', (_, letters) => {
    const groups = ['a', 'b', 'c'].flatMap((name) => group(name, letters));
    expect(verdictOf(ID, ...groups)).toBe('not-reached');
  });

  test('and not where it was taken once, whoever asked', () => {
    const groups = ['a', 'b', 'c'].flatMap((name) => group(name, 'srs'));
    expect(verdictOf(ID, ...groups, { path: '/v1/pools?protocol=d' })).toBe('pass');
    // Beside another filter it is another input.
    expect(verdictOf(ID, ...groups, { path: '/v1/pools?protocol=d&chainId=1' })).toBe('warn /');
  });
});

describe('a quote with allowedDexes', () => {
  const DEXES = 'zap.quote.allowed-dexes-accepted';
  const quote = (change: object): WireSketch => ({
    method: 'POST',
    path: '/v1/quote',
    sent: { slippage: 1, ...change },
  });
  const refused = ['a', 'b', 'c'].flatMap((name): WireSketch[] => {
    const place = (role: string): Pick<WireSketch, 'relations'> => ({
      relations: [{ kind: relationOf({ id: DEXES }), group: name, role }],
    });
    const plain = { ...quote({ srcToken: name }), ...place('A') };
    const other = quote({ srcToken: name, allowedDexes: ['d'] });
    return [plain, { ...other, ...place('B'), ...REFUSED }, plain];
  });

  test.each<[object, string]>([
    [{ allowedDexes: ['d'] }, 'pass'],
    [{ allowedDexes: ['d'], allowedBridges: ['b'] }, 'warn /'],
  ])('is one where %j is served: %s', (change, verdict) => {
    expect(verdictOf(DEXES, ...refused, quote(change))).toBe(verdict);
  });
});

describe('a request has', () => {
  const ZAP = {
    srcToken: 'x',
    slippage: 1,
    amount: '9007199254740991',
    account: `0x${'a'.repeat(40)}`,
  };
  const inputs = (operation: string, query: string, requestJson: unknown): string[] =>
    ACCEPTED_INPUTS.filter(({ operations }) => operations.includes(operation)).flatMap(
      ({ inputOf }) => inputOf({ query: new URLSearchParams(query), requestJson }) ?? [],
    );

  test.each<[string, string[]]>([
    ['', []],
    ['limit=7', ['a limit below 200']],
    ['limit=7&chainId=1', ['a filter by chainId']],
    ['limit=200&chainId=1', ['a filter by chainId', 'a limit of 200']],
    ['limit=201', []],
    ['tokens=WETH', []],
    [`tokens=0x${'b'.repeat(40)}`, ['a filter by one token']],
    ['protocol=a&chainId=1', ['filters by chainId and protocol']],
  ])('of pools %s: %j', (query, expected) => {
    expect(inputs('zap.pools', query, undefined)).toEqual(expected);
  });

  test.each<[object, string[]]>([
    [{}, []],
    [{ slippage: 0.5 }, ['a slippage with decimals']],
    [{ slippage: '0.5' }, []],
    [{ amount: '9007199254740992' }, []],
    [{ amount: '9007199254740993' }, ['an amount above 2^53']],
    [{ amount: '-9007199254740993' }, []],
    [{ recipient: ZAP.account.toUpperCase().replace('X', 'x') }, []],
    [{ recipient: `0x${'c'.repeat(40)}` }, ['a recipient of its own']],
    [{ allowedBridges: ['b'] }, ['allowedBridges']],
    [{ allowedDexes: ['d'] }, ['allowedDexes']],
    [{ allowedDexes: ['d'], allowedBridges: ['b'], slippage: 0.5 }, []],
    [{ allowedDexes: ['d'], integrator: {} }, []],
  ])('of a quote %j: %j', (change, expected) => {
    expect(inputs('zap.quote', '', { ...ZAP, ...change })).toEqual(expected);
  });

  test('of builds what is anywhere in their data', () => {
    const data = [{ slippage: 1 }, { slippage: 1.5, amount: '12345678901234567890' }];
    expect(inputs('trade.build-tx', '', { data })).toEqual([
      'a slippage with decimals',
      'an amount above 2^53',
    ]);
    const only = { disableEstimation: true, gasless: false };
    expect(inputs('trade.build-tx', '', { data, ...only })).toHaveLength(2);
    expect(inputs('trade.build-tx', '', { data, gasless: true })).toEqual([]);
    expect(inputs('trade.build-tx', '', { data, disablePricing: false })).toEqual([]);
    expect(inputs('zap.build-tx', '', { estimateGas: true })).toEqual([]);
    expect(inputs('zap.build-tx', '', { estimateGas: false })).toEqual(['estimateGas false']);
  });
});
