import { expect, test } from 'vitest';
import type { ExchangeSketch } from '../../contracts/judging/exchange.testkit.ts';
import { ServiceReplies } from '../../contracts/judging/replies/service-replies.ts';
import { View } from '../../contracts/judging/view.ts';
import { loadContract } from '../../contracts/service/load-contract.ts';
import type { ClientRequest } from '../../target/transport/client.ts';
import { answered } from './answered.testkit.ts';
import { prepareLastLook } from './last-look.ts';

const contract = await loadContract();
const VALID = { kind: 'valid' } as const;
const POOLS: ClientRequest = { api: 'zap', method: 'GET', path: '/v1/pools', purpose: VALID };
const QUOTE: ClientRequest = { ...POOLS, method: 'POST', path: '/v1/quote', json: { a: 1 } };

/** Sends a request so often, looks a last time, and returns what was sent then. */
async function lookedAt(
  request: ClientRequest,
  times: number,
  answer: (time: number) => Partial<ExchangeSketch>,
  isSpent = (): boolean => false,
  isConfirmed = false,
): Promise<readonly string[]> {
  let time = 0;
  const { session, sent } = answered(contract, () => {
    time += 1;
    return { answered: {}, ...answer(time) };
  });
  const replies = new ServiceReplies();
  session.client.listen((exchange) => {
    replies.add(new View(exchange, contract));
  });
  const pauses: number[] = [];
  const clock = { sleep: (ms: number) => Promise.resolve(void pauses.push(ms)) };
  const look = prepareLastLook(
    { ...session, clock, service: { ...session.service, isSpent } },
    replies,
  );
  for (let at = 0; at < times; at += 1) await session.client.send(request);
  const before = sent.length;
  await look.ask();
  if (isConfirmed) await look.confirm();
  return [...sent.slice(before).map(({ path }) => path), ...pauses.map((ms) => `waited ${ms}`)];
}

test('what was served at last is asked for once', async () => {
  const answer = (time: number): Partial<ExchangeSketch> => ({ status: time === 3 ? 503 : 200 });
  expect(await lookedAt(POOLS, 4, answer)).toEqual(['/v1/pools']);
});

test('what fails right after it was served is asked for until it has failed eight times', async () => {
  const sent = await lookedAt(POOLS, 4, (time) => ({ status: time > 4 ? 503 : 200 }));
  expect(sent).toHaveLength(8);
});

test('what was never served is not asked for again', async () => {
  expect(await lookedAt(POOLS, 4, () => ({ status: 503 }))).toEqual([]);
});

test('what failed at last is asked for until it is served', async () => {
  const sent = await lookedAt(POOLS, 4, (time) => ({ status: time > 3 && time < 7 ? 503 : 200 }));
  expect(sent).toEqual(Array.from({ length: 3 }, () => '/v1/pools'));
});

test('what fails from now on is asked for until it has failed eight times', async () => {
  const sent = await lookedAt(POOLS, 4, (time) => ({ status: time > 3 ? 503 : 200 }));
  expect(sent).toHaveLength(7);
});

test('what is refused from now on is asked for until it was refused twenty times', async () => {
  const sent = await lookedAt(POOLS, 4, (time) => ({ status: time > 3 ? 400 : 200 }));
  expect(sent).toHaveLength(19);
});

test('what may be possible once is asked for again only after it was refused eight times', async () => {
  const answer = (time: number): Partial<ExchangeSketch> => ({ status: time > 1 ? 400 : 200 });
  expect(await lookedAt(QUOTE, 8, answer)).toEqual([]);
  expect(await lookedAt(QUOTE, 9, answer)).toHaveLength(12);
});

test('what may be asked for any number of times is asked for again once it is not there', async () => {
  const answer = (time: number): Partial<ExchangeSketch> => ({ status: time > 1 ? 404 : 200 });
  expect(await lookedAt(QUOTE, 4, answer)).toHaveLength(17);
  expect(await lookedAt(QUOTE, 4, answer, () => true)).toEqual([]);
});

test('what is paid for, in conflict or throttled says nothing of its end, and is asked for once', async () => {
  for (const status of [402, 409, 429]) {
    const answer = (time: number): Partial<ExchangeSketch> => ({ status: time > 3 ? status : 200 });
    expect(await lookedAt(POOLS, 4, answer)).toEqual(['/v1/pools']);
  }
});

test('what has ended is asked for again after pauses, until it is served', async () => {
  const until = (last: number) => (time: number) => ({
    status: time > 4 && time < last ? 503 : 200,
  });
  const sent = await lookedAt(POOLS, 4, until(13), undefined, true);
  expect(sent.slice(8)).toEqual(['/v1/pools', 'waited 1000']);
  const twice = await lookedAt(POOLS, 4, until(99), undefined, true);
  expect(twice.slice(8)).toEqual(['/v1/pools', '/v1/pools', 'waited 1000', 'waited 5000']);
  expect(await lookedAt(POOLS, 4, until(0), undefined, true)).toEqual(['/v1/pools']);
});
