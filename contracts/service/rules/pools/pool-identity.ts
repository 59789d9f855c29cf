import { isObject, listOf, member } from '../../../wire/json.ts';
import type { Broken, Collected, GroupJudgement, Rule } from '../../../judging/rule.ts';
import { exchangeRule, runRule } from '../../../judging/rule.ts';
import type { View } from '../../../judging/view.ts';
import { evmKey } from '../../../wire/addresses.ts';
import { isOfOtherPool } from './pool-facts.ts';
import { evmAddressesIn } from '../readings/pool-list.ts';

/** What is asked about besides the pools of the lists: marks the requests' purposes. */
export const UNKNOWN_POOL = 'unknown pool';
export const OTHER_CHAIN = 'a pool of another chain';

const NAMES_TOKENS = /token|asset|coin|currenc/i;
const NAMES_CHAIN = /chain|network/i;

/** What the purpose of a request says of the pool; undefined for pools of the lists. */
function aboutOf({ exchange: { purpose } }: View): string | undefined {
  if (purpose.kind === 'probe') return purpose.about;
  return purpose.kind === 'invalid' ? purpose.defect : undefined;
}

/** The addresses of tokens in details, wherever they stand; those of the pool itself left out. */
function tokensIn(data: unknown, pool: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (const [name, value] of Object.entries(isObject(data) ? data : {})) {
    const tokens = NAMES_TOKENS.test(name) ? evmAddressesIn(value) : [];
    for (const token of tokens) if (token !== pool) found.add(token);
    if (isObject(value)) for (const token of tokensIn(value, pool)) found.add(token);
  }
  return found;
}

// §4.1: details of the pool that is asked for. At an address that was made up there is none.
function madeUp(view: View): readonly Broken[] | null {
  if (aboutOf(view) !== UNKNOWN_POOL || view.status >= 500 || isOfOtherPool(view)) return null;
  if (!view.succeeded) return [];
  const data = member(view.json, 'data');
  const asked = member(view.requestJson, 'poolAddress');
  const tokens = tokensIn(data, typeof asked === 'string' ? evmKey(asked) : '');
  if (tokens.size === 0 && listOf(member(data, 'tokens')).length === 0) return [];
  const expected = 'an error, or no details: no pool is at an address that was made up';
  const actual = `details with ${tokens.size === 0 ? 'tokens' : [...tokens].slice(0, 2).join()}`;
  return [{ pointer: '/data', expected, actual }];
}

interface Reported {
  readonly chain: string;
  readonly address: string;
  /** Whether the pool is listed on the chain; else it is on another one. */
  readonly isListed: boolean;
  /** The details except for what names a chain; undefined if there are none. */
  readonly details: string | undefined;
  readonly tokens: string;
}

/** Longer details are not compared. */
const MAX_CHARACTERS = 20_000;

function reportedOf(view: View): Reported | null {
  const { chainId, poolAddress } = isObject(view.requestJson) ? view.requestJson : {};
  if (typeof chainId !== 'number' || typeof poolAddress !== 'string') return null;
  const isListed = view.exchange.purpose.kind === 'valid';
  if ((!isListed && aboutOf(view) !== OTHER_CHAIN) || view.status >= 500) return null;
  if (isOfOtherPool(view) || view.text.length > MAX_CHARACTERS) return null;
  const data = member(view.json, 'data');
  const address = evmKey(poolAddress) || poolAddress;
  const details = view.succeeded && isObject(data) ? withoutChain(data) : undefined;
  const tokens = [...tokensIn(data, address)].sort().join();
  return { chain: String(chainId), address, isListed, details, tokens };
}

function withoutChain(data: unknown): string {
  return JSON.stringify(data, (name, value: unknown) =>
    NAMES_CHAIN.test(name) ? undefined : value,
  );
}

