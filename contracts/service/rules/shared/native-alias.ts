import { addressKey, NATIVE_TOKEN } from '../../../wire/addresses.ts';

/**
 * Addresses of many zeros are those of a chain's own contracts, under some of which it has its native token
 * too. What is spent there may be sent as the value.
 */
const OF_THE_CHAIN = /^0x0{24}/;

/** Whether an EVM address is, or may be, that of the native token of its chain. */
export function mayBeNative(address: string): boolean {
  return addressKey(address) === addressKey(NATIVE_TOKEN) || OF_THE_CHAIN.test(address);
}
