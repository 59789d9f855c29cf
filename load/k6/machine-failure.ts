import { machineFailureIn } from '../../contracts/wire/machine/machine-failure.ts';

/**
 * What this machine lacked, by what k6 says of a request without an answer, such as `dial: unknown errno
 * 24 error with msg "too many open files"`; undefined of all else. What a target sends is never taken for it.
 */
export function machineFailureOfK6(error: string | undefined): string | undefined {
  return error !== undefined && /^(?:dial|lookup)\b/.test(error)
    ? machineFailureIn(error.slice(0, 300))
    : undefined;
}
