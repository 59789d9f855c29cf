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
      [
        'gaveAway) <= 0n',
        'gaveAway) <= 0n || true',
        'what is paid to nobody who was named may still come',
      ],
      [
        'if (mayComeLater === true) return true;',
        '',
        'a lock that pays out after minutes is taken for a thief',
      ],
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
    `${SIMULATED}/leftovers.ts`,
    [`${SIMULATED}/leftovers.spec.ts`],
    [
      [
        'if (missing.length > 0 && mayBeElsewhere(run, build))',
        'if (false)',
        'dust of which prices made something else is taken for stolen',
      ],
      [
        '(sum, { least }) => sum - least',
        '(sum) => sum',
        'dust of the output is found in the output itself',
      ],
    ],
  ),
  ...mutationsOf(
    `${SIMULATED}/requests.ts`,
    [`${SIMULATED}/requests.spec.ts`],
    [
      [
        "if (!isAtBlock(member(simulated, 'number'), pinned)) return null;",
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
        'if (isHere || isIP(host) === 0 || isPublicAddress(host)) return undefined;',
        'if (host.length > 0) return undefined;',
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
      ['if (share.leftMs() <= 0) return NO_TIME;', '', 'a slow node takes all time of a run'],
      ['throttled >= THROTTLED_IN_A_ROW', 'false', 'a node that always throttles is asked again'],
    ],
  ),
  ...mutationsOf(
    `${RPC}/node-caller.ts`,
    [`${RPC}/nodes.spec.ts`],
    [
      ['|| json.id !== id', '', 'the answer to another request is taken'],
      ['if (waitMs >= leftMs())', 'if (false)', 'a node has its wait beyond the time of nodes'],
      [
        'Math.max(1, Math.min(request.timeoutMs, leftMs()))',
        'request.timeoutMs',
        'a slow answer takes more than the time of nodes',
      ],
    ],
  ),
  ...mutationsOf(
    `${SIMULATED}/agreed.ts`,
    [`${SIMULATED}/agreed.spec.ts`],
    [
      [
        'addsUp && isLosing(all)',
        'false',
        'one theft in three builds of each request never counts',
      ],
    ],
  ),
  ...mutationsOf(
    `${SIMULATED}/likely-fees.ts`,
    [`${SIMULATED}/spent.spec.ts`],
    [
      ['if (build.mayPayFees) return undefined;', '', 'the fee of a bridge is taken for a theft'],
      ['if (amount > 0n) {', 'if (false) {', 'three times the amount of coins is taken for a fee'],
    ],
  ),
];
