import { describe, expect, test } from 'vitest';
import { bucketMet } from '../../contracts/run/load/bucket-met.ts';
import type { FanOut } from '../../contracts/run/load/limit-measurement.ts';
import { drawsOf } from './draws.ts';
import { counting, dripping, forwardedFor, sceneOf, TEN, type Scene } from './exhausted.testkit.ts';
import { fanOutOf } from './fan-out.ts';
import { chanceOfAll, shuffled } from './round.ts';
import { rejectsEach } from './stages.ts';

const SEEDS = Array.from({ length: 20 }, (_, seed) => seed + 1);

async function fannedOut(scene: Scene) {
  const { probed, probing, asked } = sceneOf({
    target: { otherAddress: '127.0.0.2' },
    ...scene,
  });
  const { fanOut, after, ending, exhausted } = await fanOutOf(
    probed,
    probing,
    probing.budgetLeft.left.rejects - 6,
  );
  const { estimate } = probed.facts;
  const met = Object.fromEntries(fanOut.map((fan) => [fan.kind, bucketMet(fan, estimate)]));
  return { fanOut, met, asked, after, ending, exhausted };
}

const forgedOf = (fanOut: readonly FanOut[]): FanOut | undefined =>
  fanOut.find(({ kind }) => kind === 'forged-forwarded-for');

describe('whose bucket it is', () => {
  test('one for each address: others are apart, spellings are not', async () => {
    const decides = counting(({ sourceAddress = '' }) => sourceAddress);
    const { met, asked, after, exhausted } = await fannedOut({ decides });
    expect(exhausted).toMatchObject({ failed: 0, admitted: 9 });
    expect(met).toEqual({
      'other-address': 'separate',
      'forged-forwarded-for': 'shared',
      'other-route': 'shared',
      'other-method': 'shared',
      'trailing-slash': 'shared',
      'path-case': 'shared',
    });
    expect(asked.filter(({ reported }) => reported.outcome === 'rejected').length).toBeLessThan(35);
    expect(after).toHaveLength(1);
  });

  test('one for each path, a method of which is not served', async () => {
    const perPath = counting(({ path, sourceAddress = '' }) => `${path} ${sourceAddress}`);
    const decides: Scene['decides'] = (ask, atMs) =>
      ask.method === 'HEAD' ? 405 : perPath(ask, atMs);
    const { met } = await fannedOut({ decides });
    expect(met).toEqual({
      'other-address': 'separate',
      'forged-forwarded-for': 'shared',
      'other-route': 'separate',
      'other-method': 'separate',
      'trailing-slash': 'separate',
      'path-case': 'separate',
    });
  });

  test('one for all: the other address is refused three times', async () => {
    const { fanOut, met } = await fannedOut({ decides: counting(() => 'all') });
    expect(new Set(Object.values(met))).toEqual(new Set(['shared']));
    const trials = fanOut.map(({ kind, trials: { length } = [] }) => [kind, length]);
    expect(Object.fromEntries(trials)).toMatchObject({ 'other-address': 3, 'other-route': 2 });
  });

  test('who may have used up a bucket of his own is asked no more', async () => {
    const decides = counting(({ sourceAddress = '' }) => sourceAddress, 2);
    const { fanOut, met } = await fannedOut({ decides, estimate: { ...TEN, limit: 2 } });
    expect(met).toMatchObject({ 'other-address': 'undecided', 'other-route': 'shared' });
    const other = fanOut.find(({ kind }) => kind === 'other-address');
    expect(other?.trials?.map(({ outcome }) => outcome)).toEqual(['admitted']);
  });

  test('what is not let in is given up after two tries, and undecided', async () => {
    const all = counting(() => 'all');
    const { met, fanOut } = await fannedOut({
      decides: (ask, atMs) => (ask.path.endsWith('/') ? 403 : all(ask, atMs)),
    });
    expect(met['trailing-slash']).toBe('undecided');
    expect(fanOut.find(({ kind }) => kind === 'trailing-slash')?.trials).toHaveLength(2);
  });

  test('nothing is asked on where plain requests come to nothing', async () => {
    let sent = 0;
    const all = counting(() => 'all');
    const { asked } = await fannedOut({
      decides: (ask, atMs) => ((sent += 1) > 30 ? 403 : all(ask, atMs)),
    });
    expect(asked.length).toBeLessThan(40);
  });

  test('few rejections are kept for those that rules judge', async () => {
    const decides = counting(() => 'all');
    const { met, asked } = await fannedOut({ decides, maxRejects: 26 });
    expect(met).toMatchObject({
      'other-address': 'shared',
      'forged-forwarded-for': 'shared',
      'path-case': 'undecided',
    });
    expect(
      asked.filter(({ reported }) => reported.outcome === 'rejected').length,
    ).toBeLessThanOrEqual(20);
  });

  test.each([
    [60, 0, 3, 14],
    [46, 1, 3, 14],
    [32, 2, 3, 14],
    [12, 0, 3, 0],
    [50, 0, 1, 44],
  ])('of %i rejections the bucket at %i of %i may cause %i', (left, nth, buckets, most) => {
    expect(rejectsEach(left, nth, buckets)).toBe(most);
  });

  test('a bucket that fills up meanwhile is exhausted again', async () => {
    const windows = new Map<number, ReturnType<typeof counting>>();
    const decides: Scene['decides'] = (ask, atMs) => {
      const window = Math.floor(atMs / 400);
      const own = windows.get(window) ?? counting(({ sourceAddress = '' }) => sourceAddress);
      windows.set(window, own);
      return own(ask, atMs);
    };
    const { met } = await fannedOut({ decides, fullSeconds: 0.4, maxRejects: 120 });
    expect(met).toMatchObject({ 'forged-forwarded-for': 'shared', 'other-route': 'shared' });
    expect(met['other-address']).not.toBe('shared');
  });
});

