import type { WildLimiter } from './wild-limiter.ts';

/** GCRA: a burst of so many, and one more after each period. */
function governor(limit: number, periodMs: number): WildLimiter {
  const perSecond = 1000 / periodMs;
  return {
    family: 'rust',
    name: 'governor',
    parameters: `${limit} at once, one each ${periodMs} ms`,
    truths: [{ class: 'token-bucket', limit, perSecond, seconds: limit / perSecond }],
    command: ({ tool, port }) => ({
      program: tool,
      args: [String(port), String(limit), String(periodMs)],
    }),
  };
}

/** The library governor, for all clients together. */
export const RUST_LIMITERS: readonly WildLimiter[] = [governor(12, 200), governor(5, 1500)];
