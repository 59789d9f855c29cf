import { isObject, member } from '../../../wire/json.ts';
import type { Collected, GroupJudgement, Rule } from '../../../judging/rule.ts';
import { runRule } from '../../../judging/rule.ts';
import type { View } from '../../../judging/view.ts';
import { evmKey, isEvmAddress } from '../../../wire/addresses.ts';
import type { Leaf } from '../readings/leaves.ts';
import { leavesOf } from '../readings/leaves.ts';

/** What a detail is said to hold (section 2.5), and what may be it: names and types are open. */
interface Kind {
  readonly called: string;
  readonly isReported: (leaf: Leaf, pool: string) => boolean;
}

// Any member whose name could mean it counts, whatever it holds, null and an empty list as well. A pool
// without ticks, or without trades so far, has nothing else to say.
const KINDS: readonly Kind[] = [
  {
    called: 'tokens',
    isReported: ({ path, value }, pool) =>
      /token|asset|coin|currenc|pair|underlying|symbol/i.test(path) ||
      (isEvmAddress(value) && evmKey(value) !== pool),
  },
  {
    called: 'a tick range and the current tick',
    // The price of a token is not that of the pool.
    isReported: ({ path, isOfToken }) =>
      /tick|range|lower|upper|bound|bin/i.test(path) || (!isOfToken && /price/i.test(path)),
  },
  {
    called: 'liquidity',
    isReported: ({ path }) => /liq|reserve|depth|supply|balance|tvl|locked|stake/i.test(path),
  },
  {
    called: 'recent trades',
    isReported: ({ path }) =>
      /trade|swap|transact|tx|activit|histor|recent|latest|event|fill|exchange|order/i.test(path),
  },
];

interface Reported {
  readonly pool: string;
  /** Which of the kinds the details hold. */
  readonly kinds: readonly string[];
  /** Names of the members that hold anything. */
  readonly names: readonly string[];
}

/** More members than any service has are not compared, nor are longer names. */
const MAX_NAMES = 200;
const MAX_CHARACTERS = 100;

function isEmpty(value: unknown): boolean {
  return value === null || (typeof value === 'object' && Object.keys(value).length === 0);
}

function reportedOf(view: View): Reported | null {
  const data = member(view.json, 'data');
  const asked = member(view.requestJson, 'poolAddress');
  if (view.exchange.purpose.kind !== 'valid' || !isObject(data)) return null;
  if (Object.keys(data).length === 0) return null;
  const pool = typeof asked === 'string' ? evmKey(asked) : '';
  const leaves = leavesOf(data);
  if (leaves === null) return null;
  const kinds = KINDS.filter(({ isReported }) => leaves.some((leaf) => isReported(leaf, pool)));
  const filled = Object.entries(data).filter(([, value]) => !isEmpty(value));
  const names = filled.slice(0, MAX_NAMES).map(([name]) => name.slice(0, MAX_CHARACTERS));
  return { pool, kinds: kinds.map(({ called }) => called), names };
}

/** Of fewer pools it is not known whether all are of a kind that has no ticks, say. */
const SEVERAL = 2;

// A pool of one kind may have no ticks, one that is new no trades: all details of the run count
// together.
function judgeKinds(facts: readonly Collected<Reported>[]): GroupJudgement[] {
  const pools = new Set(facts.map(({ fact }) => fact.pool)).size;
  if (pools < SEVERAL) return [];
  const reported = new Set(facts.flatMap(({ fact }) => fact.kinds));
  const missing = KINDS.filter(({ called }) => !reported.has(called)).map(({ called }) => called);
  const witnesses = facts.slice(0, 2).map(({ witness }) => witness);
  if (missing.length === 0) return [{ witnesses, judgement: [] }];
  const expected = `${missing.join('; ')}, under whatever name`;
  const actual = `no member in the details of ${pools} pools that could be that, by its name`;
  return [{ witnesses, judgement: [{ pointer: '/data', expected, actual }] }];
}

/** What each pool has, of whatever kind: ticks and trades are not for all. Names that say it, and that may mean it. */
const OF_EACH = [
  { kind: 'tokens', says: /token|asset|coin/i, means: /token|asset|coin|currenc|pair|symbol/i },
  { kind: 'liquidity', says: /liq/i, means: /liq|reserve|depth|supply|balance|tvl|locked|stake/i },
] as const;
/** So many others have what one lacks, or so many lack it, before it is said to be lacking. */
const MANY = 5;

/** Whether details lack what others have that hold all of their members of that kind, and differ in nothing else. */
function lacksAlone(
  names: readonly string[],
  other: readonly string[],
  { says, means }: (typeof OF_EACH)[number],
): boolean {
  const more = other.filter((name) => !names.includes(name));
  return (
    more.some((name) => says.test(name)) &&
    more.every((name) => means.test(name)) &&
    names.every((name) => !says.test(name) && (!means.test(name) || other.includes(name)))
  );
}

// Five pools in which there is none, or one of which five others have it.
function judgeEach(facts: readonly Collected<Reported>[]): GroupJudgement[] {
  const latest = new Map(facts.map((one) => [one.fact.pool, one]));
  if (latest.size <= MANY) return [];
  const all = [...latest.values()];
  return all.map(({ fact, witness }) => {
    const broken = OF_EACH.flatMap((each) => {
      const { kind } = each;
      const having = all.filter(({ fact: other }) =>
        fact.kinds.includes(kind)
          ? lacksAlone(fact.names, other.names, each)
          : other.kinds.includes(kind),
      ).length;
      if (fact.kinds.includes(kind) ? having < MANY : having > 0 && having < MANY) return [];
      const expected = `${kind}, under whatever name${having > 0 ? `, as of ${having} other pools` : ''}`;
      const actual = `no member that could be that${having > 0 ? '' : `, of any of ${all.length} pools`}`;
      return [{ pointer: '/data', expected, actual }];
    });
    return { witnesses: [witness], judgement: broken };
  });
}

const base = {
  api: 'zap',
  operations: ['zap.pool-details'],
  answer: 'success',
  leastEvidence: 1,
  collect: reportedOf,
  weigh: ({ kinds, names }: Reported) => 1 + kinds.length + names.length,
} as const;

/** The rule that details of each pool hold what each pool has. */
export const eachPoolDetailRule: Rule = runRule<Reported>({
  ...base,
  id: 'zap.pool-details.each-holds-tokens-and-liquidity',
  level: 'must',
  source: '§2.5',
  protects: 'Details of each pool state its tokens and its liquidity.',
  rulesOut:
    'A service that leaves them out, of one pool or of all: the details of six pools at least are known.',
  conclude: judgeEach,
});

/** The rule that details hold what they are said to hold. */
export const poolDetailKindRule: Rule = runRule<Reported>({
  ...base,
  id: 'zap.pool-details.hold-what-is-stated',
  once: true,
  level: 'should',
  source: '§2.5',
  protects: 'Details of pools state tokens, ticks, liquidity and trades, if there are any.',
  rulesOut:
    'A service that leaves one of them out everywhere: some details of the run have a member that is called so.',
  conclude: judgeKinds,
});
