import { mutationsOf, type Mutation } from '../mutation.ts';

const RULES = 'contracts/service/rules';

/** Rules on what answers state of limits, of gas and of providers. */
export const ANNOUNCED_LIMIT_MUTATIONS: readonly Mutation[] = [
  ...mutationsOf(
    `${RULES}/limits/announced-limits.ts`,
    [`${RULES}/limits/announced-limits.spec.ts`],
    [
      ['count <= TIMES * limit', 'count <= limit', 'a second window is more than the limit'],
      [
        '>= announced.seconds * 1000',
        '>= announced.seconds * 1_000_000',
        'requests of many windows count for one',
      ],
      [
        'const posts = facts.filter(({ fact }) => fact.isPost);',
        'const posts = facts;',
        'reads that are free are held against the limit',
      ],
      [
        'used - ((sentAtMs - before) / 1000) * one.perSecond',
        'used',
        'a bucket that fills again meanwhile has to state less',
      ],
      [
        'if (mayBeCached(responseHeaders)) return null;',
        '',
        'a count that a cache repeats is taken for one of the service',
      ],
      [
        '(one = 0) => one < 0',
        '(one = 0) => one <= 0',
        'nothing that remains is less than nothing',
      ],
    ],
  ),
  ...mutationsOf(
    `${RULES}/errors/throttling.ts`,
    [`${RULES}/errors/throttling.spec.ts`],
    [
      [
        '&& retryAfter / 1000 <= longest + 1',
        '',
        'a wait that is too long in any unit is in milliseconds',
      ],
      [
        'retryAfter > OTHER_UNIT * longest',
        'retryAfter > longest',
        'a wait of some seconds more is in milliseconds',
      ],
    ],
  ),
  ...mutationsOf(
    `${RULES}/zap/request/estimated-gas.ts`,
    [`${RULES}/zap/request/estimated-gas.spec.ts`],
    [
      [
        'areRound && judged.length >= LEAST_BUILDS',
        'judged.length >= LEAST_BUILDS',
        'a service that estimates in any case ignores estimateGas',
      ],
      [
        'areRound && judged.length >= LEAST_BUILDS',
        'areRound',
        'one round figure is no chance any more',
      ],
    ],
  ),
  ...mutationsOf(
    `${RULES}/trade/provider-names.ts`,
    [`${RULES}/trade/provider-names.spec.ts`],
    [
      [
        'legs.length < LEAST_LEGS || named.size < 2',
        'legs.length < LEAST_LEGS',
        'a service that names itself names another provider',
      ],
      [
        '`${pair} ${asked} ${String(amount)}`',
        '`${pair} ${asked}`',
        'another amount has the same provider',
      ],
    ],
  ),
  ...mutationsOf(
    `${RULES}/docs/agent-auth-endpoints.ts`,
    [`${RULES}/docs/agent-auth-endpoints.spec.ts`],
    [
      [
        'if (isPage) return same?.isPage !== true;',
        '',
        'a host of pages has whatever it is asked for',
      ],
      [
        '!isRefusedMethod || same?.status !== status || same.says !== says',
        '!isRefusedMethod',
        'who refuses a method is not there',
      ],
    ],
  ),
];
