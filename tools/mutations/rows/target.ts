import { mutationsOf, type Mutation } from '../mutation.ts';

const TARGET = 'target';

/** The pacer, the budget and the record of a run. */
export const TARGET_MUTATIONS: readonly Mutation[] = [
  ...mutationsOf(
    `${TARGET}/budget/adaptive-pacer.ts`,
    [`${TARGET}/budget/adaptive-pacer.spec.ts`, `${TARGET}/budget/governor-pace.spec.ts`],
    [
      ['const DOUBT = 0.9;', 'const DOUBT = 1;', 'a rate that is rejected is trusted as before'],
      [
        'requestedWaitsMs.find((ms) => ms > 0 && ms <= LONGEST_WAIT_MS)',
        'requestedWaitsMs.find((ms) => ms > 0)',
        'a wait of years is kept',
      ],
      [
        'FIRST_BACKOFF_MS * 2 ** steps',
        'FIRST_BACKOFF_MS * 2 * steps',
        'the backoff does not double',
      ],
      [
        'Math.max(this.#blockedUntilMs, nowMs + (requested ?? 0))',
        'nowMs + (requested ?? 0)',
        'an answer that was under way shortens the wait',
      ],
      [
        'if (admitted === 0 && this.#ratePerMs === Infinity && this.#rejectedInARow === 1) return;',
        '',
        'a limit that others had used up gives a rate',
      ],
      [
        'Math.max(learned, this.#ratePerMs / 2) * BELOW',
        'learned * BELOW',
        'one short cycle makes the rate fall to nothing',
      ],
      [
        'Math.max(this.#ratePerMs, Math.min(grown, ceiling))',
        'Math.max(this.#ratePerMs, grown)',
        'a rate grows beyond one that was rejected',
      ],
      [
        '    this.#rejectedInARow = 0;\n    this.#cycle.admitted += 1;',
        '    this.#cycle.admitted += 1;',
        'the backoff never begins again',
      ],
      [
        'if (this.#heldBack >= FORGET_AFTER) {',
        'if (this.#heldBack > 1e9) {',
        'a rate that was rejected once is never tried again',
      ],
    ],
  ),
  ...mutationsOf(
    `${TARGET}/budget/rate.ts`,
    [`${TARGET}/budget/rate.spec.ts`],
    [
      [
        'perSecond >= 1 ? 1000 : 1000 / perSecond',
        '1000',
        'less than one a second is one a second',
      ],
      [
        'bound.isGone ? bound.atMs : nowMs',
        'bound.atMs',
        'what has not left yet counts from when it was let go',
      ],
      [
        'const isOver = ({ atMs, isGone }: typeof request): boolean => isGone && atMs < sinceMs;',
        'const isOver = ({ atMs }: typeof request): boolean => atMs < sinceMs;',
        'a request that has not left is forgotten',
      ],
      [
        'request.atMs = Math.max(request.atMs, atMs);',
        '',
        'when a request really left is not noted',
      ],
    ],
  ),
  ...mutationsOf(
    `${TARGET}/budget/governor.ts`,
    [`${TARGET}/budget/governor.spec.ts`, `${TARGET}/budget/governor-pace.spec.ts`],
    [
      [
        'waitIn(settlement.json)',
        'undefined',
        'the wait that a body announces is read of no service',
      ],
      [
        'requests >= budget.maxRequests',
        'requests > budget.maxRequests',
        'a request goes beyond the budget',
      ],
      [
        'rejects >= budget.maxRejects',
        'rejects > budget.maxRejects',
        'a rejection goes beyond the budget',
      ],
      [
        'requireBefore(endMs, readyMs, false)',
        'requireBefore(endMs * 2, readyMs, false)',
        'a wait goes on beyond the run',
      ],
      [
        '      state.failuresInARow = 0;\n      state.hasAnswered',
        '      state.hasAnswered',
        'failures count although answers came between',
      ],
      [
        "new Set(['connect', 'timeout', 'closed'])",
        "new Set(['connect', 'timeout', 'closed', 'too-large'])",
        'a body that is too large counts as no answer',
      ],
      ['requireTime(clock.nowMs() + ms);', '', 'a wait that does not fit into the run is begun'],
      [
        'Math.max(rate.readyMs(nowMs), nextMs, state.pacer.readyMs)',
        'Math.max(rate.readyMs(nowMs), state.pacer.readyMs)',
        'requests leave in bursts instead of evenly',
      ],
    ],
  ),
  ...mutationsOf(
    `${TARGET}/budget/interruption.ts`,
    [`${TARGET}/budget/governor.spec.ts`],
    [
      [
        'reason instanceof BudgetExceeded ? reason : new Interrupted(reason)',
        'new Interrupted(reason)',
        'a spent budget is reported as an interruption',
      ],
    ],
  ),
  ...mutationsOf(
    `${TARGET}/budget/run-times.ts`,
    [`${TARGET}/budget/run-times.spec.ts`],
    [
      [
        'startedMs + 1000 * maxSeconds + timeoutMs',
        'startedMs + maxSeconds + timeoutMs',
        'seconds are taken for milliseconds',
      ],
      [
        'Math.min(nowMs, startedMs + FOR_STARTING_MS)',
        'nowMs',
        'a slow start makes the run longer',
      ],
    ],
  ),
  ...mutationsOf(
    `${TARGET}/budget/judging-time.ts`,
    [`${TARGET}/budget/judging-time.spec.ts`],
    [
      ['const FACTOR = 3;', 'const FACTOR = 1;', 'judging again is taken to be as fast as before'],
      [
        'runTimes(startedMs, maxSeconds, 0)',
        'runTimes(startedMs, maxSeconds, 3_600_000)',
        'the drive goes on into the time for judging',
      ],
    ],
  ),
  ...mutationsOf(
    `${TARGET}/budget/governor.ts`,
    [`${TARGET}/budget/judging-time.spec.ts`],
    [
      [
        'requireBefore(sendUntilMs(), readyMs, true);',
        'requireBefore(Infinity, readyMs, true);',
        'requests are sent in the time for judging',
      ],
    ],
  ),
  ...mutationsOf(
    `${TARGET}/lockstep.ts`,
    [`${TARGET}/lockstep.spec.ts`],
    [
      ['while (mine > theirs &&', 'while (mine >= theirs &&', 'two drives wait for each other'],
      [
        'leftMs -= clock.nowMs() - sinceMs;',
        'leftMs -= sinceMs - sinceMs;',
        'the other drive is waited for without an end',
      ],
      [
        'theirs = Math.max(theirs, count);',
        'theirs = count;',
        'an older word takes back a newer one',
      ],
      ['isStarting ? Infinity : ', '', 'a drive begins before the other has started'],
    ],
  ),
  ...mutationsOf(
    `${TARGET}/budget/silence.ts`,
    [`${TARGET}/budget/silence.spec.ts`],
    [
      ['beat === 0 || ', '', 'a thread that is still loading counts as silent'],
      ['nowMs - atBeatMs >= enoughMs', 'true', 'a busy machine ends a thread'],
    ],
  ),
  ...mutationsOf(
    `${TARGET}/budget/polite-rate.ts`,
    [`${TARGET}/budget/polite-rate.spec.ts`],
    [
      [
        'proxies).length === 0;',
        'proxies).length < 2;',
        'one host of one’s own makes all of them so',
      ],
      ['if (config.maxRate !== undefined) return config;', '', 'a rate that was named is lowered'],
    ],
  ),
  ...mutationsOf(
    `${TARGET}/record/record-chain.ts`,
    [`${TARGET}/record/record-chain.spec.ts`],
    [
      [
        "createHash('sha256').update(head)",
        "createHash('sha256').update(head.slice(0, 0))",
        'a line may be moved',
      ],
      [
        'if (digestOf(head, [inside, CLOSING_BRACE]) !== reported) return undefined;',
        '',
        'a line may be altered',
      ],
      [
        'if (at < 1) return undefined;',
        'if (at < 0) return undefined;',
        'a line without an exchange is one',
      ],
    ],
  ),
  ...mutationsOf(
    `${TARGET}/record/recorder.ts`,
    [`${TARGET}/record/recorder.spec.ts`],
    [
      [
        'written + bytes > maxRecordBytes',
        'bytes > maxRecordBytes',
        'a record grows without an end',
      ],
      ['      head = sealed.head;\n', '', 'each line continues the first one'],
    ],
  ),
];
