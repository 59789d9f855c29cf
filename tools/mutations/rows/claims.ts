import { mutationsOf, type Mutation } from '../mutation.ts';

const LIMITS = 'load/limits';

/** What a service says of its limit, held against what was seen. */
export const CLAIM_MUTATIONS: readonly Mutation[] = [
  ...mutationsOf(
    `${LIMITS}/claims/reported-left.ts`,
    [`${LIMITS}/claims/reported-left.spec.ts`],
    [
      [
        'Math.max(MIN_REPORTS, before.length)',
        'MIN_REPORTS',
        'numbers that some answers lack came true',
      ],
      [
        'fell < events.length && fell >= MIN_FALL',
        'fell >= MIN_FALL',
        'numbers that fell faster than what was sent are alternatives',
      ],
    ],
  ),
  ...mutationsOf(
    `${LIMITS}/claims/held-waits.ts`,
    [`${LIMITS}/claims/retry-after-truth.spec.ts`],
    [
      [
        'const earliestMs = sentMs + waitMs - grainMs;',
        'const earliestMs = receivedMs + waitMs;',
        'the grain of a date counts against the service',
      ],
      [
        'errorMs <= FAIR_ROUNDING_MS + roundTripMs',
        'errorMs <= roundTripMs',
        'rounding up to the next second is too late',
      ],
      ['>= DISTINCT_MS\n', '>= 0\n', 'a wait that is right each time is a constant'],
    ],
  ),
  ...mutationsOf(
    `${LIMITS}/claims/retry-after-truth.ts`,
    [`${LIMITS}/claims/retry-after-truth.spec.ts`],
    [
      [
        '!early && (!late || mayBeLater)',
        '!early && !late',
        'a reset of the whole limit disagrees with the wait',
      ],
      [
        '.filter(({ held }) => held.some(isNear))',
        '',
        'a unit that is far off explains the numbers',
      ],
    ],
  ),
  ...mutationsOf(
    `${LIMITS}/claims/header-claims.ts`,
    [`${LIMITS}/claims/header-claims.spec.ts`],
    [
      [
        'Math.abs(windowSeconds - measured) <= SAME_WINDOW * measured',
        'Math.abs(windowSeconds - measured) <= SAME_WINDOW',
        'a twentieth is taken for a twentieth of a second',
      ],
      [
        'const measured = burst ?? limit;',
        'const measured = limit ?? burst;',
        'what passes at once is not what is claimed',
      ],
      [
        'estimate.algorithms.length > 0 && estimate.algorithms.every((name) => FIXED.has(name))',
        'estimate.algorithms.length > 0',
        'of a bucket it is reported that what remains rises',
      ],
    ],
  ),
  ...mutationsOf(
    `${LIMITS}/claims/recoveries.ts`,
    [`${LIMITS}/claims/recoveries.spec.ts`],
    [
      ['? alone[0]', '? alone.at(-1)', 'asking is taken to put nothing off'],
      [
        'events.slice(index + 1).filter(({ sentMs }) => sentMs >= event.receivedMs)',
        'events.slice(index + 1)',
        'what was under way meanwhile came later',
      ],
    ],
  ),
  ...mutationsOf(
    `${LIMITS}/claims/hint.ts`,
    [`${LIMITS}/claims/hint.spec.ts`],
    [
      ['if (isRefuted) return null;', '', 'a wait that was not true is alternatives again'],
      [
        'hint !== null && hasRecovered && !hint.isSeen ? null : hint',
        'hint',
        'a constant wait is alternatives again',
      ],
      ['wasTooShort(events) ? null : lastWord', 'lastWord', 'what was refuted is worth a request'],
      [
        'passedMs > 1500 && Math.abs(passedMs - lessMs)',
        'Math.abs(passedMs - lessMs)',
        'two waits of one moment are seen to fall',
      ],
      ['return isAnew && kept;', 'return isAnew;', 'waits start anew that nobody kept to'],
    ],
  ),
];
