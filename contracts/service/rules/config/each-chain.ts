import { BrokenList } from '../../../rules/broken-list.ts';
import type { Judgement, Rule } from '../../../judging/rule.ts';
import { exchangeRule } from '../../../judging/rule.ts';
import type { View } from '../../../judging/view.ts';
import { isEvmAddress } from '../../../wire/addresses.ts';
import type { JsonObject } from '../../../wire/json.ts';
import { isObject, member, pointerStep } from '../../../wire/json.ts';
import type { Leaf } from '../readings/leaves.ts';
import { leavesOf } from '../readings/leaves.ts';
import { CHAIN_KINDS, isNativeAddress } from './chain-kinds.ts';

/** A configuration of one chain that says anything. */
interface Chain {
  readonly id: string;
  readonly leaves: readonly Leaf[];
  /** What says of which kind the chain is: only chains of one kind are compared. */
  readonly sort: string;
  /** Whether it names any EVM address. */
  readonly isEvm: boolean;
}

/** More chains than any service has are not compared. */
const MAX_CHAINS = 2_000;
const SORTING = /^(?:.*type|.*vm|kind|family|ecosystem|namespace|platform)$/i;
const MAX_CHARACTERS = 100;

function sortOf(config: JsonObject): string {
  const sorting = Object.entries(config).filter(
    ([name, value]) => SORTING.test(name) && (typeof value !== 'object' || value === null),
  );
  return JSON.stringify(sorting).slice(0, 5 * MAX_CHARACTERS);
}

function chainsOf(view: View): Chain[] | null {
  const data = member(view.json, 'data');
  const entries = isObject(data) ? Object.entries(data) : [];
  if (entries.length > MAX_CHAINS) return null;
  return entries.flatMap(([id, config]): Chain[] => {
    if (!isObject(config) || Object.keys(config).length === 0) return [];
    const leaves = leavesOf(config);
    if (leaves === null) return [];
    const isEvm = leaves.some((leaf) => isContract(leaf) || isEther(leaf));
    return [{ id, leaves, sort: sortOf(config), isEvm }];
  });
}

/** Section 1, convention 3: the constant stands for the native token of any chain. */
function isContract({ value }: Leaf): boolean {
  return isEvmAddress(value) && !isNativeAddress(value);
}

/** Native tokens of chains beyond the EVM have other decimals. */
function isEther({ path, value }: Leaf): boolean {
  return Number(value) === 18 && /(?:native|currenc).*decimals$/i.test(path);
}

/** Whether a value is the id of a chain: a number, in hex, or after a namespace. */
function isIdOf(value: unknown, id: string): boolean {
  if (typeof value === 'number') return String(value) === id;
  if (typeof value !== 'string' || value.length > MAX_CHARACTERS) return false;
  if (value === id || new RegExp(`^[a-z][a-z0-9]*[:_-]${id}$`, 'i').test(value)) return true;
  return /^0x[0-9a-f]{1,16}$/i.test(value) && String(BigInt(value)) === id;
}

const NUMBER = /^[0-9]{1,20}$/;
/** What counts something else, which may be as much as a small id. */
const OTHER_NUMBERS = /decimals|block|gas|confirm|price|tvl|count|order|rank|priority|time/i;
/** What is for people to read, or to follow. */
const WORDS = /name|label|title|display|descr|url|rpc|explor|logo|icon|image/i;

function idsStated(view: View): Judgement {
  const chains = chainsOf(view)?.filter(({ id }) => NUMBER.test(id)) ?? [];
  if (chains.length === 0) return null;
  const broken = new BrokenList();
  for (const { id, leaves: all } of chains) {
    // Each token of a chain names the chain as well.
    const leaves = all.filter(({ path, isOfToken }) => !isOfToken && !/token/i.test(path));
    const isStated = leaves.some(
      ({ path, value }) => !OTHER_NUMBERS.test(path) && !WORDS.test(path) && isIdOf(value, id),
    );
    // One that is named so is compared with the key by another rule.
    const isNamed = leaves.some(({ path, value }) => value !== null && /^chainId$/.test(path));
    if (isStated || isNamed) continue;
    const expected = `the chain's id, ${id}, under whatever name`;
    broken.add(() => ({ pointer: `/data${pointerStep(id)}`, expected, actual: 'no such member' }));
  }
  return broken.all();
}

/** So many others have what one lacks, before it is said to lack it. */
const LIKE_IT = 5;

// What the document says that a chain holds, and as many others have, one of many has as well. Chains
// of another kind, or without any EVM address, may have no contracts.
function eachAsOthers(view: View): Judgement {
  const chains = chainsOf(view) ?? [];
  let judged = false;
  const broken = new BrokenList();
  for (const { called, isReported } of CHAIN_KINDS) {
    const having = chains.filter(({ leaves }) => leaves.some((leaf) => isReported(leaf)));
    for (const chain of chains) {
      const others = having.filter((other) => other !== chain && other.sort === chain.sort);
      if (others.length < LIKE_IT || !chain.isEvm) continue;
      judged = true;
      if (having.includes(chain)) continue;
      const expected = `${called}, under whatever name, as of ${others.length} other chains`;
      const pointer = `/data${pointerStep(chain.id)}`;
      broken.add(() => ({ pointer, expected, actual: 'no member that could be that' }));
    }
  }
  return judged ? broken.all() : null;
}

const base = {
  level: 'must',
  source: '§2.6',
  api: 'zap',
  operations: ['zap.chains'],
  answer: 'success',
  leastEvidence: 1,
} as const;

// Section 2.6: a chain config holds chain id, name, native token, RPC URLs and contract addresses.
export const eachChainRules: readonly Rule[] = [
  exchangeRule({
    ...base,
    id: 'zap.chains.tell-their-id',
    protects: 'A chain configuration states the id of its chain, also if it is passed on alone.',
    rulesOut: 'A service that gives the id as the key alone: some configuration holds something.',
    judge: idsStated,
  }),
  exchangeRule({
    ...base,
    id: 'zap.chains.each-holds-what-others-hold',
    protects: 'A member that the document names, and that five chains have, no other chain lacks.',
    rulesOut:
      'A service that leaves out what it lacks for one chain of many: at least five others of its kind have it.',
    judge: eachAsOthers,
  }),
];
