import type { Contract } from './schema.ts';

/**
 * The contract of a target that throttles with other statuses than its document says, as a user stated.
 * Answers with them are throttled as well, whatever their body says.
 *
 * @param statuses e.g. 403 and 503; the contract as it is where there are none
 */
export function throttledByStatus<C extends Pick<Contract, 'errors'>>(
  contract: C,
  statuses: readonly number[],
): C {
  if (statuses.length === 0) return contract;
  const { errors } = contract;
  const isThrottled = (status: number, json: unknown): boolean =>
    statuses.includes(status) || errors.isThrottled(status, json);
  return { ...contract, errors: { ...errors, isThrottled } };
}
