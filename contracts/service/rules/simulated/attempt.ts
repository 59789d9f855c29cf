/** What one build did when it was simulated, as far as its simulations agree. */

import type { SimulatedBuild, Spending } from './build.ts';
import type { Control, Mode, Plan, ReadFact } from './plan.ts';
import { leastAllowance, planOf, spendersOf } from './plan.ts';
import type { Logs } from './logs.ts';
import type { CallResult, Simulation } from './requests.ts';
import { refusesPeople } from './refused-people.ts';
import { sentForm } from './requests.ts';
import { DISAGREE, whyRefused, whyUndecided } from './why-undecided.ts';

/** How a build may be simulated: by which calls, and in which way of a node. */
export type RunName = `${Mode} ${Simulation['way']}`;

/** A build with the simulations that were made of it. */
export interface Attempt {
  readonly build: SimulatedBuild;
  readonly simulations: ReadonlyMap<RunName, Simulation>;
  /** Whose state they found, if that is known. */
  readonly block?: BlockSaid | undefined;
}

/** What a node says of a block. */
export interface BlockSaid {
  /** Unix seconds. */
  readonly madeAtSeconds: bigint;
  /** Native coins for a unit of gas; undefined if there is none. */
  readonly baseFee?: bigint | undefined;
}

/** A service quotes by blocks of just now; by the state of earlier ones its builds may rightly fail. */
export const MAX_BLOCK_AGE_SECONDS = 120n;

/** How old the state was that simulations found, in seconds; undefined if it was of just now. */
export function ageOf({ simulations, block }: Attempt): bigint | undefined {
  const [first] = simulations.values();
  if (first?.atSeconds === undefined || block === undefined) return undefined;
  const age = first.atSeconds - block.madeAtSeconds;
  return age > MAX_BLOCK_AGE_SECONDS ? age : undefined;
}

/** What left the account, or arrived, by a plain transfer; that it was refused, or could not be tried. */
export type Moved = bigint | 'refused' | 'not tried';

/** A simulation that can be judged: all was approved and read, and the account held what it was to spend. */
export interface Run {
  readonly mode: Mode;
  readonly way: Simulation['way'];
  readonly value: bigint;
  readonly built: CallResult;
  /** Whether the spender takes signatures, and may have wanted one. */
  readonly takesSignatures: boolean;
  /** By how much a number grew; 0 where it was not read. */
  readonly grew: (fact: ReadFact) => bigint;
  /** What came of each control. */
  readonly controls: readonly (Control & { readonly moved: Moved; readonly why?: string })[];
}

/** What left the account. What goes beyond the value of native coins is what a chain takes for gas. */
export function spentIn(
  run: Run,
  { account }: Pick<SimulatedBuild, 'account'>,
  { token, isNative }: Spending,
): bigint {
  const spent = -run.grew({ token, holder: account });
  return isNative && spent > run.value ? run.value : spent;
}

/** What an attempt says. */
export interface Outcome {
  /** The build executed as a client would, else as its account might to find out what it lacks. */
  readonly ran?: Run;
  readonly strict: 'succeeded' | 'failed' | 'not known';
  /**
   * What a build that fails as its answer says, and succeeds with more, had too little of: shown by two ways of
   * executing it, or by a run that differs in the gas alone.
   */
  readonly lacks?: 'gas' | 'approval or value';
  /** Both ways of simulating say that it fails, whatever is approved. */
  readonly fails: boolean;
  readonly why?: string;
  /** What a plain transfer of a token did to a holder's balance. */
  readonly moved: (token: string, holder: string) => Moved;
  /** How native coins moved in the lenient run; undefined if no node says so. */
  readonly coins: Logs | undefined;
  /** Why what is wrong says nothing of the service: a clause. */
  readonly doubt?: string;
}

function runOf(
  { build, simulations }: Attempt,
  mode: Mode,
  way: Simulation['way'],
): Run | undefined {
  const simulation = simulations.get(`${mode} ${way}`);
  if (simulation === undefined) return undefined;
  const plan = planOf(build, mode);
  if (simulation.sent !== sentForm(way, build.account, plan)) return undefined;
  const { results } = simulation;
  const { domainAt, controls } = plan;
  const domain = domainAt === undefined ? undefined : results[domainAt];
  const takesSignatures = domain?.succeeded === true && (domain.word ?? 0n) > 0n;
  const base = { mode, way, value: plan.calls[plan.builtAt]?.value ?? 0n, takesSignatures };
  if (results.length === 0) {
    // It may be what is called beside the transaction that has too little, unless that is answered with more gas.
    const isItsGas = mode !== 'lenient' && build.call.gas !== undefined;
    if (!isItsGas || (simulations.get('lenient simulate')?.results.length ?? 0) === 0)
      return undefined;
    const why = 'the gas is less than the bytes of the transaction take';
    return {
      ...base,
      built: { succeeded: false, word: undefined, why },
      grew: () => 0n,
      controls: [],
    };
  }
  const built = results[plan.builtAt];
  const mayFail = [plan.builtAt, domainAt, ...controls.map(({ at }) => at)];
  const helpers = results.filter((_, at) => !mayFail.includes(at));
  if (built === undefined || !helpers.every(({ succeeded }) => succeeded)) return undefined;
  const before = wordsOf(results, plan, plan.builtAt - plan.reads.length);
  const after = wordsOf(results, plan, plan.builtAt + 1);
  if (before === undefined || after === undefined || !isFunded(build, mode, before))
    return undefined;
  const grew = (fact: ReadFact): bigint =>
    (after.get(keyOf(fact)) ?? 0n) - (before.get(keyOf(fact)) ?? 0n);
  return { ...base, built, grew, controls: controlled(build, controls, results, after) };
}

