/** Where a token keeps the balance of an account, found by asking a node, whatever the token's layout. */

import { keccak_256 } from '@noble/hashes/sha3.js';
import { listOf, member } from '../../../contracts/wire/json.ts';
import { balanceOf } from '../../../contracts/service/rules/simulated/plan.ts';
import type { SlotValues } from '../../../contracts/service/rules/simulated/requests.ts';
import { slotValue } from '../../../contracts/service/rules/simulated/requests.ts';
import {
  firstWord,
  numberOf,
  wordOfAddress,
  wordOfNumber,
} from '../../../contracts/service/rules/simulated/words.ts';
import type { ChainNode, NodeAnswer } from '../../../target/rpc/nodes.ts';

/** Thrown if a node fails to say what a search needs, so that nothing is known of the token. */
export class NodeFailed extends Error {
  override readonly name = 'NodeFailed';
}

/** A way to make a token say that an account has so much of it, or more; it throws {@link NodeFailed}. */
export type SlotFinder = (
  account: string,
  amount: bigint,
  block: string,
) => Promise<SlotValues | undefined>;

/** Mappings stand at one of the first slots, in the order of Solidity or of Vyper. */
const MAPPINGS = 64;
/** The namespace of OpenZeppelin 5 (ERC-7201, `openzeppelin.storage.ERC20`). */
const OPENZEPPELIN = '52c63247e1f47db19d5ce0460030c497f067ca4cebf71ba98eeadabe20bace00';
/** What Solady hashes with the owner. */
const SOLADY = '000000000000000087a211a2';

function hashOf(digits: string): string {
  return `0x${Buffer.from(keccak_256(Buffer.from(digits, 'hex'))).toString('hex')}`;
}

/** What known layouts hash for the slot of an owner, who is given as an ABI word. */
const LAYOUTS: readonly ((owner: string) => string)[] = [
  ...Array.from({ length: MAPPINGS }, (_, at) => wordOfNumber(BigInt(at))).flatMap((slot) => [
    (owner: string) => owner + slot,
    (owner: string) => slot + owner,
  ]),
  (owner) => owner + OPENZEPPELIN,
  (owner) => owner.slice(24) + SOLADY,
];

/** An address of nobody: layouts are found with it, so that all its slots are hashed once for all tokens. */
const NOBODY = '0x00000000000000000000000000000000a55a7b1f';
let guesses: readonly (readonly [slot: string, value: string])[] | undefined;

/** All slots that may hold the balance of {@link NOBODY}, each with a value of its own. */
function guessed(): NonNullable<typeof guesses> {
  guesses ??= LAYOUTS.map((hashed, at) => [
    hashOf(hashed(wordOfAddress(NOBODY))),
    slotValue(TRIAL + BigInt(at)),
  ]);
  return guesses;
}

/** Guesses are distinguished by values above it; some tokens keep balances in 96 bits. */
const TRIAL = 1n << 90n;
/** Slots that are tried if a token keeps balances in no known layout. */
const MOST_TRIED = 12;

/**
 * Finds where a token keeps balances: one call if its layout is known, else some more.
 *
 * @throws {NodeFailed} if the node fails
 */
export async function findSlots(
  node: ChainNode,
  token: string,
  account: string,
  block: string,
): Promise<SlotFinder | undefined> {
  const call = { from: NOBODY, to: token, data: balanceOf(NOBODY) };
  const held = await balanceWith(node, call, { [token]: Object.fromEntries(guessed()) }, block);
  const at = held === undefined ? -1n : held - TRIAL;
  const hashed = at < BigInt(LAYOUTS.length) ? LAYOUTS[Number(at)] : undefined;
  if (hashed !== undefined) {
    return (owner, amount) => {
      const slot = hashOf(hashed(wordOfAddress(owner)));
      return Promise.resolve({ [token]: { [slot]: slotValue(amount) } });
    };
  }
  const first = await searchTouched(node, token, account, block);
  if (first === undefined) return undefined;
  // The place of another account is found by searching again: nodes list what is read in any order.
  const places = new Map<string, Place | undefined>([[account, first]]);
  return async (owner, amount, now) => {
    if (!places.has(owner)) places.set(owner, await searchTouched(node, token, owner, now));
    const found = places.get(owner);
    if (found === undefined) return undefined;
    return { [found.at]: { [found.slot]: slotValue(wordFor(amount, found.balance)) } };
  };
}

/**
 * What a slot is to hold for a balance, by the balance that {@link TRIAL} makes. If that is a part of a word,
 * what stands below is left alone: it may be a flag. Shares are kept, and come back as more or less.
 */
function wordFor(amount: bigint, ofTrial: bigint): bigint {
  return TRIAL % ofTrial === 0n ? amount * (TRIAL / ofTrial) : (amount * TRIAL) / ofTrial + 1n;
}

/** A slot of a contract, and the balance that {@link TRIAL} makes there. */
interface Place {
  readonly at: string;
  readonly slot: string;
  readonly balance: bigint;
}

/** The slot among those that are read for a balance which decides it. */
async function searchTouched(
  node: ChainNode,
  token: string,
  account: string,
  block: string,
): Promise<Place | undefined> {
  const call = { from: account, to: token, data: balanceOf(account) };
  for (const [at, slot] of await touchedSlots(node, call, block)) {
    // What holds something already is a setting of the token, such as what a proxy stands for.
    const stored = await node.call({ method: 'eth_getStorageAt', params: [at, slot, block] });
    if (numberOf(resultOf(stored)) !== 0n) continue;
    const balance = await balanceWith(node, call, { [at]: { [slot]: slotValue(TRIAL) } }, block);
    if (balance !== undefined && balance > 0n) return { at, slot, balance };
  }
  return undefined;
}

/** What a call for a balance returns while slots hold something else. */
async function balanceWith(
  node: ChainNode,
  call: unknown,
  slots: SlotValues,
  block: string,
): Promise<bigint | undefined> {
  const state = Object.fromEntries(
    Object.entries(slots).map(([at, stateDiff]) => [at, { stateDiff }]),
  );
  return firstWord(resultOf(await node.call({ method: 'eth_call', params: [call, block, state] })));
}

/** What nodes say of a call that fails by itself, whatever its code. */
const OF_CALL = /revert|evm error|out of gas|opcode|invalid jump|stack (?:under|over)flow/i;
/** The code of a revert. */
const REVERTED = 3;

/** The result of a call; undefined if the call itself fails. */
function resultOf(answer: NodeAnswer): unknown {
  if (answer.kind === 'result') return answer.result;
  if (answer.kind === 'error' && (answer.code === REVERTED || OF_CALL.test(answer.message)))
    return undefined;
  throw new NodeFailed(answer.why);
}

/** Storage that a call reads, each place with its contract. */
async function touchedSlots(
  node: ChainNode,
  call: unknown,
  block: string,
): Promise<(readonly [at: string, slot: string])[]> {
  const answer = await node.call({ method: 'eth_createAccessList', params: [call, block] });
  const slots = listOf(member(resultOf(answer), 'accessList')).flatMap((entry) => {
    const at = member(entry, 'address');
    const keys = listOf(member(entry, 'storageKeys'));
    if (typeof at !== 'string') return [];
    return keys.map((key) => [at.toLowerCase(), String(key)] as const);
  });
  return slots.filter(([, slot]) => /^0x[0-9a-fA-F]{64}$/.test(slot)).slice(0, MOST_TRIED);
}
