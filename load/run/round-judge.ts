import type { LiveJudge, LiveJudged } from '../judging/live-judge.ts';

/** What a round adds to what came before it. */
export interface RoundPlace {
  /** From 0. */
  readonly round: number;
  /** Requests that the schedule of one round holds. */
  readonly slots: number;
  /** From the start of the first round to that of this one, at least. */
  readonly beganMs: number;
}

/** Nothing: what one judge found in all rounds is reported at the end of the last. */
const REPORTED_LATER: LiveJudged = {
  judged: { answers: 0, of: 0, kept: 0 },
  violations: [],
  steps: [],
  notices: [],
};

/**
 * The judge of several rounds as one of them sees it: exchanges, whose ids begin again in each, get ids
 * that no other round has, and it stays open when the round ends.
 */
export function judgeOfRound(judge: LiveJudge, { round, slots, beganMs }: RoundPlace): LiveJudge {
  const before = judge.counts();
  return {
    ...judge,
    wants: ({ slot, endMs, fate }) =>
      judge.wants({ slot: slot + round * slots, endMs: endMs + beganMs, fate }),
    exchange: (exchange, step) => {
      judge.exchange({ ...exchange, id: idInRun(exchange.id, round * slots) }, step);
    },
    counts: () => {
      const { judged, broken } = judge.counts();
      return { judged: judged - before.judged, broken: broken - before.broken };
    },
    end: () => Promise.resolve(REPORTED_LATER),
  };
}

/** `x00007` of a round that begins after 100 requests is `x00107`. */
function idInRun(id: string, before: number): string {
  const number = /^x(\d+)$/.exec(id)?.[1];
  return number === undefined ? id : `x${String(Number(number) + before).padStart(5, '0')}`;
}
