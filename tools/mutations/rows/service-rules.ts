/** Long because it is a table. */

import { mutationsOf, type Mutation } from '../mutation.ts';

const CASES = 'fixtures/service/cases/judged-cases.spec.ts';
const RULES = 'contracts/service/rules';

/** The rules on errors, keys, pools and limits. */
export const SERVICE_RULE_MUTATIONS: readonly Mutation[] = [
  ...mutationsOf(
    `${RULES}/errors/client-error.ts`,
    [`${RULES}/errors/errors.spec.ts`, CASES],
    [
      [
        'answers.every(({ fact }) => fact.hasErred)',
        'answers.some(({ fact }) => fact.hasErred)',
        'one error of the moment shows that a request is wrong',
      ],
      [
        'const EACH_TIME = 2;',
        'const EACH_TIME = 1;',
        'a request that failed once fails each time',
      ],
      [
        "status === 501 && purpose.defect === 'wrong method'",
        'status === 501',
        'any wrong request may be answered as not implemented',
      ],
    ],
  ),
  ...mutationsOf(
    `${RULES}/errors/error-runs.ts`,
    [`${RULES}/errors/errors.spec.ts`, CASES],
    [
      [
        "cacheable !== '' && cacheable === known.fact.cacheable",
        "cacheable !== ''",
        'one request id of two resources is taken for an answer of a cache',
      ],
      [
        'fact.request.every((part, at)',
        'fact.request.some((part, at)',
        'requests with different credentials are taken for the same',
      ],
      [
        '[401, 403, 408, 409, 425]',
        '[401, 403, 408, 425]',
        'a conflict must have the same code each time',
      ],
      [
        "purpose.kind !== 'invalid' || MANIFOLD.has(purpose.defect)",
        "purpose.kind !== 'invalid'",
        'a request that lacks several fields must be reported the same one each time',
      ],
    ],
  ),
  ...mutationsOf(
    `${RULES}/errors/throttling.ts`,
    [`${RULES}/errors/errors.spec.ts`, CASES],
    [
      ['retryAfter >= 0', 'retryAfter > 0', 'a wait of nothing is no wait'],
      [
        "view.exchange.request.method === 'HEAD' ? null : judge(view)",
        'judge(view)',
        'an answer that may have no body must have one',
      ],
    ],
  ),
  ...mutationsOf(
    `${RULES}/conventions/idempotency.ts`,
    [`${RULES}/conventions/idempotency.spec.ts`],
    [
      [
        'last.length === MIN_CERTAIN_REFUSALS && last.every',
        'last.length > 0 && last.every',
        'one refusal counts as many in a row',
      ],
      [
        'if (complete.length > bad.length) return',
        'if (bad.length === 0) return',
        'one bad round among good ones is more than chance',
      ],
      [
        "    if (!inRole(story, 'bare').some(isServed)) return undefined;\n",
        '',
        'a request that is refused without a key, too, is refused for its key',
      ],
      [
        '  if (bareOther.some((text) => bare.includes(text))) return undefined;\n',
        '',
        'two bodies with the same answer anyway are taken for a replay',
      ],
      [
        'OUTAGES: readonly number[] = [502, 503, 504]',
        'OUTAGES: readonly number[] = [503, 504]',
        'the word of a gateway says something of a key',
      ],
    ],
  ),
  ...mutationsOf(
    `${RULES}/auth/credential-life.ts`,
    [`${RULES}/auth/credential-life.spec.ts`],
    [
      [
        'end.sentAtMs - first.sentAtMs >= SETTLED_MS',
        'end.sentAtMs >= SETTLED_MS',
        'a change that is on its way is taken for settled',
      ],
      [
        "    if (!before.some(({ fact }) => fact.kind === 'served')) return [];\n",
        '',
        'a key that never worked was ended by the revocation of another',
      ],
      [
        'own.length < MIN_FAILURES || !own.every',
        '!own.every',
        'one error of the service after a mistake is enough',
      ],
      [
        "(unknown === 'unknown' || unknown === 'forbidden') && kind !== unknown",
        "unknown === 'unknown' || unknown === 'forbidden'",
        'an answer that made-up keys get as well says something of a key',
      ],
    ],
  ),
  ...mutationsOf(
    `${RULES}/auth/made-up-keys.ts`,
    [`${RULES}/auth/made-up-keys.spec.ts`],
    [
      ['MIN_KEY_ANSWERS = 2', 'MIN_KEY_ANSWERS = 1', 'one answer to a made-up key is enough'],
      [
        'refused.length + served.length < 2 ? []',
        'refused.length + served.length < 1 ? []',
        'one form of made-up keys is evidence of all',
      ],
      [
        "  if (steady.find(({ key }) => key === 'none')?.kind !== 'served') return [];\n",
        '',
        'keys are reported apart where none is served without one',
      ],
    ],
  ),
  ...mutationsOf(
    `${RULES}/pools/pool-filters.ts`,
    [`${RULES}/pools/pool-filters.spec.ts`, CASES],
    [
      [
        'fact.whole && fact.pools.length < most',
        'fact.whole && fact.pools.length <= most',
        'a list that the service cut is taken for all there is',
      ],
      [
        'list.whole || role !== whole',
        'list.whole || role === whole',
        'the list that need not be whole is the one that must',
      ],
      [
        'isEvidence === true ? [{ witnesses, judgement: [] }] : []',
        'isEvidence === undefined ? [] : [{ witnesses, judgement: [] }]',
        'lists in which the mistake would not show are evidence',
      ],
      [
        'count > new Set(wide.pools.map(addressOf)).size',
        'count >= new Set(wide.pools.map(addressOf)).size',
        'a filter that takes nothing away is evidence',
      ],
    ],
  ),
  ...mutationsOf(
    `${RULES}/limits/limits.ts`,
    [`${RULES}/limits/limits.spec.ts`, CASES],
    [
      [
        'count < limit ? null : tooMany(count, limit)',
        'tooMany(count, limit)',
        'a list that is not full is evidence of a limit',
      ],
      [
        'if (fullest <= count) return [];',
        'if (fullest < count) return [];',
        'a list of all there is shows the default',
      ],
      [
        'Math.min(...fuller.map',
        'Math.max(...fuller.map',
        'a list that grew meanwhile speaks against the one before',
      ],
      [
        'count === undefined || count < MAXIMUM_LIMIT ? null',
        'count === undefined ? null',
        'a list of few shows the maximum',
      ],
    ],
  ),
  ...mutationsOf(
    `${RULES}/limits/herd.ts`,
    [`${RULES}/limits/herd.spec.ts`],
    [
      ['REPORTED_WAITS = 4', 'REPORTED_WAITS = 2', 'two waits in vain are enough'],
      [
        'known === undefined || waits[at] === 1',
        'known === undefined',
        'a request that came too soon once goes on as if it had waited',
      ],
      [
        'fact.sentMs > letInAtMs && (waits',
        '(waits',
        'what was sent while somebody was let in counts as stuck',
      ],
      [
        'back.length < OBEDIENT_SHARE * places.length',
        'back.length < (1 - OBEDIENT_SHARE) * places.length',
        'a crowd that mostly did not wait speaks against the limit',
      ],
    ],
  ),
  ...mutationsOf(
    `${RULES}/limits/announced-waits.ts`,
    [`${RULES}/limits/rate-limits.spec.ts`],
    [
      ['FAIR_FACTOR = 1.25', 'FAIR_FACTOR = 125', 'a percentage is taken for a factor'],
      [
        "wait.verdict !== 'wrong-unit' && announcedMs",
        'announcedMs',
        'a wait in another unit is fair',
      ],
      [
        ".filter(({ source }) => source !== 'rate-limit-reset')",
        '',
        'a reset, whose meaning is not shown, is judged as a wait',
      ],
    ],
  ),
];
