import { expect, test } from 'vitest';
import { cpuClock } from '../cpu-clock.testkit.ts';
import { exchangeOf } from './exchange.testkit.ts';
import { Judge } from './judge.ts';
import { loadContract } from '../service/load-contract.ts';
import { loadObservers } from '../service/observers/observers.ts';
import { RULES } from '../service/registry.ts';
import type { Exchange } from '../wire/exchange.ts';

const contract = await loadContract();
const observers = await loadObservers();

/** Milliseconds of CPU of this process, the least of a few tries. */
function cpuMs(work: () => void, tries = 2): number {
  const spent = Array.from({ length: tries }, () => {
    const spentMs = cpuClock();
    work();
    return spentMs();
  });
  return Math.min(...spent);
}

/** An answer of the zap API, put together from repeated text. */
function answer(path: string, text: string, sent?: unknown): Exchange {
  const exchange = exchangeOf({ path, ...(sent === undefined ? {} : { sent, method: 'POST' }) });
  const headers = [['content-type', 'application/json']] as const;
  const response = { status: 200, headers, body: { encoding: 'utf8', text } } as const;
  return { ...exchange, outcome: { kind: 'response', response } };
}

function judged(exchange: Exchange): Judge {
  const judge = new Judge(RULES, contract, { observers });
  judge.add(exchange);
  judge.results();
  judge.ledger();
  return judge;
}

const ZAP = {
  ...{ srcToken: '0x1000000000000000000000000000000000000001', srcChainId: 1 },
  ...{ destToken: '0x1000000000000000000000000000000000000002', destChainId: 1 },
  ...{ recipient: '0x1000000000000000000000000000000000000003', slippage: 1 },
  ...{ account: '0x1000000000000000000000000000000000000003', amount: '1000000' },
};

const list = (item: (at: number) => string, count: number): string =>
  Array.from({ length: count }, (_, at) => item(at)).join(',');
const pools = (item: (at: number) => string, count: number): string =>
  `{"status":"success","data":{"pools":[${list(item, count)}]}}`;
const route = (steps: string, amountOut = '"1"'): string =>
  `{"status":"success","data":{"amountOut":${amountOut},"approvalData":{},"path":[${steps}]}}`;
const asset = (at: number): string =>
  `{"address":"0x${String(at).padStart(40, '1')}","chainId":1,"decimals":${at},"symbol":"T${at}"}`;

