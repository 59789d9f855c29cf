import { mutationsOf, type Mutation } from '../mutation.ts';

/** What rules are made of: relations, answers, comparisons. */
export const RULE_MUTATIONS: readonly Mutation[] = [
  ...mutationsOf(
    'contracts/rules/relation-rule.ts',
    ['contracts/rules/relation-rule.spec.ts', 'suites/drive/relation-checker.spec.ts'],
    [
      [
        "others.some((other) => other === 'refused' || !agree(first.digest, other.digest))",
        "others.some((other) => other === 'refused')",
        'answers to the first request that differ do not show that the world moved',
      ],
      [
        'toA.length >= MIN_CERTAIN_ANSWERS && toB.length >= MIN_CERTAIN_ANSWERS',
        'toA.length >= MIN_CERTAIN_ANSWERS || toB.length >= MIN_CERTAIN_ANSWERS',
        'enough answers to one of two requests make a relation broken',
      ],
      [
        'return row.compare(a.digest, c.digest).length > 0;',
        'return row.compare(a.digest, c.digest).length >= 0;',
        'a relation that also holds for the control is evidence',
      ],
      [
        'steady === true && !isSteady(toB, agree)',
        'steady === true && !isSteady(toA, agree)',
        'answers to the second request need not agree where they must',
      ],
      [
        'group.witnesses[1] ??= witness;',
        'group.witnesses[1] = witness;',
        'the last answer is shown instead of the first',
      ],
      [
        "row.excused?.(view) === true ? null : 'refused'",
        "'refused'",
        'a refusal that has a reason of its own counts against the service',
      ],
    ],
  ),
  ...mutationsOf(
    'contracts/rules/simultaneous.ts',
    ['contracts/service/rules/shared/simultaneous-requests.spec.ts'],
    [
      [
        'answered.includes(asked) || !answered.includes(others.asked)',
        '!answered.includes(others.asked)',
        'an answer that also holds what the other asked for is mixed up',
      ],
    ],
  ),
  ...mutationsOf(
    'contracts/service/rules/shared/simultaneous-requests.ts',
    ['contracts/service/rules/shared/simultaneous-requests.spec.ts'],
    [
      [
        'last.output.length === 1',
        'last.output.length >= 1',
        'what is left over of a route is taken for where it leads',
      ],
      [
        'build?.asked?.size !== 1',
        'build?.asked === undefined',
        'of a batch one pair is taken for what was asked for',
      ],
    ],
  ),
  ...mutationsOf(
    'contracts/service/rules/shared/answer-kind.ts',
    ['contracts/service/rules/shared/answer-kind.spec.ts'],
    [
      [
        "if (status === 501) return 'refused';",
        "if (status === 501) return 'failed';",
        'what is not implemented is an error of the service',
      ],
      ['[408, 425]', '[425]', 'a time-out of the moment is a refusal'],
    ],
  ),
  ...mutationsOf(
    'contracts/rules/broken-list.ts',
    ['contracts/rules/broken-list.spec.ts'],
    [
      [
        '(last.times ?? 1) + this.#more',
        'this.#more',
        'the last one that is reported is not counted',
      ],
    ],
  ),
  ...mutationsOf(
    'contracts/service/rules/limits/key-comparison.ts',
    ['contracts/service/rules/limits/key-comparison.spec.ts'],
    [
      [
        'requests > 2 * atOnce',
        'requests > atOnce',
        'a burst over the boundary of two windows is more than the limit',
      ],
      [
        'more <= 0 && ratio <= SAME_RATE',
        'more <= 0 && ratio < 1 / SAME_RATE',
        'a limit that is the same with a key is not reported',
      ],
      [
        'more >= 0 && ratio >= 1 / SAME_RATE',
        'true',
        'a limit that is lower in one way counts as higher',
      ],
    ],
  ),
  ...mutationsOf(
    'contracts/rules/valid-requests/each-time.ts',
    [
      'contracts/service/rules/errors/valid-requests.spec.ts',
      'contracts/rules/valid-requests/each-time.spec.ts',
    ],
    [
      [
        'group.slice(places.get(first), places.get(last))',
        'group',
        'what was served before an outage speaks against what failed in it',
      ],
      [
        'answers.some((answer) => OF_THE_MOMENT',
        'answers.every((answer) => OF_THE_MOMENT',
        'an outage before the last answer is forgotten',
      ],
      [
        'OUTAGES_IN_A_ROW = 8',
        'OUTAGES_IN_A_ROW = 7',
        'legal outages alarm in one of some thousand runs',
      ],
    ],
  ),
  ...mutationsOf(
    'contracts/rules/valid-requests/at-times.ts',
    [
      'contracts/service/rules/errors/valid-requests.spec.ts',
      'contracts/rules/valid-requests/valid-request-rules.spec.ts',
    ],
    [
      [
        'leastIfAll <= TOLERATED_SHARE',
        'greatest <= TOLERATED_SHARE',
        'a share that may be tolerated is broken',
      ],
      ['(before === undefined || isServed(before))', 'true', 'one outage counts as many moments'],
      [
        'isRefusal(one.fact) && isUnchanged',
        'isRefusal(one.fact)',
        'a refusal that another request explains is counted',
      ],
      ['broken !== undefined', 'false', 'one operation is lost among all others'],
      ['relevant.length < MIN_ANSWERS', 'false', 'a few answers count as much as many'],
      ['served < MIN_ENDED', 'false', 'an outage of all is the end of one operation'],
    ],
  ),
  ...mutationsOf(
    'load/limits/claims/remaining-truth.ts',
    ['load/limits/claims/remaining-truth.spec.ts'],
    [
      ['left.some((other) => other !== least)', 'true', 'a word for no limit is taken for a count'],
      ['!stated.includes(false)', 'true', 'what another limit has left is held against this one'],
      ['left - ITSELF', 'left', 'a count before the request itself promises too much'],
      ['other.receivedMs > event.sentMs &&', '', 'requests of before are counted as later ones'],
      [
        '...(isFixed ? tooFew(reported, events, measured) : [])',
        '...tooFew(reported, events, measured)',
        'what comes back is held against a count',
      ],
    ],
  ),
];
