import { isObject, member } from '../../../wire/json.ts';
import type { Broken, Rule } from '../../../judging/rule.ts';
import { exchangeRule } from '../../../judging/rule.ts';
import type { View } from '../../../judging/view.ts';
import { isEvmAddress } from '../../../wire/addresses.ts';
import type { Leaf } from '../readings/leaves.ts';
import { leavesOf } from '../readings/leaves.ts';

/** What a chain config is said to hold (section 2.6), and what may be it: names are open. */
export interface Kind {
  readonly called: string;
  readonly isReported: (leaf: Leaf) => boolean;
}

const URL_TEXT = /^(?:https?|wss?):\/\//i;
const NATIVE = /^0x(?:e{40}|0{40})$/i;
const OTHER_TOKENS = /(?:^|\.)(?:tokens\..*|[^.]*wrap[^.]*$)/i;
/** What URLs and addresses of a chain are for otherwise. */
const OTHER_URLS = /explor|scan|logo|icon|image|docs|website|homepage|faucet/i;
const OTHER_ADDRESSES = /token|native|currenc|asset|coin/i;

/** Whether a value is an address that stands for the native token of any chain. */
export function isNativeAddress(value: unknown): boolean {
  return typeof value === 'string' && NATIVE.test(value);
}

/** What each chain is said to hold, names being open. */
export const CHAIN_KINDS: readonly Kind[] = [
  {
    called: 'a name',
    // The symbol or the name of its native token is not the chain's.
    isReported: ({ path, value, isOfToken }) =>
      typeof value === 'string' &&
      !isOfToken &&
      /name|label|title|slug|display|network|chain$|identifier|key$/i.test(path),
  },
  {
    called: 'the native token',
    // Its wrapper is a contract, and a list of tokens does not say which of them it is.
    isReported: ({ path, value }) =>
      /native|currenc|coin|gas(?!multi|price|limit|fee|est)|symbol$/i.test(
        path.replace(OTHER_TOKENS, ''),
      ) || isNativeAddress(value),
  },
  {
    called: 'RPC URLs',
    isReported: ({ path, value }) =>
      /rpc|node|endpoint/i.test(path) ||
      (typeof value === 'string' && URL_TEXT.test(value) && !OTHER_URLS.test(path)),
  },
  {
    called: 'contract addresses',
    isReported: ({ path, value, isOfToken }) =>
      !isOfToken &&
      (/contract|address|router|spender|permit|vault|factory|executor|multicall/i.test(path) ||
        (isEvmAddress(value) && !OTHER_ADDRESSES.test(path))),
  },
];

// §2.6: one object per chain id, which holds these. Not every chain need have each of them, so that
// what no chain has any member for is left out.
function missingKinds(view: View): readonly Broken[] | null {
  const data = member(view.json, 'data');
  const chains = isObject(data) ? Object.values(data).filter(isObject) : [];
  const filled = chains.filter((chain) => Object.keys(chain).length > 0);
  if (filled.length === 0) return null;
  const leaves = leavesOf(filled);
  if (leaves === null) return null;
  const missing = CHAIN_KINDS.filter(({ isReported }) => !leaves.some((leaf) => isReported(leaf)));
  if (missing.length === 0) return [];
  const expected = `${missing.map(({ called }) => called).join('; ')}, under whatever name`;
  const actual = `no member of any of ${filled.length} chains that could be that`;
  return [{ pointer: '/data', expected, actual }];
}

/** The rule that chain configs hold what they are said to hold. */
export const chainKindRule: Rule = exchangeRule({
  id: 'zap.chains.hold-what-is-stated',
  level: 'should',
  source: '§2.6',
  protects: 'The chain configuration states names, native tokens, RPC URLs and contract addresses.',
  rulesOut:
    'A service that leaves one of them out everywhere: some chain has a member that could be it.',
  api: 'zap',
  operations: ['zap.chains'],
  answer: 'success',
  leastEvidence: 1,
  judge: missingKinds,
});