/** Answers by a size in characters, about. */
const TABLE: readonly (readonly [what: string, exchangeOfSize: (size: number) => Exchange])[] = [
  [
    'malformed pools',
    (size) =>
      answer(
        '/v1/pools?chainId=1',
        pools((at) => `{"address":${at},"tvl":[],"apr":null}`, size / 40),
      ),
  ],
  [
    'empty pools',
    (size) =>
      answer(
        '/v1/pools?protocol=a',
        pools(() => '{}', size / 3),
      ),
  ],
  [
    'one pool again and again',
    (size) =>
      answer(
        '/v1/pools?chainId=1',
        pools(() => '{"address":"a","protocol":"b"}', size / 31),
      ),
  ],
  [
    'a large pool, and small ones of its address',
    (size) =>
      answer(
        '/v1/pools?chainId=1',
        pools(
          (at) =>
            at === 0 ? `{"address":"a","tokens":"${'x'.repeat(size / 2)}"}` : '{"address":"a"}',
          size / 32,
        ),
      ),
  ],
  [
    'chains',
    (size) =>
      answer(
        '/v1/config/chains',
        `{"status":"success","data":{${list((at) => `"${at}":{"chainId":7}`, size / 20)}}}`,
      ),
  ],
  [
    'chains under words',
    (size) =>
      answer(
        '/v1/config/chains',
        `{"status":"success","data":{${list((at) => `"c${at}":[]`, size / 10)}}}`,
      ),
  ],
  [
    'providers',
    (size) =>
      answer(
        '/v1/config/providers',
        `{"status":"success","data":{"1":[${list((at) => `{"id":"p","type":${at}}`, size / 20)}]}}`,
      ),
  ],
  [
    'providers below a key without end',
    (size) =>
      answer(
        '/v1/config/providers',
        `{"status":"success","data":{"${'k'.repeat(size / 2)}":[${list(() => '{}', size / 6)}]}}`,
      ),
  ],
  ['steps', (size) => answer('/v1/quote', route(list(() => '{}', size / 3)), ZAP)],
  [
    'steps with entries',
    (size) =>
      answer(
        '/v1/quote',
        route(
          list(
            (at) =>
              `{"action":"swap","protocol":{"id":"p${at}"},"output":[{"amount":"5","minReturn":"4","asset":${asset(at)}}]}`,
            size / 190,
          ),
        ),
        ZAP,
      ),
  ],
  [
    'entries of one step',
    (size) =>
      answer(
        '/v1/quote',
        route(`{"output":[${list((at) => `{"amount":"5","asset":${asset(at)}}`, size / 120)}]}`),
        ZAP,
      ),
  ],
  [
    'members that nobody states',
    (size) =>
      answer(
        '/v1/quote',
        `{"status":"success","data":{${list((at) => `"m${at}":0`, size / 9)}}}`,
        ZAP,
      ),
  ],
  [
    'an amount of digits without end',
    (size) => answer('/v1/quote', route('', `"${'9'.repeat(size)}"`), ZAP),
  ],
  [
    'a number of digits without end',
    (size) => answer('/v1/quote', route('', '9'.repeat(size)), ZAP),
  ],
  [
    'repeated keys',
    (size) =>
      answer(
        '/v1/config/chains',
        `{"status":"success",${list((at) => `"k${at % 100}":0`, size / 8)}}`,
      ),
  ],
  [
    'backslashes',
    (size) =>
      answer(
        '/v1/pools',
        pools(() => `"${'\\\\'.repeat(size / 2)}"`, 1),
      ),
  ],
  ['nesting', (size) => answer('/v1/pools', `${'['.repeat(size / 2)}${']'.repeat(size / 2)}`)],
  [
    'nesting that is taken',
    (size) =>
      answer(
        '/v1/pools',
        pools(() => `${'['.repeat(90)}${']'.repeat(90)}`, size / 181),
      ),
  ],
];

/** CPU of judging 100,000 characters from which on shorter texts are enough. */
const SLOW_MS = 60;

test.each(TABLE)('to judge %s takes time in proportion to its length', (_, exchangeOfSize) => {
  const usual = exchangeOfSize(100_000);
  judged(usual);
  // What takes long shows at a quarter of these lengths already how its time grows.
  const usualMs = cpuMs(() => judged(usual), 1);
  const isSlow = usualMs > SLOW_MS;
  const [small, large] = isSlow
    ? [exchangeOfSize(25_000), usual]
    : [usual, exchangeOfSize(400_000)];
  const ratioOnce = (largeMs = cpuMs(() => judged(large))): number => {
    const smallMs = cpuMs(() => judged(small));
    return largeMs / Math.max(5, smallMs);
  };
  // Four times as much in a linear way, sixteen times in a quadratic one. What else the machine does
  // makes a ratio worse, hardly ever that much better.
  let least = isSlow ? ratioOnce(usualMs) : ratioOnce();
  for (let again = 0; again < 3 && least >= 9; again += 1) least = Math.min(least, ratioOnce());
  expect(least).toBeLessThan(9);
});

test('to judge 4 MiB of malformed pools takes a few times what parsing them takes', () => {
  const pool = '{"address":17,"protocol":null,"tokens":5,"tvl":true,"apr":[],"feeTier":{"a":[1]}}';
  const text = pools(() => pool, Math.floor((4 * 1024 * 1024) / (pool.length + 1)));
  const exchange = answer('/v1/pools?chainId=1', text);
  judged(exchange);
  const parsing = cpuMs(() => void JSON.parse(text));
  const judging = cpuMs(() => judged(exchange));
  expect(judging / parsing).toBeLessThan(20);
});
