/** Why nothing follows from a build that fails, in clauses. */

import type { SimulatedBuild } from './build.ts';
import { APPROVE, MOST_GAS, type Plan } from './plan.ts';
import type { CallResult } from './requests.ts';

/** A build as a node executed it. */
interface Executed {
  readonly built: Pick<CallResult, 'succeeded' | 'gas'>;
}

/** A plain transfer beside it, and what it moved. */
interface Tried {
  readonly token: string;
  readonly to: string;
  readonly moved: bigint | string;
  readonly why?: string | undefined;
}

/** What nodes say that contradict themselves. */
export const DISAGREE = 'the two ways of executing it disagree on whether it fails';
const MORE_GAS = `it may take more gas than a simulation gives it, which is ${MOST_GAS}`;

/** Why nothing follows from that a build fails, whatever is approved: a clause. */
export function whyUndecided(
  build: SimulatedBuild,
  {
    lenient,
    second,
    isOfPeople,
  }: {
    readonly lenient?: Executed | undefined;
    readonly second?: Executed | undefined;
    readonly isOfPeople: boolean;
  },
): string {
  if (second?.built.succeeded === true) return isShortOfGas(build, lenient) ? MORE_GAS : DISAGREE;
  if (lenient === undefined || second === undefined)
    return 'no more than one way of executing it was answered';
  if (isOfPeople) return 'this may be a refusal of people whom a contract does not know';
  return 'its spender may want a signature';
}

/** Whether a build states, or takes, so much gas that a simulation may give it too little. */
function isShortOfGas({ call }: SimulatedBuild, run: Executed | undefined): boolean {
  return (call.gas ?? 0n) > MOST_GAS || 5n * (run?.built.gas ?? 0n) >= 4n * MOST_GAS;
}

/** Why a control says that a failure may be the doing of a token. */
export function whyRefused({ token, to, moved, why }: Tried): string {
  return moved === 'refused'
    ? `a plain transfer of the token ${token} to ${to} moves nothing${why === undefined ? '' : ` (${why})`}`
    : `no plain transfer of the token ${token} to ${to} could be tried`;
}

/** Why a build that a node executed says nothing, as not all was approved, read, and held before: a clause. */
export function whyUnprepared({ calls, builtAt }: Plan, results: readonly CallResult[]): string {
  const at = calls.findIndex((_, index) => {
    const { succeeded = true, word } = results[index] ?? {};
    const isApproval = calls[index]?.data.startsWith(APPROVE);
    return index !== builtAt && (!succeeded || (isApproval !== true && word === undefined));
  });
  const { to, data } = calls[at] ?? {};
  if (to === undefined) return 'the node did not take balances or approvals';
  const { why = 'it fails' } = results[at] ?? {};
  return data?.startsWith(APPROVE) === true
    ? `the token ${to} takes no approval (${why})`
    : `the contract ${to} says no balance or allowance${results[at]?.succeeded === true ? '' : ` (${why})`}`;
}
