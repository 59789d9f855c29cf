import { keepsChecksum } from '../../../../document/checksum.ts';
import { isObject, listOf } from '../../../../wire/json.ts';
import type { Broken, Collected, GroupJudgement, Rule, Witness } from '../../../../judging/rule.ts';
import { exchangeRule, runRule } from '../../../../judging/rule.ts';
import type { View } from '../../../../judging/view.ts';
import { memoOf } from '../../../../judging/view.ts';
import { NATIVE_TOKEN } from '../../../../wire/addresses.ts';
import type { ListName } from '../../readings/zap-entry.ts';
import { isNativeKey, isOtherNative, pointerTo } from '../../readings/zap-entry.ts';
import type { Route } from '../../readings/zap-route.ts';
import { ROUTED, routeOf } from '../../readings/zap-route.ts';

/** What one answer says of a token, and where. */
interface Named {
  readonly key: string;
  readonly decimals: unknown;
  readonly symbol: unknown;
  readonly step: number;
  readonly list: ListName;
  readonly index: number;
  /** Whether the answer states the same of it in another list of a step too. */
  isTwice: boolean;
}

const NAMED = memoOf((view) => {
  const route = routeOf(view);
  return route && readNamed(route);
});

/** What an answer says of each of its tokens; twice of a token that it names in two ways. */
function namedIn(view: View): readonly Named[] | null {
  return view.get(NAMED);
}

function readNamed({ entries }: Route): readonly Named[] {
  const named: Named[] = [];
  for (const { key, asset, step, list, index } of entries) {
    // The positions of a manager share its address, and may differ in all else.
    if (key === undefined || asset === undefined || !isToken(asset.type)) continue;
    const [decimals, symbol] = [comparable(asset.decimals), comparable(asset.symbol)];
    const known = named.find(
      (one) => one.key === key && one.decimals === decimals && one.symbol === symbol,
    );
    if (known !== undefined) {
      known.isTwice ||= known.list !== list;
      continue;
    }
    named.push({ key, decimals, symbol, step, list, index, isTwice: false });
    if (named.length >= MAX_NAMED) break;
  }
  return named;
}

/** At most this many tokens of one answer are kept; longer texts are no symbols. */
const MAX_NAMED = 500;
const MAX_CHARACTERS = 200;

/** A value that may be compared with another one; others are not kept, which may be of any size. */
function comparable(value: unknown): unknown {
  if (typeof value === 'string') return value.length <= MAX_CHARACTERS ? value : undefined;
  return typeof value === 'number' ? value : undefined;
}

const OTHER_STANDARD = /^ERC(?!20$)/;

function isToken(type: unknown): boolean {
  return type === 'ERC20' || (typeof type === 'string' && !OTHER_STANDARD.test(type));
}

/** No more are shown. */
const MAX_WITNESSES = 6;

type NamedFacts = readonly Collected<readonly Named[]>[];

function judgeNames(what: 'decimals' | 'symbol', facts: NamedFacts): GroupJudgement[] {
  const first = new Map<
    string,
    { readonly value: unknown; readonly witness: Witness; readonly list: ListName }
  >();
  const groups: GroupJudgement[] = [];
  for (const { fact, witness } of facts) {
    const broken: Broken[] = [];
    let judged = false;
    const witnesses = [witness];
    for (const named of fact) {
      const { key } = named;
      const value = named[what];
      if (typeof value !== 'string' && typeof value !== 'number') continue;
      const known = first.get(key);
      if (named.isTwice) judged = true;
      if (known === undefined) {
        first.set(key, { value, witness, list: named.list });
        continue;
      }
      // In the same list of a step a service that goes by the place states the same.
      if (known.list !== named.list || known.value !== value) judged = true;
      if (known.value === value) continue;
      const expected = `${what} ${String(known.value)} of ${key}, as elsewhere`;
      const pointer = `${pointerTo(named, 'asset')}/${what}`;
      broken.push({ pointer, expected, actual: String(value) });
      if (witnesses.length < MAX_WITNESSES && !witnesses.includes(known.witness)) {
        witnesses.push(known.witness);
      }
    }
    if (judged) groups.push({ witnesses, judgement: broken });
  }
  return groups;
}

