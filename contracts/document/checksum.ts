import { keccak_256 } from '@noble/hashes/sha3.js';
import { isEvmAddress } from '../wire/addresses.ts';
import { TextMemo } from '../wire/text-memo.ts';

const EVM_LENGTH = 42;
const MAX_KNOWN = 4_096;
const known = new Map<string, string>();

/**
 * An EVM address in the letter case that is its checksum (EIP-55).
 *
 * @param address 0x and 40 hex digits
 */
export function checksummed(address: string): string {
  const key = address.toLowerCase();
  let spelled = known.get(key);
  if (spelled === undefined) {
    if (known.size >= MAX_KNOWN) known.clear();
    spelled = spell(key);
    known.set(key, spelled);
  }
  return spelled;
}

function spell(address: string): string {
  const digits = address.slice(2);
  const hash = keccak_256(new TextEncoder().encode(digits));
  let text = '0x';
  for (const [at, digit] of Array.from(digits).entries()) {
    const byte = hash[at >> 1] ?? 0;
    const nibble = at % 2 === 0 ? byte >> 4 : byte & 15;
    text += nibble >= 8 ? digit.toUpperCase() : digit;
  }
  return text;
}

/** Null of what carries no checksum. */
const kept = new TextMemo<boolean | null>(MAX_KNOWN);

/**
 * Whether an address keeps its own checksum; undefined if it carries none, being in one letter
 * case or no EVM address at all.
 */
export function keepsChecksum(address: unknown): boolean | undefined {
  if (typeof address !== 'string' || address.length !== EVM_LENGTH) return undefined;
  const before = kept.find(address);
  const keeps = before === undefined ? kept.add(address, isChecked(address) ?? null) : before;
  return keeps ?? undefined;
}

function isChecked(address: string): boolean | undefined {
  if (!isEvmAddress(address)) return undefined;
  const digits = address.slice(2);
  if (digits === digits.toLowerCase() || digits === digits.toUpperCase()) return undefined;
  return checksummed(address) === address;
}
