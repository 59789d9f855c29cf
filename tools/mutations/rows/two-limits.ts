import { mutationsOf, type Mutation } from '../mutation.ts';

const LIMITS = 'load/limits';

/** Two limits at once, and what only looks like one. */
export const TWO_LIMITS_MUTATIONS: readonly Mutation[] = [
  ...mutationsOf(
    `${LIMITS}/planner/stack-plan.ts`,
    [`${LIMITS}/planner/stack-plan.spec.ts`],
    [
      ['atMs: dueMs + at * spacingMs,', 'atMs: dueMs,', 'what goes on alike comes at once'],
      ['const WEIGHED_EACH = 0.02;', 'const WEIGHED_EACH = 0.2;', 'a fifth of all is not weighed'],
      [
        'const TIMES_IN_A_ROW = 2;',
        'const TIMES_IN_A_ROW = 20;',
        'a second limit that is none is asked on',
      ],
    ],
  ),
  ...mutationsOf(
    `${LIMITS}/estimate/stacked.ts`,
    [`${LIMITS}/estimate/stacked.spec.ts`],
    [
      [
        "if ((passed.at(-2) ?? last)?.outcome !== 'rejected') beyond += 1;",
        'beyond += 1;',
        'rejections in a row count as many',
      ],
      [
        'const seen = all ? counted : passed;',
        'const seen = passed;',
        'an outer limit counts only what the inner one admits',
      ],
    ],
  ),
  ...mutationsOf(
    `${LIMITS}/estimate/stacked.ts`,
    [`${LIMITS}/simulated/misfits.spec.ts`],
    [
      [
        'if (NOT_INNER.has(best.class)) continue;',
        '',
        'a window that each request restarts is two limits',
      ],
    ],
  ),
  ...mutationsOf(
    `${LIMITS}/estimate/two-limits.ts`,
    [`${LIMITS}/estimate/two-limits.spec.ts`],
    [
      ['|| beyond < MIN_BEYOND', '|| beyond < 1', 'one rejection makes an outer limit'],
      [
        'rateOf(inner) > APART * rateOf(outer)',
        'rateOf(inner) > 0',
        'a limit is reported apart from itself',
      ],
      [
        'within === null ? null : onlyInner(stack.inner, within)',
        'stack.inner',
        'an inner limit is named beside another one that does as well',
      ],
      [
        'otherwise === undefined ? best : outerOf(otherwise)',
        'best',
        'an outer limit is named that depends on what it counts',
      ],
    ],
  ),
  ...mutationsOf(
    `${LIMITS}/estimate/coincidence.ts`,
    [`${LIMITS}/estimate/coincidence.spec.ts`],
    [
      [
        'accidents >= MIN_ACCIDENTS && accidents > others',
        'accidents >= MIN_ACCIDENTS',
        'two accidents speak against whatever was seen often',
      ],
      ['const SHORT = 0.05;', 'const SHORT = 1;', 'two windows in a row are an accident'],
      [
        'runsOfClass(found, events).some(({ isAccident }) => isAccident)',
        'runsOfClass(found, events).some(({ admitted }) => admitted > 0)',
        'each run counts as an accident',
      ],
    ],
  ),
  ...mutationsOf(
    `${LIMITS}/estimate/proof.ts`,
    [`${LIMITS}/estimate/proof.spec.ts`, `${LIMITS}/estimate/runs-before-naming.spec.ts`],
    [
      [
        'const SEEN_TO_OPEN = 0.25;',
        'const SEEN_TO_OPEN = 2;',
        'long silences prove a counter of rejections',
      ],
      ['isOdd ? ODD_TOLD : undefined', 'undefined', 'an odd time is named as soon as a usual one'],
      ['limit.hi <= FEW);', 'limit.hi <= VERY_FEW);', 'a small refill is named after two runs'],
      ['ms <= FEW_SECONDS_MS', 'ms > 0', 'any whole second counts as usual'],
      ['!isAside(ms, candidate.timeMs)', 'ms > 0', 'a usual time at one end is believed'],
      ['COUNTERS.has(name) ? 1 : 0', '0', 'a counter is named as soon as a log'],
    ],
  ),
  ...mutationsOf(
    `${LIMITS}/estimate/beyond-bucket.ts`,
    [`${LIMITS}/estimate/proof.spec.ts`],
    [
      [
        'least = Math.min(least, count',
        'least = Math.max(least === Infinity ? 0 : least, count',
        'a bucket is reckoned with from the wrong request on',
      ],
    ],
  ),
  ...mutationsOf(
    `${LIMITS}/estimate/reported-limit.ts`,
    [`${LIMITS}/estimate/posterior.spec.ts`],
    [
      [
        'report === undefined || (report.limit === limit && report.windowSeconds === windowSeconds)',
        'report === undefined || report.limit === limit',
        'windows that are reported differently are reported alike',
      ],
      [
        '[...new Set(windows)].slice(0, 8).map((seconds) => seconds * 1000)',
        '[...new Set(windows)].slice(0, 8)',
        'seconds that are reported are taken for milliseconds',
      ],
    ],
  ),
  ...mutationsOf(
    `${LIMITS}/models/usual.ts`,
    [`${LIMITS}/models/usual.spec.ts`],
    [
      [
        '&& hi / lo <= PRECISE_RATIO',
        '&& hi / lo > 0',
        'a usual value is never believed at the end of a wide interval',
      ],
    ],
  ),
  ...mutationsOf(
    `${LIMITS}/planner/experiment.ts`,
    [`${LIMITS}/planner/experiment.spec.ts`],
    [
      ['* TIMES_LEAST) + MORE_THAN_LEAST', ')', 'as many are sent as both hypotheses admit'],
      ['count <= MAX_SOME * most ?', 'count <= most ?', 'nearly a burst is sent for some'],
    ],
  ),
  ...mutationsOf(
    `${LIMITS}/planner/sending.ts`,
    [`${LIMITS}/planner/sending.spec.ts`],
    [
      ['together === true && sent > 0', 'together === true', 'the first goes with all others'],
      ['FASTER * perMs * tookMs', '1', 'a bucket refills faster than it is used up'],
      ['sent >= 2 ? Math.min(sent, ', 'sent >= 2 ? Math.min(count, ', 'a burst grows at once'],
    ],
  ),
  ...mutationsOf(
    `${LIMITS}/planner/upset.ts`,
    [`${LIMITS}/planner/upset.spec.ts`],
    [
      ['was < UNLIKELY && isByRejection', 'isByRejection', 'what was likely counts as an upset'],
      ['was < UNLIKELY && isByRejection', 'was < UNLIKELY', 'an admission makes an upset'],
      ['events.slice(upset.count)', 'events', 'what came before confirms an upset'],
    ],
  ),
  ...mutationsOf(
    `${LIMITS}/planner/looks.ts`,
    [`${LIMITS}/planner/run-probe.spec.ts`],
    [
      [
        '.length >= MAX_PASSING',
        '.length > 100',
        'requests at once are looked for whatever passes',
      ],
    ],
  ),
  ...mutationsOf(
    `${LIMITS}/estimate/posterior.ts`,
    [`${LIMITS}/estimate/posterior.spec.ts`],
    [['const all = followed(before);', 'const all = before;', 'what is noted is never followed']],
  ),
  ...mutationsOf(
    `${LIMITS}/planner/proving.ts`,
    [`${LIMITS}/planner/proving.spec.ts`],
    [
      ['asked.take(beforeMs, 1);', '', 'a rejection that was caused is not reckoned with'],
      [
        'isOpen ? LATE_CLOSED : LATE',
        'LATE',
        'a window is hardly closed when it is to be seen closed',
      ],
      ['if (!isOpen) return [back];', 'return [back];', 'it is not asked before its end'],
      ['Math.min(left, MAX_REST * limit.hi)', 'left', 'a whole limit is spent on what is likely'],
    ],
  ),
  ...mutationsOf(
    `${LIMITS}/estimate/shaping-queue.ts`,
    [`${LIMITS}/estimate/shaping.spec.ts`],
    [
      [
        '|| a.receivedMs - b.receivedMs',
        '|| a.sentMs - b.sentMs',
        'requests keep their order on their way',
      ],
    ],
  ),
  ...mutationsOf(
    `${LIMITS}/planner/before-naming.ts`,
    [`${LIMITS}/planner/before-naming.spec.ts`],
    [['|| hint.toMs <= nowMs ||', '|| hint.toMs > 0 ||', 'no announcement is tried']],
  ),
  ...mutationsOf(
    `${LIMITS}/estimate/shaping-fit.ts`,
    [`${LIMITS}/estimate/shaping.spec.ts`],
    [
      [
        'Math.min(dueMs(event), ms) > mostOff',
        'dueMs(event) > mostOff',
        'a queue is named where no answer waited',
      ],
      [
        '[...all, median(alone), Math.max(...alone)]',
        'all',
        'a queue that holds one back is not seen',
      ],
    ],
  ),
];
