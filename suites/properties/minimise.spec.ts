/** Long because each way to make a reproducer smaller is tried on the same requests. */

import { describe, expect, test } from 'vitest';
import { loadContract } from '../../contracts/service/load-contract.ts';
import { exchangeRule, runRule, type Rule } from '../../contracts/judging/rule.ts';
import type { Purpose } from '../../contracts/wire/exchange.ts';
import type { ClientRequest } from '../../target/transport/client.ts';
import { answered } from '../drive/answered.testkit.ts';
import type { TriedRequest } from '../drive/tried-request.ts';
import type { Reproducer } from './reproducer.ts';
import { differsIn, minimise, type Minimal } from './minimise.ts';

const contract = await loadContract();
const address = (digit: string): string => `0x${digit.repeat(40)}`;

const PLAIN = {
  srcToken: address('1'),
  srcChainId: 1,
  destToken: address('2'),
  destChainId: 1,
  recipient: address('3'),
  slippage: 1,
  account: address('3'),
  amount: '1000',
};
type Body = Readonly<Record<string, unknown>>;

/** A zap quote that differs from the plain one in these fields; without those that are undefined. */
function quote(fields: Body = {}, purpose: Purpose = { kind: 'valid' }): TriedRequest {
  const json = JSON.parse(JSON.stringify({ ...PLAIN, ...fields })) as unknown;
  return { api: 'zap', method: 'POST', path: '/v1/quote', json, purpose };
}

interface Shrunk {
  readonly minimal: Minimal;
  readonly sent: readonly ClientRequest[];
  /** The fields of each request of the smallest that are not the plain ones. */
  readonly left: readonly Body[];
}

const row = {
  id: 'zap.test',
  level: 'must',
  source: '§2.1',
  protects: 'What is asked for is served.',
  api: 'zap',
  operations: ['zap.quote'],
  answer: 'success',
  leastEvidence: 1,
} as const;
const BROKEN = [{ pointer: '', expected: 'another answer', actual: 'this one' }];

/** Shrinks what breaks a rule by its body, by the `number`th request of all, from 1. */
function shrink(
  reproducer: Reproducer,
  isBroken: (body: Body, number: number) => boolean,
  mostRequests?: number,
): Promise<Shrunk> {
  const rule = exchangeRule({
    ...row,
    judge: ({ requestJson, exchange: { id } }) =>
      isBroken(requestJson as Body, Number(id.slice(1))) ? BROKEN : [],
  });
  return shrinkBy(rule, reproducer, mostRequests);
}

/** Shrinks what breaks a rule by the bodies of several requests together. */
function shrinkAll(
  reproducer: Reproducer,
  isBroken: (bodies: readonly Body[]) => boolean,
  relation?: string,
): Promise<Shrunk> {
  const rule = runRule<Body>({
    ...row,
    ...(relation === undefined ? {} : { relation }),
    collect: ({ requestJson }) => requestJson as Body,
    conclude: (facts) => {
      const witnesses = facts.map(({ witness }) => witness);
      return isBroken(facts.map(({ fact }) => fact)) ? [{ witnesses, judgement: BROKEN }] : [];
    },
  });
  return shrinkBy(rule, reproducer);
}

async function shrinkBy(rule: Rule, reproducer: Reproducer, mostRequests = 40): Promise<Shrunk> {
  const { session, sent } = answered(contract, () => ({ answered: {} }));
  const plainFor = (): TriedRequest => quote();
  const minimal = await minimise(reproducer, { session, rule, plainFor, mostRequests });
  const left = minimal.reproducer.map(({ request: { json } }) => {
    const fields = Object.entries(json as Body);
    return Object.fromEntries(
      fields.filter(([name, value]) => PLAIN[name as keyof typeof PLAIN] !== value),
    );
  });
  return { minimal, sent, left };
}

const purposesOf = (sent: readonly ClientRequest[]): Set<string> =>
  new Set(sent.map(({ purpose }) => purpose.kind));

/** How many fields of a route a request has as they were made. */
function ofRoute(body: Body, route: Body): number {
  return Object.entries(route).filter(([name, value]) => body[name] === value).length;
}