/** The controls in their order; each begins with the balances that those before it left. */
function controlled(
  { account }: SimulatedBuild,
  controls: readonly Control[],
  results: readonly CallResult[],
  after: ReadonlyMap<string, bigint>,
): Run['controls'] {
  const balances = new Map(after);
  return controls.map((control) => {
    const { token, read, amount, at } = control;
    const held = balances.get(keyOf({ token, holder: account })) ?? 0n;
    const before = balances.get(keyOf({ token, holder: read })) ?? 0n;
    const now = results[at + 1]?.word ?? before;
    balances.set(keyOf({ token, holder: read }), now);
    const { succeeded = false, why } = results[at] ?? {};
    const moved = read === account ? before - now : now - before;
    if (held < amount) return { ...control, moved: 'not tried' };
    if (succeeded && moved > 0n) return { ...control, moved };
    return { ...control, moved: 'refused', ...(why === undefined ? {} : { why }) };
  });
}

const keyOf = ({ token, holder, spender = '' }: ReadFact): string =>
  `${token} ${holder} ${spender}`;

function wordsOf(
  results: readonly CallResult[],
  { reads }: Plan,
  from: number,
): ReadonlyMap<string, bigint> | undefined {
  const words = new Map<string, bigint>();
  for (const [at, fact] of reads.entries()) {
    const word = results[from + at]?.word;
    if (word === undefined) return undefined;
    words.set(keyOf(fact), word);
  }
  return words;
}

/** Whether the account held what it was to spend, and had approved it: else nothing was tested. */
function isFunded(build: SimulatedBuild, mode: Mode, before: ReadonlyMap<string, bigint>): boolean {
  const { account, spendings } = build;
  return spendings.every((spending) => {
    const { token, isNative, most } = spending;
    if ((before.get(keyOf({ token, holder: account })) ?? 0n) < most) return false;
    return (
      isNative ||
      spendersOf(build, mode).every((spender) => {
        const held = before.get(keyOf({ token, holder: account, spender })) ?? 0n;
        return held >= leastAllowance(spending, mode);
      })
    );
  });
}

/** What the simulations of a build say together. */
export function outcomeOf(attempt: Attempt): Outcome {
  const strict = runOf(attempt, 'strict', 'simulate') ?? runOf(attempt, 'strict', 'batch');
  const lenient = runOf(attempt, 'lenient', 'simulate');
  const second = runOf(attempt, 'lenient', 'batch');
  const controls = (lenient ?? second)?.controls ?? [];
  const moved: Outcome['moved'] = (token, holder) =>
    controls.find((one) => one.token === token && one.holder === holder)?.moved ?? 'not tried';
  const coins = lenient?.built.logs;
  const base = { moved, coins };
  if (strict === undefined) return { strict: 'not known', fails: false, ...base };
  const refused = [lenient, second]
    .flatMap((run) => run?.controls ?? [])
    .find((one) => typeof one.moved !== 'bigint');
  const doubts = refused === undefined ? {} : { doubt: whyRefused(refused) };
  if (strict.built.succeeded)
    return { ran: strict, strict: 'succeeded', fails: false, ...base, ...doubts };
  if (lenient?.built.succeeded === true) {
    const { why = 'it reverts' } = strict.built;
    return {
      ran: lenient,
      strict: 'failed',
      fails: false,
      why,
      ...base,
      ...doubts,
      ...lackIn(attempt),
    };
  }
  const { why = 'it reverts' } = lenient?.built ?? strict.built;
  // Some nodes revert what their chain would not: only what two ways of executing say counts, and only if
  // the tokens move for these people at all.
  const agree = lenient !== undefined && second?.built.succeeded === false;
  const isOfPeople = refusesPeople(why);
  const fails = agree && refused === undefined && !lenient.takesSignatures && !isOfPeople;
  const failed = { strict: 'failed', fails, why, ...base } as const;
  if (doubts.doubt !== undefined || fails) return { ...failed, ...doubts };
  return { ...failed, doubt: whyUndecided(attempt.build, { lenient, second, isOfPeople }) };
}

/** What shows that a build does lack something which fails in one way, and succeeds with more in that way. */
function lackIn(attempt: Attempt): Pick<Outcome, 'lacks' | 'doubt'> {
  const { gas } = attempt.build.call;
  const withGas = runOf(attempt, 'stated-gas', 'simulate')?.built;
  // Whoever runs out of gas has used nearly all of it; whoever looks how much is left may have used little.
  const ranOut = gas !== undefined && 5n * (withGas?.gas ?? gas) >= 4n * gas;
  const second = runOf(attempt, 'strict', 'batch')?.built;
  if (withGas?.succeeded === false && (ranOut || second?.succeeded === true))
    return { lacks: 'gas' };
  if (second?.succeeded === false) return { lacks: 'approval or value' };
  if (second === undefined)
    return { doubt: 'no other way of executing it as its answer says was answered' };
  const isGasOpen = gas !== undefined && withGas === undefined;
  return { doubt: isGasOpen ? 'whether its gas is too little was not answered' : DISAGREE };
}