describe('a forged X-Forwarded-For', () => {
  const believing = counting((ask) => forwardedFor(ask) ?? ask.sourceAddress ?? '');

  test('that is believed is told, with a chance of error below one in a million', async () => {
    const { fanOut, met, asked } = await fannedOut({ decides: believing });
    expect(met['forged-forwarded-for']).toBe('separate');
    const forged = forgedOf(fanOut);
    expect(forged?.chance).toBeLessThanOrEqual(1e-6);
    const telling = forged?.trials?.filter(
      ({ before, after }) => before === 'rejected' && after === 'rejected',
    );
    expect(telling?.length).toBeGreaterThanOrEqual(10);
    expect(asked.filter(({ reported }) => reported.outcome === 'rejected').length).toBeLessThan(50);
  });

  test('that is believed is told though a token comes now and then', async () => {
    const plain = dripping(10, 2);
    let addresses = 0;
    const decides: Scene['decides'] = (ask, atMs) =>
      forwardedFor(ask) !== undefined && (addresses += 1) > 0 ? 200 : plain(ask, atMs);
    const { met } = await fannedOut({ decides });
    expect(met['forged-forwarded-for']).toBe('separate');
  });

  // Each of them admits plain requests just as well, at moments that a fixed order may keep step with.
  test.each<[string, (seed: number) => Scene['decides']]>([
    ['a token comes within a round trip', () => dripping(10, 120)],
    ['a token comes every two round trips', () => dripping(10, 1000 / 14)],
    ['a token comes every three round trips', () => dripping(10, 1000 / 21)],
    [
      'every other request is let in',
      () => {
        let sent = 0;
        return () => ((sent += 1) < 12 || sent % 2 === 0 ? 200 : 429);
      },
    ],
    [
      'workers count for themselves',
      (seed) => {
        const draw = drawsOf(seed + 1000);
        return counting(() => `${Math.floor(3 * draw())}`);
      },
    ],
    [
      'a part is let in by chance',
      (seed) => {
        const draw = drawsOf(seed + 2000);
        return () => (draw() < 0.4 ? 200 : 429);
      },
    ],
  ])('is never said to be believed where %s', async (_, decidesOf) => {
    for (const seed of SEEDS) {
      const { met } = await fannedOut({ decides: decidesOf(seed), seed });
      expect(met['forged-forwarded-for'], `seed ${seed}`).not.toBe('separate');
    }
  });

  test('is not said to be believed by a limiter that keeps step with the rounds', async () => {
    const most: Scene = { decides: () => 0, target: {}, maxRejects: 500 };
    for (const seed of SEEDS) {
      let [sent, round, place, lastMs] = [0, 0, 0, 0];
      // As if the kinds came first in each round: they are those that it lets in.
      const decides: Scene['decides'] = (_, atMs) => {
        sent += 1;
        const isNew = sent === 11 || (sent > 11 && atMs - lastMs > 7.5);
        if (isNew) round += 1;
        place = isNew ? 0 : place + 1;
        lastMs = atMs;
        if (sent <= 10) return 200;
        return place >= 1 && place <= ([0, 5, 5, 14][round] ?? 6) ? 200 : 429;
      };
      const { met } = await fannedOut({ ...most, decides, seed });
      expect(met['forged-forwarded-for'], `seed ${seed}`).not.toBe('separate');
    }
  });
});

test('the order of a round is drawn: each place as likely as any other', async () => {
  const places = new Map<number, number>();
  for (let seed = 1; seed <= 90; seed += 1) {
    const { asked } = await fannedOut({ decides: counting(() => 'all'), seed, target: {} });
    const first = asked.findIndex(({ reported }) => reported.outcome === 'rejected');
    const place = asked.findIndex(({ ask }) => forwardedFor(ask) !== undefined) - first;
    places.set(place, (places.get(place) ?? 0) + 1);
  }
  // Five kinds and four plain requests, after the one with which the round begins.
  expect([...places.keys()].sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(Math.max(...places.values())).toBeLessThan(25);
});

test('all orders of three are drawn about as often', () => {
  const draw = drawsOf(7);
  const seen = new Map<string, number>();
  for (let times = 0; times < 1200; times += 1) {
    const order = shuffled(['a', 'b', 'c'], draw).join('');
    seen.set(order, (seen.get(order) ?? 0) + 1);
  }
  expect(seen.size).toBe(6);
  expect(Math.min(...seen.values())).toBeGreaterThan(140);
});

test.each([
  [1, 1, 5, 1 / 5],
  [1, 2, 5, 2 / 5],
  [2, 2, 7, 1 / 21],
  [6, 6, 11, 1 / 462],
  [6, 7, 11, 7 / 462],
  [2, 1, 5, 0],
])('%i of a kind among %i admitted of %i: by chance %d', (asked, admitted, slots, chance) => {
  expect(chanceOfAll(asked, admitted, slots)).toBeCloseTo(chance, 12);
});
