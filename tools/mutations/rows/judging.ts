/** Long because it is a table. */

import { mutationsOf, type Mutation } from '../mutation.ts';

const JUDGE = 'contracts/judging/judge.spec.ts';

/** The judge: dispatch, accumulators, verdicts, and what rules read with. */
export const JUDGING_MUTATIONS: readonly Mutation[] = [
  ...mutationsOf(
    'contracts/judging/answer-counts.ts',
    [JUDGE],
    [
      [
        "if (kind === 'failed') {\n      this.counts.failed += 1;\n      return;",
        "if (kind === 'failed') {\n      this.counts.failed += 1;",
        'a request without an answer makes its API one that answered',
      ],
      [
        'else this.counts.answered += 1;',
        'this.counts.answered += 1;',
        'a throttled answer counts as an answer, too',
      ],
      [
        "  if (view.throttled) return 'throttled';\n",
        '',
        'a throttled answer is judged as any other error',
      ],
    ],
  ),
  ...mutationsOf(
    'contracts/judging/replies/standing.ts',
    ['reports/run/served.spec.ts'],
    [
      [
        'if (!isOut || failed + unanswered === 0) return undefined;',
        'if (failed + unanswered === 0) return undefined;',
        'a host with a single error is out',
      ],
      [
        'if (isThere || moved + missing + strays === 0) return undefined;',
        'if (moved + missing + strays === 0) return undefined;',
        'a base URL with a single 404 serves nothing',
      ],
      [
        'asked.filter((of) => !places.has(of.place))',
        'asked',
        'a refusal at a place that another API has as well is of this one',
      ],
    ],
  ),
  ...mutationsOf(
    'contracts/judging/replies/unserved.ts',
    ['reports/run/served.spec.ts'],
    [
      ['!isServed && Object', 'Object', 'an operation that served counts as one that never did'],
      [
        'named.filter((id) => !skip.includes(id))',
        'named',
        'an operation that its user left out is asked for',
      ],
      [
        'return isByOperation ? words : operations;',
        'return operations;',
        'an operation is asked for beside the one that its user chose',
      ],
    ],
  ),
  ...mutationsOf(
    'contracts/judging/replies/since-served.ts',
    ['reports/run/stopped.spec.ts', 'suites/drive/last-look.spec.ts'],
    [
      ['row.again >= AGAIN && ', '', 'other requests than those that were served show an end'],
      [
        '(isOutage(row) || row.count >= IN_A_ROW)',
        'true',
        'eight refusals are the end of an operation',
      ],
      ['      this.#endRow();\n', '', 'what serves again has ended'],
      [
        "if (reply === 'throttled') return true;",
        '',
        'what met a rate limit is counted as not served',
      ],
      ['row.count < IN_A_ROW || ', '', 'one error is reported as an outage that passed'],
    ],
  ),
  ...mutationsOf(
    'suites/drive/last-look.ts',
    ['suites/drive/last-look.spec.ts'],
    [
      ['isCertain(row) || ', '', 'what is certain is asked for again'],
      [
        ' || row.count >= AGAIN',
        ' || true',
        'a change is asked for again that may be possible once',
      ],
      ['return !isOnce && ', 'return ', 'what can be had once is asked for again'],
    ],
  ),
  ...mutationsOf(
    'contracts/judging/judge.ts',
    [JUDGE, 'contracts/judging/judge-crashes.spec.ts'],
    [
      [
        'of new Set(relations.map((one) => one.kind))',
        'of relations.map((one) => one.kind)',
        'an exchange in two groups of one relation is looked at twice',
      ],
      [
        "isBroken && rule.level !== 'observe'",
        'isBroken',
        'an observation counts as something broken',
      ],
      [
        '        at += 1;\n      }\n    }',
        '      }\n    }',
        'a rule that throws is asked again without end',
      ],
      [
        '    this.#broken = [];\n    return broken;',
        '    return broken;',
        'what one exchange broke is reported of all after it',
      ],
      [
        'waivers.filter(({ rule }) => rule === accumulator.rule.id)',
        'waivers',
        'a waiver holds for every rule',
      ],
      [
        "if (kind !== 'failed' && !this.#isEndless) {",
        'if (!this.#isEndless) {',
        'how long a request waited for nothing counts as a latency',
      ],
    ],
  ),
  ...mutationsOf(
    'contracts/judging/findings/broken-places.ts',
    [
      ...[JUDGE, 'contracts/judging/accumulator.spec.ts'],
      'contracts/judging/findings/operations-of-findings.spec.ts',
    ],
    [
      [
        'this.#options.operationOf?.(first)',
        "''",
        'what is broken at two operations is one finding',
      ],
      ['known.count += times;', 'known.count += 1;', 'a finding counts once what was seen often'],
      [
        'known.witnesses.length >= WITNESSES_KEPT',
        'known.witnesses.length > WITNESSES_KEPT',
        'one witness more is kept than is promised',
      ],
      [
        'if (!known.witnesses.some(({ id }) => id === witness.id)) known',
        'known',
        'one exchange is named as a witness twice',
      ],
      ['places.size >= mostPlaces', 'places.size > mostPlaces', 'one place more is kept'],
    ],
  ),
  ...mutationsOf(
    'contracts/judging/accumulator.ts',
    [JUDGE, 'contracts/judging/accumulator.spec.ts'],
    [
      [
        '      this.#latest.delete(name);\n',
        '',
        'the latest fact takes the place of the first one in the order',
      ],
      [
        'this.#weight + weight > MAX_WEIGHT',
        'weight > MAX_WEIGHT',
        'facts are kept without an end',
      ],
      [
        "      if (broken.length === 0) return 'held';\n",
        "      if (broken.length === 0) return 'held';\n      this.evidence += 1;\n",

        'an exchange in which a rule held counts twice',
      ],
    ],
  ),
  ...mutationsOf(
    'contracts/judging/verdict.ts',
    [JUDGE],
    [
      [
        'today <= expires && isOn',
        'today < expires && isOn',
        'a waiver does not hold on its last day',
      ],
      [
        'evidence >= rule.leastEvidence',
        'evidence > rule.leastEvidence',
        'the least evidence is not enough',
      ],
      [
        'if (inconclusive === 0) return',
        'if (evidence === 0) return',
        'comparisons that moved are reported as not reached',
      ],
    ],
  ),
  ...mutationsOf(
    'contracts/judging/view.ts',
    ['contracts/judging/view.spec.ts', JUDGE],
    [
      [
        "this.#parsed.kind === 'too much' && walkJson",
        "this.#parsed.kind !== 'json' && walkJson",
        'an unparsed body that walks as JSON is too much, whatever its bounds',
      ],
      [
        'if (this.isTooMuch) return UNKNOWN',
        'if (!this.isJson) return UNKNOWN',
        'no JSON is too much',
      ],
      ['this.status < 300;', 'this.status <= 300;', 'a redirect is a success'],
      [
        'throttleStatuses.includes(this.status)',
        'throttleStatuses[0] === this.status',
        'of several statuses that reject only the first one counts',
      ],
    ],
  ),
  ...mutationsOf(
    'contracts/judging/dispatch-table.ts',
    [JUDGE],
    [
      [
        "responded: ['success', 'error', 'throttled'],",
        "responded: ['success', 'error'],",
        'rules on all responses do not see the throttled ones',
      ],
      [
        "any: ['success', 'error', 'failed'],",
        "any: ['success', 'error', 'failed', 'throttled'],",
        'a rate limit breaks rules that are not about it',
      ],
      [
        'const rows = this.#rows[kind];',
        'const rows = this.#rows.success;',
        'errors are looked at by whoever looks at successes',
      ],
      [
        '[...new Set(operations), ...nodes]',
        '[...operations, ...nodes]',
        'a rule that names an operation twice judges it twice',
      ],
    ],
  ),
  ...mutationsOf(
    'contracts/judging/fewest-facts.ts',
    ['contracts/judging/fewest-facts.spec.ts'],
    [
      [
        "placeOf(group) === place && witnesses.has(group.witnesses[0]?.id ?? '')",
        'placeOf(group) === place',
        'something else that looks broken is taken for what was found',
      ],
      [
        'conclusions < MAX_CONCLUSIONS && asked < MAX_FACTS',
        'conclusions < MAX_CONCLUSIONS || asked < MAX_FACTS',
        'the search goes on beyond one of its bounds',
      ],
    ],
  ),
  ...mutationsOf(
    'contracts/judging/chance/binomial.ts',
    ['contracts/judging/chance/binomial.spec.ts'],
    [
      [
        'below(events + 1, trials, p)',
        'below(events, trials, p)',
        'the upper bound of a share is that of one event less',
      ],
    ],
  ),
  ...mutationsOf(
    'contracts/wire/decimal-text.ts',
    ['contracts/wire/decimal-text.spec.ts'],
    [
      ['end - start > 1', 'end - start >= 1', 'a point alone is a number'],
      [
        'return digits < text.length && endOf',
        'return endOf',
        'an exponent without digits is a number',
      ],
    ],
  ),
  ...mutationsOf(
    'contracts/judging/latencies.ts',
    ['contracts/judging/latencies.spec.ts'],
    [
      [
        'Math.max(0, Math.ceil(share * sorted.length) - 1)',
        'Math.min(sorted.length - 1, Math.floor(share * sorted.length))',
        'a percentile is the value after it',
      ],
    ],
  ),
  ...mutationsOf(
    'contracts/judging/packed-list.ts',
    ['contracts/judging/packed-list.spec.ts'],
    [
      [
        'this.#unpacked?.block === block',
        'this.#unpacked !== undefined',
        'the block that was unpacked first is taken for every other one',
      ],
    ],
  ),
  ...mutationsOf(
    'contracts/judging/request-reading.ts',
    ['contracts/judging/request-reading.spec.ts'],
    [
      [
        'if (this.#readings.size >= MAX_REQUESTS) this.#readings.clear();',
        '',
        'readings of requests are kept without an end',
      ],
    ],
  ),
  ...mutationsOf(
    'contracts/judging/rule-choice.ts',
    ['contracts/judging/rule-choice.spec.ts'],
    [
      ['levels.findLast(', 'levels.find(', 'of several levels the first one holds, not the last'],
      [
        'one === `§${section}` || one.startsWith(`§${section}.`)',
        'one.startsWith(`§${section}`)',
        'section 1 means section 10 as well',
      ],
      ['return at <= end;', 'return end >= 0;', 'parts of a glob may overlap its end'],
      [
        'return !isByOperation || rule.id === word',
        'return rule.id === word',
        'a rule is left out by its id alone, not by a glob or a section',
      ],
    ],
  ),
  ...mutationsOf(
    'contracts/judging/sighting.ts',
    ['contracts/judging/sighting.spec.ts'],
    [
      [
        '      if (this.observed.size >= MAX_OBSERVED) return;\n    }',
        '    }',
        'one answer may be reported of without an end',
      ],
    ],
  ),
];
