import { describe, expect, test } from 'vitest';
import { NATIVE_TOKEN } from '../../../wire/addresses.ts';
import type { HeaderList } from '../../../wire/exchange.ts';
import type { WireSketch } from '../../../judging/verdicts.testkit.ts';
import { verdictOf } from '../../../judging/verdicts.testkit.ts';
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
    expect(verdictOf(ID, ...groups)).toBe('fail /');
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

  test('and not if it was taken once, whoever asked', () => {
    const groups = ['a', 'b', 'c'].flatMap((name) => group(name, 'srs'));
    expect(verdictOf(ID, ...groups, { path: '/v1/pools?protocol=d' })).toBe('pass');
    // Beside another filter it is another input.
    expect(verdictOf(ID, ...groups, { path: '/v1/pools?protocol=d&chainId=1' })).toBe('fail /');
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
    [{ allowedDexes: ['d'], allowedBridges: ['b'] }, 'fail /'],
  ])('is one if %j is served: %s', (change, verdict) => {
    expect(verdictOf(DEXES, ...refused, quote(change))).toBe(verdict);
  });
});

describe('a refusal may have a reason of its own', () => {
  const native = { srcToken: NATIVE_TOKEN, srcChainId: 1, destChainId: 1 };
  const asked = (token: string) => ({ ...native, destToken: token, slippage: 1 });
  const back = (token: string) => {
    return { ...native, srcToken: token, destToken: NATIVE_TOKEN, slippage: 1 };
  };
  const verdictFor = (id: string, code: string, without: (token: string) => object): string => {
    const exchanges = ['a', 'b', 'c'].flatMap((name): WireSketch[] => {
      const post = { method: 'POST', path: '/v1/quote' };
      const place = (role: string): Pick<WireSketch, 'relations'> => ({
        relations: [{ kind: relationOf({ id }), group: name, role }],
      });
      const plain = { ...post, sent: without(name), ...place('A') };
      const refused = { status: 404, answered: { code } };
      return [plain, { ...post, sent: asked(name), ...place('B'), ...refused }, plain];
    });
    return verdictOf(id, ...exchanges);
  };
  const id = 'zap.requests.native-source-accepted';
  const other = (token: string) => ({ ...asked(token), srcToken: 'x' });

  test.each<[string, string, (token: string) => object, string]>([
    ['a token is unknown', 'UNKNOWN_TOKEN', other, 'fail /'],
    ['there is no route', 'NO_ROUTE_FOUND', other, 'not-reached'],
    ['there is none, but one back', 'NO_ROUTE_FOUND', back, 'fail /'],
  ])('of the native token, if %s', (_, code, without, verdict) => {
    expect(verdictFor(id, code, without)).toBe(verdict);
  });

  test.each<[string, string]>([
    ['BATCH_TOO_LARGE', 'not-reached'],
    ['BAD_REQUEST', 'fail /'],
  ])('of a second entry, with the code %s', (code, verdict) => {
    const second = 'trade.build-tx.second-entry-accepted';
    const exchanges = ['a', 'b', 'c'].flatMap((name): WireSketch[] => {
      const place = (role: string) => ({
        relations: [{ kind: relationOf({ id: second }), group: name, role }],
      });
      const post = { api: 'trade', method: 'POST', path: '/v1/buildTx' } as const;
      const plain = { ...post, sent: { data: [{ amount: name }] }, ...place('A') };
      const both = { ...post, sent: { data: [{ amount: name }, {}] }, ...place('B') };
      return [plain, { ...both, status: 400, answered: { code } }, plain];
    });
    expect(verdictOf(second, ...exchanges)).toBe(verdict);
  });
});

describe('a request has', () => {
  const ZAP = {
    srcToken: 'x',
    slippage: 1,
    amount: '9007199254740991',
    account: `0x${'a'.repeat(40)}`,
  };
  const inputs = (
    operation: string,
    query: string,
    requestJson: unknown,
    headers: HeaderList = [],
  ): string[] =>
    ACCEPTED_INPUTS.filter(({ operations }) => operations.includes(operation)).flatMap(
      ({ forms, formOf }) => {
        const form = formOf({ query: new URLSearchParams(query), requestJson, headers });
        return form === null ? [] : (forms[form] ?? []);
      },
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

  test.each<[object, string[]]>([
    [{}, []],
    [{ amount: undefined, destToken: 'y' }, ['no amount']],
    [{ amount: undefined }, []],
    [{ srcToken: NATIVE_TOKEN.toLowerCase() }, ['the native token as source']],
    [{ destToken: NATIVE_TOKEN }, ['the native token as destination']],
    [{ allowedDexes: ['d'] }, ['allowedDexes']],
    [{ allowedBridges: ['b'] }, ['allowedBridges']],
  ])('of a zap build %j: %j', (change, expected) => {
    expect(inputs('zap.build-tx', '', { ...ZAP, ...change })).toEqual(expected);
  });

  test.each<[string, string, string[]]>([
    ['content-type', 'application/json', []],
    ['Content-Type', 'application/json; charset=utf-8', ['a charset in Content-Type']],
    ['Authorization', 'Bearer x', ['a bearer token']],
    ['Authorization', 'Basic x', []],
  ])('in its header %s: %s', (name, value, expected) => {
    const asked = { ...ZAP, destToken: 'y' };
    expect(inputs('zap.quote', '', asked, [[name, value]])).toEqual(expected);
    const trade = inputs('trade.build-tx', '', { data: [{}] }, [[name, value]]);
    expect(trade).toEqual(expected.filter((input) => input !== 'a bearer token'));
  });

  test('of builds what is anywhere in their data', () => {
    const data = [{ slippage: 1 }, { slippage: 1.5, amount: '12345678901234567890' }];
    expect(inputs('trade.build-tx', '', { data })).toEqual([
      'a slippage with decimals',
      'an amount above 2^53',
      'a second entry',
    ]);
    const native = [{ srcToken: 'x', destToken: NATIVE_TOKEN }];
    expect(inputs('trade.build-tx', '', { data: native })).toEqual([
      'the native token as destination',
    ]);
    const only = { disableEstimation: true, gasless: false };
    expect(inputs('trade.build-tx', '', { data, ...only })).toHaveLength(3);
    expect(inputs('trade.build-tx', '', { data, gasless: true })).toEqual([]);
    expect(inputs('trade.build-tx', '', { data, disablePricing: false })).toEqual([]);
    expect(inputs('zap.build-tx', '', { estimateGas: true })).toEqual([]);
    expect(inputs('zap.build-tx', '', { estimateGas: false })).toEqual(['estimateGas false']);
  });
});