// §4.1: the pool is named by chain and address. Two pools at one address may be alike in tokens, but
// not in all that details hold: liquidity, the current tick, trades.
function judgeChains(facts: readonly Collected<Reported>[]): GroupJudgement[] {
  const listed = new Map<string, Collected<Reported>[]>();
  for (const one of facts) {
    if (!one.fact.isListed || one.fact.tokens === '') continue;
    const known = listed.get(one.fact.address);
    if (known === undefined) listed.set(one.fact.address, [one]);
    else known.push(one);
  }
  return facts.flatMap(({ fact, witness }): GroupJudgement[] => {
    if (fact.isListed) return [];
    const known = listed.get(fact.address)?.filter((one) => one.fact.chain !== fact.chain) ?? [];
    const [first] = known;
    if (first === undefined) return [];
    const same = known.find((one) => one.fact.details === fact.details);
    if (same === undefined) {
      // Of the same tokens, yet not the same: the pool of the other chain may have moved.
      const isMoved = known.some((one) => one.fact.tokens === fact.tokens);
      return isMoved ? [] : [{ witnesses: [witness, first.witness], judgement: [] }];
    }
    const expected = `an error, or details of a pool on chain ${fact.chain}`;
    const actual = `the details of ${fact.address} on chain ${same.fact.chain}`;
    const witnesses = [witness, same.witness];
    return [{ witnesses, judgement: [{ pointer: '/data', expected, actual }] }];
  });
}

// §2.5: a detail holds tokens, tick range, current tick, liquidity and recent trades. What is asked
// for, said again, is none of these.
function empty(view: View): readonly Broken[] | null {
  const data = member(view.json, 'data');
  if (view.exchange.purpose.kind !== 'valid' || !isObject(data)) return null;
  const { chainId, poolAddress } = isObject(view.requestJson) ? view.requestJson : {};
  const echo = new Set([String(chainId), String(poolAddress).toLowerCase()]);
  if (hasMore(data, echo)) return [];
  const expected = 'tokens, tick range, current tick, liquidity and recent trades of the pool';
  return [{ pointer: '/data', expected, actual: view.raw('/data') }];
}

function hasMore(json: unknown, echo: ReadonlySet<string>): boolean {
  if (Array.isArray(json)) return json.some((item) => hasMore(item, echo));
  if (isObject(json)) return Object.values(json).some((value) => hasMore(value, echo));
  if (typeof json === 'number' || typeof json === 'boolean') return !echo.has(String(json));
  return typeof json === 'string' && json !== '' && !echo.has(json.toLowerCase());
}

const base = { api: 'zap', operations: ['zap.pool-details'], leastEvidence: 1 } as const;

/** Rules on which pool details are of, and that they are of one. */
export const poolIdentityRules: readonly Rule[] = [
  exchangeRule({
    ...base,
    id: 'zap.pool-details.not-empty',
    level: 'must',
    source: '§2.5',
    protects: 'Details of a listed pool are not empty.',
    rulesOut: 'A service that answers with an empty object, or only with what it was asked.',
    answer: 'success',
    judge: empty,
  }),
  exchangeRule({
    ...base,
    id: 'zap.pool-details.unknown-pool-has-none',
    level: 'must',
    // Whoever takes them for the pool's sends money to nobody knows whom.
    source: 'implied by §2.5, §4.1 (loses money)',
    protects: 'Nothing is stated about a pool that does not exist.',
    rulesOut: 'A service that describes some pool whatever address it is asked for.',
    answer: 'answered',
    judge: madeUp,
  }),
  runRule<Reported>({
    ...base,
    id: 'zap.pool-details.chain-as-asked',
    level: 'must',
    // A deposit that is made by them goes to a pool that is not on that chain.
    source: 'implied by §2.5, §4.1 (loses money)',
    protects: 'Details are those of the pool on the chain that was asked for.',
    rulesOut:
      'A service that finds pools by address alone: the address is that of a pool on another chain.',
    answer: 'answered',
    collect: reportedOf,
    weigh: ({ details = '' }) => 1 + Math.ceil(details.length / 50),
    conclude: judgeChains,
  }),
];