/** The rule that an asset is described alike wherever it stands in a run. */
function oneOf(
  what: 'decimals' | 'symbol',
  reported: Pick<Rule, 'level' | 'source' | 'protects' | 'rulesOut'>,
): Rule {
  return runRule<readonly Named[]>({
    id: `zap.assets.one-${what}`,
    ...reported,
    api: 'zap',
    operations: ROUTED,
    answer: 'success',
    leastEvidence: 1,
    collect: namedIn,
    weigh: (named) => named.length,
    conclude: (facts) => judgeNames(what, facts),
  });
}

// EIP-55: the letter case of a mixed-case address is its checksum; strict clients refuse another.
function checksumFaults(view: View): readonly Broken[] | null {
  const route = routeOf(view);
  if (route === null) return null;
  const broken: Broken[] = [];
  let judged = 0;
  const look = (address: unknown, pointer: () => string): void => {
    const keeps = keepsChecksum(address);
    if (keeps !== undefined) judged += 1;
    if (keeps !== false) return;
    const expected = 'an address in the letter case of its checksum, or in one case';
    broken.push({ pointer: pointer(), expected, actual: String(address) });
  };
  for (const entry of route.entries) {
    if (entry.asset !== undefined)
      look(entry.asset.address, () => pointerTo(entry, 'asset/address'));
  }
  const { approvalData, steps } = route.data;
  if (isObject(approvalData)) {
    look(approvalData.callTo, () => '/data/approvalData/callTo');
    look(approvalData.approveTo, () => '/data/approvalData/approveTo');
  }
  for (const [index, step] of listOf(steps).entries()) {
    const data = isObject(step) ? step.data : undefined;
    if (isObject(data)) look(data.callTo, () => `/data/steps/${index}/data/callTo`);
  }
  return judged > 0 ? broken : null;
}

// Section 1, convention 3: the native token is addressed by a constant. Nothing else is at the zero
// address and the few others by which many services address it.
function otherConstants(view: View): readonly Broken[] | null {
  const route = routeOf(view);
  if (route === null) return null;
  const broken: Broken[] = [];
  let judged = false;
  for (const entry of route.entries) {
    if (isNativeKey(entry.key)) judged = true;
    if (!isOtherNative(entry)) continue;
    const expected = `the native token by its constant, ${NATIVE_TOKEN}`;
    const actual = String(entry.asset?.address);
    broken.push({ pointer: pointerTo(entry, 'asset/address'), expected, actual });
  }
  return judged || broken.length > 0 ? broken : null;
}

export const assetRules: readonly Rule[] = [
  exchangeRule({
    id: 'zap.assets.native-by-constant',
    level: 'must',
    source: '§1',
    protects: 'The native token is found under its constant, not under the zero address.',
    rulesOut:
      'A service that writes the native token as the zero address or the constant of a chain: the route holds the native token.',
    api: 'zap',
    operations: ROUTED,
    answer: 'success',
    leastEvidence: 1,
    judge: otherConstants,
  }),
  oneOf('decimals', {
    level: 'must',
    source: 'implied by §2.2 (loses money)',
    protects: 'An asset has the same decimals wherever it stands.',
    rulesOut:
      'A service that states decimals by the place, such as 18 for whatever is taken in: an asset stands in two kinds of lists.',
  }),
  oneOf('symbol', {
    level: 'should',
    source: 'implied by §2.2',
    protects: 'An asset has the same symbol wherever it stands.',
    rulesOut:
      'A service that states symbols by the place, such as the name for what is taken in: an asset stands in two kinds of lists.',
  }),
  exchangeRule({
    id: 'zap.addresses.keep-checksum',
    level: 'should',
    source: 'EIP-55',
    protects: 'An address in mixed letter case passes the checksum that strict clients apply.',
    rulesOut:
      'A service that changes the case of single letters: an address is spelled in both cases.',
    api: 'zap',
    operations: ROUTED,
    answer: 'success',
    leastEvidence: 1,
    judge: checksumFaults,
  }),
];