describe('fields', () => {
  const odd = { slippage: 2, allowedBridges: ['b'], estimateGas: true, recipient: address('4') };

  test('are put back but for the one that shows it', async () => {
    const { minimal, left } = await shrink(
      [{ request: quote(odd) }],
      (body) => body.slippage === 2,
    );
    expect(left).toEqual([{ slippage: 2 }]);
    expect(minimal.differsIn).toEqual(['body/slippage']);
    expect(minimal.stopped).toBeUndefined();
  });

  test('of what is not seen again are those of the requests that are shown', async () => {
    const { minimal, left } = await shrink([{ request: quote(odd) }], () => false);
    expect(minimal.exchanges).toEqual([]);
    expect(left).toEqual([odd]);
    const [request, ...others] = minimal.requests;
    expect(JSON.parse(request?.body?.text ?? '')).toMatchObject(odd);
    expect(others).toEqual([]);
  });

  test('stay where a defect may be in them that the contract does not see', async () => {
    const unknown = quote(odd, { kind: 'invalid', defect: 'unknown account' });
    const { left, minimal } = await shrink([{ request: unknown }], () => true);
    expect(left).toEqual([odd]);
    expect(minimal.discarded).toBeGreaterThan(0);
  });

  test('are put back all at once if the plain request shows it as well', async () => {
    const { left, sent, minimal } = await shrink([{ request: quote(odd) }], () => true);
    expect(left).toEqual([{}]);
    // One to shrink it, and three to see that it shows again.
    expect(sent).toHaveLength(4);
    expect(minimal.reproduced).toEqual({ times: 3, of: 3 });
  });

  test('stay where nothing smaller shows it', async () => {
    const { left, minimal } = await shrink([{ request: quote(odd) }], () => false);
    expect(left).toEqual([odd]);
    expect(minimal).toMatchObject({ reproduced: { times: 0, of: 3 }, exchanges: [] });
  });
});

describe('what the document obliges a service to take', () => {
  const route = { srcToken: address('5'), srcChainId: 5, destToken: address('6'), destChainId: 6 };

  test('is no more said to be so when half of its route is put back', async () => {
    const { sent, left, minimal } = await shrink(
      [{ request: quote(route) }],
      (body) => body.destChainId === 6,
    );
    expect(left).toEqual([{ destChainId: 6 }]);
    expect(minimal.reproducer[0]?.request.purpose).toEqual({ kind: 'unknown' });
    const mixed = sent.filter(({ json }) => ![0, 4].includes(ofRoute(json as Body, route)));
    expect(mixed.length).toBeGreaterThan(0);
    expect(purposesOf(mixed)).toEqual(new Set(['unknown']));
  });

  test('is still so with the route as it was made, and with the plain one', async () => {
    const { sent, minimal } = await shrink(
      [{ request: quote({ ...route, slippage: 2, estimateGas: true }) }],
      (body) => ofRoute(body, route) === 4 && body.slippage === 2,
    );
    expect(minimal.reproducer[0]?.request.purpose).toEqual({ kind: 'valid' });
    const asMade = sent.filter(({ json }) => ofRoute(json as Body, route) === 4);
    expect(purposesOf(asMade)).toEqual(new Set(['valid']));
  });

  test('is no more so when providers are left of a route that was put back', async () => {
    const { minimal } = await shrink(
      [{ request: quote({ ...route, allowedDexes: ['dex'] }) }],
      (body) => Array.isArray(body.allowedDexes),
    );
    expect(minimal.differsIn).toEqual(['body/allowedDexes']);
    expect(minimal.reproducer[0]?.request.purpose).toEqual({ kind: 'unknown' });
  });
});

test('a probe of which something was put back asks about nothing any more', async () => {
  const probe = quote({ slippage: 2, estimateGas: true }, { kind: 'probe', about: 'estimateGas' });
  const { minimal } = await shrink([{ request: probe }], (body) => body.slippage === 2);
  expect(minimal.reproducer[0]?.request.purpose).toEqual({ kind: 'unknown' });
  const whole = await shrink(
    [{ request: probe }],
    (body) => body.estimateGas === true && body.slippage === 2,
  );
  expect(whole.minimal.reproducer[0]?.request.purpose).toEqual(probe.purpose);
});

