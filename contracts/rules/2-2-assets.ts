import { keepsChecksum } from '../checksum.ts';
import { isObject, listOf } from '../json.ts';
import type { Broken, Collected, GroupJudgement, Rule, Witness } from '../rule.ts';
import { exchangeRule, runRule } from '../rule.ts';
import type { View } from '../view.ts';
import { NATIVE_TOKEN } from '../wire/addresses.ts';
import type { Entry, Route } from './zap-route.ts';
import { pointerTo, ROUTED, routeOf } from './zap-route.ts';

/** Calls back for every amount entry of a route. */
function eachEntry({ steps }: Route, visit: (entry: Entry) => void): void {
  for (const { input, output, fee, dust } of steps) {
    for (const entry of input) visit(entry);
    for (const entry of output) visit(entry);
    for (const entry of fee) visit(entry);
    for (const entry of dust) visit(entry);
  }
}

/** What one answer says of a token, and where. */
interface Named {
  readonly key: string;
  readonly decimals: unknown;
  readonly symbol: unknown;
  readonly place: Pick<Entry, 'step' | 'list' | 'index'>;
}

const NAMED = Symbol('assets as named');

/** What an answer says of each of its tokens; twice of a token that it names in two ways. */
function namedIn(view: View): readonly Named[] | null {
  return view.memo(NAMED, () => {
    const route = routeOf(view);
    return route && readNamed(route);
  });
}

function readNamed(route: Route): readonly Named[] {
  const named: Named[] = [];
  eachEntry(route, ({ key, asset, step, list, index }) => {
    // The positions of a manager share its address, and may differ in all else.
    if (key === undefined || asset === undefined || !isToken(asset.type)) return;
    const { decimals, symbol } = asset;
    for (const known of named) {
      if (known.key === key && known.decimals === decimals && known.symbol === symbol) return;
    }
    named.push({ key, decimals, symbol, place: { step, list, index } });
  });
  return named;
}

const OTHER_STANDARD = /^ERC(?!20$)/;

function isToken(type: unknown): boolean {
  return type === 'ERC20' || (typeof type === 'string' && !OTHER_STANDARD.test(type));
}

type NamedFacts = readonly Collected<readonly Named[]>[];

function judgeNames(what: 'decimals' | 'symbol', facts: NamedFacts): GroupJudgement[] {
  const first = new Map<string, { readonly value: unknown; readonly witness: Witness }>();
  return facts.flatMap(({ fact, witness }): GroupJudgement[] => {
    const broken: Broken[] = [];
    let judged = false;
    const witnesses = [witness];
    for (const { key, [what]: value, place } of fact) {
      if (typeof value !== 'string' && typeof value !== 'number') continue;
      const known = first.get(key);
      if (known === undefined) {
        first.set(key, { value, witness });
        continue;
      }
      judged = true;
      if (known.value === value) continue;
      const expected = `${what} ${String(known.value)} of ${key}, as elsewhere`;
      const pointer = `${pointerTo(place, 'asset')}/${what}`;
      broken.push({ pointer, expected, actual: String(value) });
      if (!witnesses.includes(known.witness)) witnesses.push(known.witness);
    }
    return judged ? [{ witnesses, judgement: broken }] : [];
  });
}

/** The rule that an asset is told the same wherever it stands in a run. */
function oneOf(what: 'decimals' | 'symbol', protects: string): Rule {
  return runRule<readonly Named[]>({
    id: `zap.assets.one-${what}`,
    level: 'should',
    source: 'implied by §2.2',
    protects,
    api: 'zap',
    operations: ROUTED,
    answer: 'success',
    leastEvidence: 1,
    collect: namedIn,
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
    if (keeps === undefined) return;
    judged += 1;
    if (keeps) return;
    const expected = 'an address in the letter case of its checksum, or in one case';
    broken.push({ pointer: pointer(), expected, actual: String(address) });
  };
  eachEntry(route, (entry) => {
    look(entry.asset?.address, () => pointerTo(entry, 'asset/address'));
  });
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

const ZERO_ADDRESS = /^0x0{40}$/;

// Section 1, convention 3: the native token is addressed by a constant; nothing else is at the zero
// address, by which many services address it.
function zeroAddresses(view: View): readonly Broken[] | null {
  const route = routeOf(view);
  if (route === null) return null;
  const broken: Broken[] = [];
  eachEntry(route, (entry) => {
    const address = entry.asset?.address;
    if (typeof address !== 'string' || !address.startsWith('0x00') || !ZERO_ADDRESS.test(address)) {
      return;
    }
    const expected = `the native token by its constant, ${NATIVE_TOKEN}`;
    broken.push({ pointer: pointerTo(entry, 'asset/address'), expected, actual: address });
  });
  return broken;
}

export const assetRules: readonly Rule[] = [
  exchangeRule({
    id: 'zap.assets.native-by-constant',
    level: 'should',
    source: 'implied by §1',
    protects: 'The native token is found under its constant, not under the zero address.',
    api: 'zap',
    operations: ROUTED,
    answer: 'success',
    leastEvidence: 1,
    judge: zeroAddresses,
  }),
  oneOf('decimals', 'An asset has the same decimals wherever it stands.'),
  oneOf('symbol', 'An asset has the same symbol wherever it stands.'),
  exchangeRule({
    id: 'zap.addresses.keep-checksum',
    level: 'should',
    source: 'EIP-55',
    protects: 'An address in mixed letter case passes the checksum that strict clients apply.',
    api: 'zap',
    operations: ROUTED,
    answer: 'success',
    leastEvidence: 1,
    judge: checksumFaults,
  }),
];
