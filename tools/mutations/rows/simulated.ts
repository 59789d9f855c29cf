import { mutationsOf, type Mutation } from '../mutation.ts';

const SIMULATED = 'contracts/service/rules/simulated';
const RPC = 'target/rpc';

/** What is concluded of builds that nodes execute, and how nodes are asked. */
export const SIMULATED_MUTATIONS: readonly Mutation[] = [
  ...mutationsOf(
    `${SIMULATED}/attempt.ts`,
    [`${SIMULATED}/attempt.spec.ts`],
    [
      [
        'lenient !== undefined && second?.built.succeeded === false',
        'lenient !== undefined',
        'a revert counts that the other way of executing does not show',
      ],
      [
        '(before.get(keyOf({ token, holder: account })) ?? 0n) < most',
        'false',
        'an account that holds nothing is judged',
      ],
      [
        'isNative && spent > run.value ? run.value : spent',
        'spent',
        'what a chain takes for gas is taken for spent',
      ],
      ['(domain.word ?? 0n) > 0n', 'false', 'a spender that wants a signature breaks a promise'],
    ],
  ),
  ...mutationsOf(
    `${SIMULATED}/whose-doing.ts`,
    [`${SIMULATED}/attempt.spec.ts`],
    [
      [
        'arrived + roundedOf(delivery.least) < delivery.least',
        'arrived + roundedOf(delivery.least) <= delivery.least',
        'a unit that is rounded away breaks a guarantee',
      ],
      [
        'arrived <= 0n ? delivery.least > 0n',
        'false ? true',
        'a position that is missing is rounded away',
      ],
    ],
  ),
  ...mutationsOf(
    `${SIMULATED}/whose-doing.ts`,
    [`${SIMULATED}/later.spec.ts`],
    [
      ['others <= 0n', 'true', 'what is paid to nobody who was named may still come'],
      [
        'all?.count === 0 &&',
        'false &&',
        'a transaction that does nothing may still bring something',
      ],
    ],
  ),
  ...mutationsOf(
    `${SIMULATED}/attempt.ts`,
    [`${SIMULATED}/lack.spec.ts`],
    [
      [
        '(ranOut || second?.succeeded === true)',
        'true',
        'a node that errs at times finds too little gas',
      ],
      [
        "if (second?.succeeded === false) return { lacks: 'approval or value' };",
        '',
        'a build that wants more approved than its answer says breaks nothing',
      ],
    ],
  ),
  ...mutationsOf(
    `${SIMULATED}/requests.ts`,
    [`${SIMULATED}/requests.spec.ts`],
    [
      [
        "if (!isAtBlock(member(block, 'number'), pinned)) return null;",
        '',
        'answers of another block are taken',
      ],
    ],
  ),
  ...mutationsOf(
    `${RPC}/public-address.ts`,
    [`${RPC}/public-address.spec.ts`],
    [
      [
        "protocol === 'https:' && (isIP(host) === 0 || isPublicAddress(host))",
        "protocol === 'https:'",
        'a target has an address of this network asked',
      ],
    ],
  ),
  ...mutationsOf(
    `${RPC}/hidden-url.ts`,
    [`${RPC}/nodes.spec.ts`],
    [
      [
        'failed(result.failure, WORDS[result.failure])',
        'failed(result.failure, result.message)',
        'what the network says of the URL of a node is recorded',
      ],
    ],
  ),
  ...mutationsOf(
    `${RPC}/nodes.ts`,
    [`${RPC}/nodes.spec.ts`],
    [
      ['spentMs += options.clock.nowMs() - startedMs;', '', 'a slow node takes all time of a run'],
      ['|| json.id !== id', '', 'the answer to another request is taken'],
    ],
  ),
];
