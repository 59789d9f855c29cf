import type { AddressInfo } from 'node:net';
import { type Behaviour, delay, stall, twoModes } from '../../fixtures/truths/behaviours.ts';
import { truthServer } from '../../fixtures/truths/server.ts';
import { LatencyHistogram } from '../../load/samples/latency-histogram.ts';
import type { Latencies } from './accuracy.ts';
import type { Post } from './material.ts';

/** The servers of which latencies are known. */
export type KnownServerName =
  'after 20 ms' | 'after 1 ms' | 'one in 50 after 200 ms' | 'stands still at times';

const KNOWN: Readonly<Record<KnownServerName, () => Behaviour>> = {
  'after 20 ms': () => delay(20),
  'after 1 ms': () => delay(1),
  'one in 50 after 200 ms': () => twoModes(20, 200, 50),
  'stands still at times': () => stall(20, 5_000, 1_000),
};

/** What a process of one is started with. */
export interface KnownServerJob {
  readonly server: KnownServerName;
  readonly posts: readonly Post[];
}

/** A server in a process of its own: reports its port, and what it took for the answers since it was last asked. */
process.once('message', ({ server: name, posts }: KnownServerJob) => {
  const answers = new Map(posts.map((post) => [post.body, { next: 0, of: post.answers }]));
  let took = LatencyHistogram.create();
  let behaviour = KNOWN[name]();
  const server = truthServer({
    behaviour: (arrivedMs, number) => behaviour(arrivedMs, number),
    answer: (body) => {
      const turn = answers.get(body);
      return turn?.of[turn.next++ % turn.of.length] ?? '{}';
    },
    took: (ms) => {
      took.record(ms);
    },
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
  process.on('message', () => {
    const reported: Latencies = { p50Ms: took.quantileMs(0.5), p99Ms: took.quantileMs(0.99) };
    took = LatencyHistogram.create();
    behaviour = KNOWN[name]();
    process.send?.(reported);
  });
});

// Nobody is left to ask it.
process.once('disconnect', () => {
  process.exit();
});
