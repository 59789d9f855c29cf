import { fork } from 'node:child_process';
import type { AccuracyLine, Latencies } from './accuracy.ts';
import type { KnownRow } from './known-row.ts';
import type { KnownServerName } from './known-server.ts';
import type { Post } from './material.ts';
import { ask, inProcess } from './processes.ts';
import { vegetaAtRate } from './programs.ts';

/** Each server, and the rates at which it is asked for so many seconds. */
const ACCURACY: readonly (readonly [server: KnownServerName, perSecond: readonly number[]])[] = [
  ['after 20 ms', [100, 500, 1_500]],
  ['after 1 ms', [100, 500, 1_500, 2_000]],
  ['one in 50 after 200 ms', [100, 500]],
  ['stands still at times', [100, 500]],
];
const ACCURACY_SECONDS = 10;

/** Loads each server at its rates, by the judged load run and by vegeta if there is one. */
export async function measureAccuracy(
  posts: readonly Post[],
  vegeta: string | undefined,
): Promise<AccuracyLine[]> {
  const lines: AccuracyLine[] = [];
  for (const [name, rates] of ACCURACY) {
    const server = fork(new URL('known-server.js', import.meta.url));
    try {
      const port = (await ask(server, { server: name, posts })) as number;
      const sent = posts.map(({ path, body }) => ({ path, body }));
      const job = { url: `http://127.0.0.1:${port}`, posts: sent };
      const truthOf = async (): Promise<Latencies> => (await ask(server, {})) as Latencies;
      for (const perSecond of rates) {
        const rate = { perSecond, seconds: ACCURACY_SECONDS };
        const judged = await inProcess<KnownRow>('known-row.js', { ...job, ...rate });
        const line = { server: name, perSecond, judged, truth: await truthOf() };
        if (vegeta === undefined) lines.push(line);
        else {
          const { reported } = await vegetaAtRate(vegeta, job, rate);
          lines.push({ ...line, other: { reported, truth: await truthOf() } });
        }
      }
    } finally {
      server.kill();
    }
  }
  return lines;
}