test('a wrong request that would be right is not sent', async () => {
  const wrong = quote(
    { account: undefined, slippage: 2 },
    { kind: 'invalid', defect: 'missing account' },
  );
  const { minimal, sent } = await shrink([{ request: wrong }], () => true);
  expect(minimal.differsIn).toEqual(['body/account']);
  expect(sent.every(({ json }) => (json as Body).account === undefined)).toBe(true);
  expect(minimal.discarded).toBeGreaterThan(0);
});

describe('several requests', () => {
  const one = { request: quote({ slippage: 2 }) };
  const other = { request: quote({ slippage: 3 }) };

  test('are left out one by one', async () => {
    const { left } = await shrink([one, other], (body) => body.slippage === 3);
    expect(left).toEqual([{ slippage: 3 }]);
  });

  test('are the first two, or the last two, of many', async () => {
    const many = [one, one, one, other];
    const first = await shrink(many, (body, number) => number <= 2 && body.slippage === 2);
    expect(first.minimal.reproducer).toHaveLength(2);
    const last = await shrink(many, (body) => body.slippage === 3);
    expect(last.left).toEqual([{ slippage: 3 }]);
  });
});

test('of requests that show it together those are left that do', async () => {
  const reproducer = [2, 5, 3].map((slippage) => ({ request: quote({ slippage }) }));
  const { left } = await shrinkAll(reproducer, (bodies) =>
    [2, 3].every((wanted) => bodies.some(({ slippage }) => slippage === wanted)),
  );
  expect(left).toEqual([{ slippage: 2 }, { slippage: 3 }]);
});

test('of requests that are compared only what they share is put back', async () => {
  const reproducer = [2, 3].map((slippage) => ({
    request: quote({ slippage, amount: '77', recipient: address('4') }),
    role: slippage === 2 ? 'A' : 'B',
  }));
  const isTwo = (bodies: readonly Body[]): boolean => bodies.length === 2;
  const { left } = await shrinkAll(reproducer, isTwo, 'test');
  expect(left).toEqual([{ slippage: 2 }, { slippage: 3 }]);
});

describe('of the requests that may be spent', () => {
  test('some are kept to send the smallest one again', async () => {
    const odd = { slippage: 2, allowedBridges: ['b'], estimateGas: true, recipient: address('4') };
    const { sent, minimal } = await shrink(
      [{ request: quote(odd) }],
      (body) => body.slippage === 2,
      5,
    );
    expect(sent).toHaveLength(5);
    expect(minimal.stopped).toBe('the 5 requests for shrinking it were used up');
    expect(minimal.reproduced.of).toBe(3);
  });
});

describe('what shows now and then', () => {
  const odd = [{ request: quote({ slippage: 2 }) }];

  test('is reported as such, and tried a few times in the plain request', async () => {
    const { minimal, sent } = await shrink(odd, (_, number) => number === 7);
    expect(minimal.reproduced).toEqual({ times: 0, of: 3 });
    expect(minimal.differsIn).toEqual([]);
    // The plain one, three of the first, the plain one until it shows, and that three times.
    expect(sent).toHaveLength(1 + 3 + 3 + 3);
  });

  test('is not tried in the plain request if it shows each time', async () => {
    const { sent } = await shrink(odd, (body) => body.slippage === 2);
    expect(sent.map(({ json }) => (json as Body).slippage)).toEqual([1, 2, 2, 2]);
  });
});

test('fields are named that are not those of the plain request, but for path and method', () => {
  const asked = { ...quote({ slippage: 2 }), method: 'PUT', path: '/v1/buildTx?x=1' };
  const plainFor = (): TriedRequest => quote();
  expect(differsIn([{ request: asked }], plainFor)).toEqual(['query/x', 'body/slippage']);
  const defect: TriedRequest = { ...asked, purpose: { kind: 'invalid', defect: 'wrong method' } };
  expect(differsIn([{ request: defect }], () => undefined)).toEqual(['wrong method']);
});
