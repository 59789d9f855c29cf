import { mutationsOf, type Mutation } from '../mutation.ts';

const LIMITS = 'load/limits';
const REPLAY = `${LIMITS}/estimate/replay.spec.ts`;
const PROOF = `${LIMITS}/estimate/proof.spec.ts`;

/** What is concluded from a transcript: posterior, proof, and what to ask next. */
export const ESTIMATE_MUTATIONS: readonly Mutation[] = [
  ...mutationsOf(
    `${LIMITS}/estimate/posterior.ts`,
    [PROOF, `${LIMITS}/estimate/posterior.spec.ts`],
    [
      [
        'posterior.reportsHold && ordered.length === 1 ? ordered',
        'posterior.reportsHold ? ordered',
        'the word of a service on several at once is evidence',
      ],
      [
        'const most = Math.max(...posterior.asleep.map(({ weight }) => weight));',
        'const most = Math.min(...posterior.asleep.map(({ weight }) => weight));',
        'a class that is not followed is never followed again',
      ],
      [
        'all.trackers.length <= FEW_CLASSES',
        'before.trackers.length < 0',
        'what was dropped is never looked at again',
      ],
      ['if (tracker.cut) lost.add', 'lost.add', 'what was ruled out for good is thought lost'],
    ],
  ),
  ...mutationsOf(
    `${LIMITS}/estimate/telling.ts`,
    [`${LIMITS}/estimate/telling.spec.ts`],
    [
      ['reportsHold || Math', 'Math', 'the word of a service is not enough'],
      [
        ' - log10ByHabit(transcript.events) >= leastLog10',
        ' >= -leastLog10',
        'it explains enough, however little there was to explain',
      ],
      ['counts[kind] += 1;', 'counts.same += 1;', 'a habit of changing is not learned'],
    ],
  ),
  ...mutationsOf(
    `${LIMITS}/estimate/proof.ts`,
    [`${LIMITS}/estimate/estimate.spec.ts`],
    [
      [
        'isTelling(posterior, isOdd ? ODD_TOLD : undefined) && ',
        '',
        'what explains no more than habit does is named',
      ],
    ],
  ),
  ...mutationsOf(
    `${LIMITS}/estimate/bursts.ts`,
    [`${LIMITS}/estimate/posterior.spec.ts`],
    [
      [
        'endMs = Math.min(endMs, event.receivedMs);',
        'endMs = event.receivedMs;',
        'requests one after another become one burst',
      ],
      [
        "return outcome === 'rejected' ? 1 : 0;",
        "return outcome === 'rejected' ? 0 : 1;",
        'the rejections of a burst come before its admissions',
      ],
    ],
  ),
  ...mutationsOf(
    `${LIMITS}/estimate/estimate.ts`,
    [PROOF, REPLAY, `${LIMITS}/estimate/estimate.spec.ts`],
    [
      [
        'isSettled && isProven(posterior, name)',
        'isSettled',
        'a class is named that was never proven',
      ],
      [
        'best.probability >= MIN_SURE_PROBABILITY && isPrecise(best)',
        'best.probability >= MIN_SURE_PROBABILITY',
        'a class is named with values that nobody knows',
      ],
      [
        'refillPerSecond: { value: 1000 / time.value, lo: 1000 / time.hi, hi: 1000 / time.lo },',
        'refillPerSecond: { value: 1000 / time.value, lo: 1000 / time.lo, hi: 1000 / time.hi },',
        'the bounds of a rate are turned round',
      ],
      [
        'filling(time.value * limit.value, likely)',
        'scaled(time, 1 / 1000)',
        'a bucket fills in the time of one token',
      ],
      [
        "isReported ? 'above-budget' : 'unlimited-within-budget'",
        "isReported ? 'unlimited-within-budget' : 'above-budget'",
        'a limit that is claimed and not met is none',
      ],
      [
        'const confidence = Math.min(MAX_SURE, best.probability);',
        'const confidence = best.probability;',
        'an estimate is surer than any can be',
      ],
      [
        "else if (outcome === 'rejected') run = 0;\n    longest",
        'else run = 0;\n    longest',
        'a failed request ends a run of admissions',
      ],
    ],
  ),
  ...mutationsOf(
    `${LIMITS}/estimate/replay-bounds.ts`,
    [REPLAY],
    [
      [
        "if (outcome === 'rejected') return count < limit;",
        "if (outcome === 'rejected') return false;",
        'a rejection below the limit is explained',
      ],
      [
        'limit + come(receivedMs - from.event.sentMs, everyMs.lo, 1) + ROUNDED',
        '2 * limit + come(receivedMs - from.event.sentMs, everyMs.lo, 1) + ROUNDED',
        'a bucket admits twice what it holds',
      ],
      [
        'return beside.length < limit;',
        'return beside.length < 1;',
        'one other is as many as the limit',
      ],
    ],
  ),
  ...mutationsOf(
    `${LIMITS}/models/usual.ts`,
    [`${LIMITS}/models/usual.spec.ts`],
    [
      [
        'if (ms >= lo && ms <= hi) usual += 1;',
        'if (ms > lo && ms < hi) usual += 1;',
        'a usual value at an end of the interval is not in it',
      ],
      [
        'for (const ms of new Set(reportedMs)) add(ms, 0.1);',
        'for (const ms of reportedMs) add(ms, 0.1);',
        'a window that is reported twice is twice as likely',
      ],
    ],
  ),
  ...mutationsOf(
    `${LIMITS}/estimate/weight.ts`,
    [`${LIMITS}/estimate/weight.spec.ts`],
    [
      [
        "candidate.class === 'fixed-window' && limit.hi === 1",
        'false',
        'no rate of single requests is usual',
      ],
      [
        'SAME_WITH_ONE.has(name) && !isQuick',
        'SAME_WITH_ONE.has(name)',
        'no class fits ten requests a second, one at a time',
      ],
      [
        'at(windowMs / limit)',
        'at(windowMs)',
        'the window that is reported of a bucket is taken for the time of one token',
      ],
      [
        'context.startsAnew && !PUT_OFF.has(candidate.class)',
        'context.startsAnew && PUT_OFF.has(candidate.class)',
        'waits that start anew speak against limiters that put off',
      ],
      [
        'return sum(reported, scaled(unreported, 1 - REPORTED));',
        'return reported;',
        'what is reported rules out all else',
      ],
    ],
  ),
  ...mutationsOf(
    `${LIMITS}/estimate/proof.ts`,
    [PROOF],
    [
      [
        'return !AT_ONCE.has(name) || limit.hi === 1 ||',
        'return AT_ONCE.has(name) || limit.hi === 1 ||',
        'a window is named that may be a bucket',
      ],
      ['const RUNS = 2;', 'const RUNS = 1;', 'a limit that was used up once is proven'],
      [
        '|| isBeyondBucket(events, top.candidate)',
        '|| !isBeyondBucket(events, top.candidate)',
        'what a bucket does proves a window',
      ],
      [
        'if (!isChosen && !isSeenAsItIs(events, top.candidate)) return false;',
        '',
        'a window that nobody would choose is named as it looked once',
      ],
      [
        'return isBack(events) && timesClosed',
        'return timesClosed',
        'it is named where it did not open when it should',
      ],
      [
        'const used = isWindow ? lately : admitted;',
        'const used = admitted;',
        'a run over two windows speaks against both',
      ],
    ],
  ),
  ...mutationsOf(
    `${LIMITS}/planner/progress.ts`,
    [`${LIMITS}/planner/progress.spec.ts`],
    [
      [
        'const often = isReported ? 0 : (idle.get(last.kind) ?? 0) + 1;',
        'const often = (idle.get(last.kind) ?? 0) + 1;',
        'what shows something counts as idle',
      ],
      ['>= MAX_IDLE;', '> MAX_IDLE;', 'what reported nothing three times is done once more'],
    ],
  ),
  ...mutationsOf(
    `${LIMITS}/planner/paced-check.ts`,
    [`${LIMITS}/planner/paced-check.spec.ts`],
    [
      [
        "name === 'penalty' ? Math.min(hi, PENALTY_TIMES * lo) : hi",
        'hi',
        'a client is so slow that it never meets a penalty',
      ],
      [
        'return count > limit.value;',
        'return count >= limit.value;',
        'what one window lets in shows that admissions restart none',
      ],
      [
        "name === 'restart-on-reject' ? Infinity : MOST",
        'MOST',
        'a great window that each request restarts is not met',
      ],
      ['(SLOWER * 1000 * seconds)', '(1000 * seconds)', 'a client is as fast as the limit itself'],
    ],
  ),
];
