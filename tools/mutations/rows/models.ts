import { mutationsOf, type Mutation } from '../mutation.ts';

const LIMITS = 'load/limits';
const EITHER_WAY = `${LIMITS}/models/either-way.spec.ts`;
const REPLAY = `${LIMITS}/estimate/replay.spec.ts`;
const PROOF = `${LIMITS}/estimate/proof.spec.ts`;

/** What each model of a limiter makes of a transcript. */
export const MODEL_MUTATIONS: readonly Mutation[] = [
  ...mutationsOf(
    `${LIMITS}/models/fixed-window.ts`,
    [EITHER_WAY, PROOF, `${LIMITS}/models/first-run.spec.ts`],
    [
      [
        'atMost(state.limit, state.count)',
        'atMost(state.limit, state.count + 1)',
        'a limit is one higher than what was admitted',
      ],
      [
        'const opened = restarts ? decided : state.opened;',
        'const opened = decided;',
        'every rejection opens the window anew',
      ],
      [
        'decided.lo - state.opened.hi',
        'decided.hi - state.opened.lo',
        'a window is longer than is known, by a round trip',
      ],
    ],
  ),
  ...mutationsOf(
    `${LIMITS}/models/sliding-log.ts`,
    [
      `${LIMITS}/models/sliding-log.spec.ts`,
      EITHER_WAY,
      REPLAY,
      `${LIMITS}/estimate/stacked.spec.ts`,
    ],
    [
      [
        'const old = counted[counted.length - limit];',
        'const old = counted[counted.length - limit - 1];',
        'the request before the oldest one decides',
      ],
      [
        "name === 'sliding-log' ? counted : all",
        "name === 'sliding-log' ? all : counted",
        'rejections count where they do not, and do not where they do',
      ],
      [
        'atLeast(windowMs, event.sentMs - old.receivedMs)',
        'atLeast(windowMs, event.receivedMs - old.sentMs)',
        'a window is longer than is known, by a round trip',
      ],
    ],
  ),
  ...mutationsOf(
    `${LIMITS}/models/buckets/token-bucket.ts`,
    [
      `${LIMITS}/models/buckets/token-bucket.spec.ts`,
      EITHER_WAY,
      `${LIMITS}/models/ahead.spec.ts`,
      `${LIMITS}/models/buckets/whole-tokens.spec.ts`,
    ],
    [
      [
        'const x = count - capacity + 1;',
        'const x = count - capacity + 2;',
        'a token more has come than is counted',
      ],
      [
        'admitted.receivedMs.leastSlopeTo(x, sentMs, count)',
        'admitted.sentMs.leastSlopeTo(x, sentMs, count)',
        'a rejection says more than is known, by a round trip',
      ],
      [
        'isEmpty(tokenMs) ? [] : [{ capacity,',
        'most < 200 ? [] : [{ capacity,',
        'quick tokens of a long burst are ruled out at once',
      ],
      ['middleMs.highestAbove(timeMs, count)', '0', 'a bucket that was full gets fuller meanwhile'],
    ],
  ),
  ...mutationsOf(
    `${LIMITS}/models/upper-hull.ts`,
    [`${LIMITS}/models/upper-hull.spec.ts`],
    [
      ['if (!isBelow) break;', 'break;', 'no point is ever below the hull'],
      ['if (slope > least) break;', 'break;', 'only the last two points are looked at'],
      ['[...this.lefts, top]', '[...this.lefts, x - 1]', 'the hull is all points'],
    ],
  ),
  ...mutationsOf(
    `${LIMITS}/models/concurrency.ts`,
    [`${LIMITS}/models/concurrency.spec.ts`],
    [
      [
        'if (beside === 0) return null;',
        '',
        'a request that was rejected alone was one too many at once',
      ],
      [
        'next?.rejected === 0 && next.admitted >= fewest',
        'next?.rejected === 0',
        'a burst of one that passes counts as a round',
      ],
      ['MAX_EXCESS = 0.9', 'MAX_EXCESS = 90', 'a burst of any size may exceed the limit'],
      [
        'filter(({ receivedMs }) => receivedMs > lastMs)',
        'filter(({ receivedMs }) => receivedMs > 0)',
        'what was done before the last came counts as under way',
      ],
    ],
  ),
  ...mutationsOf(
    `${LIMITS}/models/buckets/refill-level.ts`,
    [
      `${LIMITS}/models/buckets/refill-level.spec.ts`,
      `${LIMITS}/models/buckets/interval-refill.spec.ts`,
    ],
    [
      [
        'return at(q.lo) || at(q.hi);',
        'return at(q.lo) && at(q.hi);',
        'a sum that may be the least is dropped',
      ],
      ['if (constant <= 0) return [q];', 'if (constant < 0) return [q];', 'no token is a token'],
      [
        'const gain = factor + refills - capacity.factor;',
        'const gain = factor + refills;',
        'a bucket is full although it grew with the refill',
      ],
    ],
  ),
  ...mutationsOf(
    `${LIMITS}/models/grid.ts`,
    [`${LIMITS}/models/grid.spec.ts`, `${LIMITS}/models/clock-window.spec.ts`],
    [
      [
        'const from = Math.max(least, passed.lo);',
        'const from = passed.lo;',
        'fewer windows have ended than must have',
      ],
      [
        'cut(moved, 0, event.receivedMs, 1), 1, event.sentMs, -1)',
        'cut(moved, 0, event.sentMs, 1), 1, event.receivedMs, -1)',
        'a request was decided at no time but both ends of its trip',
      ],
    ],
  ),
  ...mutationsOf(
    `${LIMITS}/models/failed-run.ts`,
    [`${LIMITS}/models/failed-run.spec.ts`, EITHER_WAY],
    [['MAX_UNLIKE = 4', 'MAX_UNLIKE = 0', 'of failed requests none may be unlike the others']],
  ),
];
