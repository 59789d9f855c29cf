/** Long because it is a table. */

import { mutationsOf, type Mutation } from '../mutation.ts';

/** What a probe sends, what it may spend, and when it stops. */
export const PROBE_MUTATIONS: readonly Mutation[] = [
  ...mutationsOf(
    'load/probe/sender.ts',
    ['load/probe/sender.spec.ts'],
    [
      ['sentAtMs - GRAIN_MS', 'sentAtMs', 'a clock of whole milliseconds is taken to be exact'],
      [
        'seconds > mostWaitSeconds ? seconds / 1000 : seconds',
        'seconds > mostWaitSeconds ? seconds : seconds / 1000',
        'seconds are taken for milliseconds',
      ],
      [
        'waits.length === 0 ? undefined : Math.min(...waits)',
        'waits.length === 0 ? undefined : Math.max(...waits)',
        'the longer of two waits is the hint',
      ],
      [
        'status >= 500 || NOT_SERVED.has(status)',
        'status >= 500',
        'a request that was not let in was admitted',
      ],
      [
        '(a.remaining ?? Infinity) - (b.remaining ?? Infinity)',
        '(b.remaining ?? Infinity) - (a.remaining ?? Infinity)',
        'the widest of several limits is the one that is reported',
      ],
      [
        "reset === undefined || unit !== 'seconds'",
        'reset === undefined',
        'a moment is taken for a time from now',
      ],
    ],
  ),
  ...mutationsOf(
    'load/probe/budget-left.ts',
    ['load/probe/budget-left.spec.ts'],
    [
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
      ['if (turnMs >= endMs)', 'if (turnMs > endMs + 60_000)', 'a request goes after the end'],
      ['        requests -= 1;\n', '', 'a request that was not sent is spent'],
      [
        "if (kind === 'throttled') rejects += 1;",
        "if (kind !== 'answered') rejects += 1;",
        'a failure counts as a rejection',
      ],
      [
        'if (ms > leftMs) throw new WaitTooLong(what, ms, leftMs);',
        '',
        'a wait goes on beyond the run',
      ],
      [
        'nextMs = turnMs + rate.spacingMs;',
        'nextMs = comesMs + rate.spacingMs;',
        'of several that come at once all but the first go together',
      ],
    ],
  ),
  ...mutationsOf(
    'load/probe/facts/facts.ts',
    ['load/probe/facts/facts.spec.ts'],
    [
      [
        "cutOff && kind !== 'identified'",
        'cutOff',
        'what was identified before an interruption is not reported',
      ],
      ['isCut || isUnreported', 'isCut', 'a target that let nothing in has a limit'],
      [
        'ratio < SAME_RATIO && ratio > 1 / SAME_RATIO',
        'ratio < SAME_RATIO',
        'a value that is far smaller is reported as the same',
      ],
      [
        "else if (event.outcome === 'rejected') run = [];",
        'else run = [];',
        'a failure ends what was admitted in a row',
      ],
    ],
  ),
  ...mutationsOf(
    'load/probe/failures-count.ts',
    ['load/probe/failures-count.spec.ts', 'load/probe/wait-cycle.spec.ts'],
    [
      [
        "if (refilled + taken >= failed) return 'undecided';",
        '',
        'what refilled meanwhile hides what failures took',
      ],
      [
        'admitted >= had - taken',
        'admitted >= had',
        'what another kind of request took is laid to failures',
      ],
      [
        "if (outcome !== 'admitted' || status < 400) return 0;",
        "if (outcome !== 'admitted') return 0;",
        'a request that was served counts as one that failed',
      ],
      ['Math.min(MAX_FAILURES, limit - 1)', 'MAX_FAILURES', 'failures use up the bucket'],
      [
        "met('other-route') === 'shared' && met('other-method') !== 'separate'",
        "met('other-method') !== 'separate'",
        'a route with a bucket of its own shows that failures do not count',
      ],
    ],
  ),
  ...mutationsOf(
    'load/probe/facts/full-bucket.ts',
    ['load/probe/facts/full-bucket.spec.ts'],
    [
      ['return 2 * windowSeconds;', 'return windowSeconds;', 'the window before is forgotten'],
      [
        'Math.max(...estimate.classes.map(untilFull))',
        'Math.min(...estimate.classes.map(untilFull))',
        'the bucket is full by the quickest of several classes',
      ],
      [
        'return windowSeconds + upper(one.intervalSeconds);',
        'return windowSeconds;',
        'the refill that is under way is forgotten',
      ],
    ],
  ),
  ...mutationsOf(
    'load/probe/wait-cycle.ts',
    ['load/probe/wait-cycle.spec.ts'],
    [
      [
        'announced <= mostSeconds ? announced : fullSeconds',
        'announced',
        'a wait beyond all measure is obeyed',
      ],
      [
        'last.receivedMs + waitMs(probed, last) - ROUNDING_MS',
        'last.receivedMs + waitMs(probed, first) - ROUNDING_MS',
        'the end is not moved where asking has put it off',
      ],
    ],
  ),
  ...mutationsOf(
    'load/probe/stops.ts',
    ['load/probe/stops.spec.ts'],
    [
      [
        "outcome === 'failed' && status >= 500 && status !== 501",
        "outcome === 'failed' && status >= 500",
        'what is not implemented stops a probe as an error of the server',
      ],
      [
        'row.length === ERRORS_IN_A_ROW && row.every(isServerError)',
        'row.every(isServerError)',
        'one error stops a probe',
      ],
      [
        'errors <= MAX_ERRORS_OF_LATEST',
        'errors < MAX_ERRORS_OF_LATEST',
        'an error now and then stops a probe',
      ],
      [
        'Math.max(SLOW_FACTOR * usual, usual + SLOW_MS)',
        'SLOW_FACTOR * usual',
        'a fast target suffers from some milliseconds',
      ],
      [
        'shortest !== undefined && shortest > mostWaitSeconds',
        'shortest !== undefined && shortest >= mostWaitSeconds',
        'the longest wait that is allowed is too long',
      ],
      ['late.length === SLOW_IN_A_ROW &&', 'late.length > 0 &&', 'one slow answer stops a probe'],
    ],
  ),
  ...mutationsOf(
    'load/probe/throttle-pattern.ts',
    ['load/probe/throttle-status.spec.ts', 'load/probe/throttle-pattern.spec.ts'],
    [
      [
        'first >= MIN_ADMITTED && errors',
        'first >= 0 && errors',
        'a target that never let anybody in seems to throttle',
      ],
      [
        'status !== 403 && !(status >= 500 && status !== 501)',
        '!(status >= 500 && status !== 501)',
        'a gateway that shuts out is not recognised',
      ],
      [
        'waitSeconds > LEFT_PART * budgetLeft.left.seconds',
        'waitSeconds > budgetLeft.left.seconds',
        'a look at a pattern takes all that is left',
      ],
    ],
  ),
  ...mutationsOf(
    'load/probe/rejections.ts',
    ['load/probe/sender.spec.ts'],
    [
      [
        '(status >= 400 && namesLimit(errors.codeOf(json)))',
        'namesLimit(errors.codeOf(json))',
        'a success that names a limit is a rejection',
      ],
      [
        "code.toLowerCase().replaceAll(/[^a-z0-9]/g, '')",
        'code.toLowerCase()',
        'a code with separators names no limit',
      ],
    ],
  ),
  ...mutationsOf(
    'load/probe/facts/tried-extent.ts',
    ['load/probe/facts/tried-extent.spec.ts'],
    [
      [
        'most = Math.max(most, answered - before);',
        'most = Math.max(most, answered);',
        'what was sent before a time is reported as within it',
      ],
      [
        'seconds >= windowSeconds && ',
        '',
        'a time within the window is reported as one that shows a wider limit',
      ],
      [
        'Math.ceil(value / unit - 1e-9)',
        'Math.floor(value / unit)',
        'a time is reported that is too short',
      ],
      [
        'requests > (rows[at - 1]?.requests ?? 0)',
        'requests > 0',
        'a longer time is reported in which no more passed',
      ],
    ],
  ),
  ...mutationsOf(
    'load/limits/transcript.ts',
    ['load/probe/facts/envelope.spec.ts'],
    [
      [
        'while (time - (times[from] ?? time) >= withinMs) from += 1;',
        'while (time - (times[from] ?? time) > withinMs) from += 1;',
        'a second holds what came a whole second later',
      ],
    ],
  ),
  ...mutationsOf(
    'load/probe/facts/envelope.ts',
    ['load/probe/facts/envelope.spec.ts'],
    [
      [
        'lastMs - firstMs >= 1000 * seconds',
        'lastMs - firstMs >= seconds',
        'times are reported that the transcript does not last for',
      ],
    ],
  ),
  ...mutationsOf(
    'load/probe/scenario.ts',
    ['load/probe/scenario.spec.ts'],
    [
      [
        'share >= WANTED_SHARE && perWindow <= 1',
        'share >= WANTED_SHARE',
        'a client that is rejected again and again gets through',
      ],
      [
        'Math.min(2 * backoffMs, MAX_BACKOFF_MS)',
        'Math.max(2 * backoffMs, MAX_BACKOFF_MS)',
        'a client waits for as long as it may at once',
      ],
      [
        '1000 / (perSecond * PACE_SHARE)',
        '1000 / perSecond / (1 / PACE_SHARE)',
        'a client asks for more than was measured',
      ],
    ],
  ),
  ...mutationsOf(
    'load/probe/facts/class-names.ts',
    ['load/probe/facts/facts.spec.ts', 'load/probe/facts/why.spec.ts'],
    [
      [
        "name === 'penalty' ? 'penalty-block' : name",
        'name',
        'a penalty has another name in reports than at the command line',
      ],
    ],
  ),
];
