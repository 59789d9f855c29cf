import type { Judgement } from '../../../judging/rule.ts';
import { isEvmAddress, isZeroAddress } from '../../../wire/addresses.ts';

/**
 * What is wrong with the address that a client is to call. No contract can stand at the zero address, so that a
 * call there does nothing, and its value is lost.
 *
 * @returns null if it is no EVM address
 */
export function judgeTarget(to: unknown, pointer: string): Judgement {
  if (!isEvmAddress(to)) return null;
  if (!isZeroAddress(to)) return [];
  return [{ pointer, expected: 'a contract that can be called', actual: 'the zero address' }];
}
