import type { WildLimiter } from './wild-limiter.ts';

/** Each process counts what it is asked, so all together admit between `limit` and `count` times as much. */
function workers(
  chosenBy: 'turn' | 'chance' | 'connection',
  count: number,
  limit: number,
  seconds: number,
): WildLimiter {
  return {
    family: 'workers',
    name: `express-rate-limit, ${count} processes`,
    parameters: `${limit} in ${seconds} s each, by ${chosenBy}`,
    truths: [{ class: 'none', limit: count * limit, seconds }],
    note: 'the window of each begins with the first request that it is asked',
    command: ({ tool }) => ({
      program: process.execPath,
      args: [tool, chosenBy, String(count), String(limit), String(seconds)],
      writesUrl: true,
    }),
  };
}

/** Processes of Node that share no memory. */
export const WORKERS_LIMITERS: readonly WildLimiter[] = [
  workers('turn', 2, 8, 4),
  workers('chance', 2, 8, 4),
  workers('connection', 2, 8, 4),
];
