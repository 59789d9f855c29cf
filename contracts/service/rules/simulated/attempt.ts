/** What one build did when it was simulated, and what of its promises that keeps or breaks. */

import type { Broken, Judgement } from '../../../judging/rule.ts';
import { addressKey, NATIVE_TOKEN } from '../../../wire/addresses.ts';
import type { Delivery, SimulatedBuild } from './build.ts';
import type { Mode, Plan, ReadFact } from './plan.ts';
import { allowanceFor, planOf, spendersOf } from './plan.ts';
import type { CallResult, Simulation } from './requests.ts';
import { sentForm } from './requests.ts';

/** How a build may be simulated: by which calls, and in which way of a node. */
export type RunName = `${Mode} ${Simulation['way']}`;

/** A build with the simulations that were made of it. */
export interface Attempt {
  readonly build: SimulatedBuild;
  readonly simulations: ReadonlyMap<RunName, Simulation>;
}

/** A simulation that can be judged: all was approved and read, and the account held what it was to spend. */
interface Run {
  readonly mode: Mode;
  readonly way: Simulation['way'];
  readonly value: bigint;
  readonly built: CallResult;
  /** By how much a number grew; 0 where it was not read. */
  readonly grew: (fact: ReadFact) => bigint;
}

/** What an attempt says. */
export interface Outcome {
  /** The build executed as a client would, else as its account might to find out what it lacks. */
  readonly ran?: Run;
  readonly strict: 'succeeded' | 'failed' | 'not known';
  /** Both ways of simulating say that it fails, whatever is approved. */
  readonly fails: boolean;
  readonly why?: string;
}

const NATIVE = addressKey(NATIVE_TOKEN);

/** Shares of tokens whose balances grow by themselves are rounded. */
const ROUNDED = 1n;

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
  const base = { mode, way, value: plan.calls[plan.builtAt]?.value ?? 0n };
  if (results.length === 0) {
    const why = 'the gas is less than the bytes of the transaction take';
    return { ...base, built: { succeeded: false, word: undefined, why }, grew: () => 0n };
  }
  const built = results[plan.builtAt];
  const helpers = results.filter((_, at) => at !== plan.builtAt);
  if (built === undefined || !helpers.every(({ succeeded }) => succeeded)) return undefined;
  const before = wordsOf(results, plan, plan.builtAt - plan.reads.length);
  const after = wordsOf(results, plan, plan.builtAt + 1);
  if (before === undefined || after === undefined || !isFunded(build, mode, before))
    return undefined;
  const grew = (fact: ReadFact): bigint =>
    (after.get(keyOf(fact)) ?? 0n) - (before.get(keyOf(fact)) ?? 0n);
  return { ...base, built, grew };
}

const keyOf = ({ token, holder, spender = '' }: ReadFact): string => `${token} ${holder} ${spender}`;

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
  return spendings.every(({ token, isNative, amount }) => {
    if ((before.get(keyOf({ token, holder: account })) ?? 0n) < amount) return false;
    return (
      isNative ||
      spendersOf(build, mode).every((spender) => {
        const held = before.get(keyOf({ token, holder: account, spender })) ?? 0n;
        return held >= allowanceFor(amount, mode);
      })
    );
  });
}

/** What the simulations of a build say together. */
export function outcomeOf(attempt: Attempt): Outcome {
  const strict = runOf(attempt, 'strict', 'simulate') ?? runOf(attempt, 'strict', 'batch');
  if (strict === undefined) return { strict: 'not known', fails: false };
  if (strict.built.succeeded) return { ran: strict, strict: 'succeeded', fails: false };
  const lenient = runOf(attempt, 'lenient', 'simulate');
  const second = runOf(attempt, 'lenient', 'batch');
  const { why = 'it reverts' } = lenient?.built ?? strict.built;
  if (lenient?.built.succeeded === true)
    return { ran: lenient, strict: 'failed', fails: false, why };
  // Some nodes revert what their chain would not: only what two ways of executing say counts.
  const fails = lenient !== undefined && second?.built.succeeded === false;
  return { strict: 'failed', fails, why };
}

const spentOf = (run: Run, { account }: SimulatedBuild, token: string): bigint =>
  -run.grew({ token, holder: account });

/** What a lenient run shows that the strict one lacked; undefined where it shows nothing. */
function lackOf(
  build: SimulatedBuild,
  run: Run,
): 'spender' | 'amount' | 'value' | 'gas' | undefined {
  const { account, spendings, spender, call } = build;
  const used = (token: string, by: string): boolean =>
    run.grew({ token, holder: account, spender: by }) < 0n;
  const tokens = spendings.filter(({ isNative }) => !isNative);
  const [named = '', ...others] = spendersOf(build, 'lenient');
  if (tokens.some(({ token }) => !used(token, named) && others.some((by) => used(token, by))))
    return spender === undefined ? undefined : 'spender';
  if (tokens.some(({ token, amount }) => spentOf(run, build, token) > amount + ROUNDED))
    return 'amount';
  const coins = spendings.find(({ isNative }) => isNative);
  if (coins !== undefined && spentOf(run, build, coins.token) > call.value) return 'value';
  // A call is given at most 63 of 64 parts of the gas that is left.
  const gas = run.built.gas;
  return call.gas !== undefined && gas !== undefined && gas + gas / 63n > call.gas
    ? 'gas'
    : undefined;
}

/** The promises that simulations judge. */
export type Promise_ =
  | 'succeeds'
  | 'delivers-min-return'
  | 'delivers-quoted'
  | 'spends-at-most-amount'
  | 'spender-is-approved'
  | 'value-suffices'
  | 'gas-suffices';

/** What an attempt says of each promise. */
export function judgeAttempt(attempt: Attempt): Readonly<Record<Promise_, Judgement>> {
  const outcome = outcomeOf(attempt);
  const { build } = attempt;
  const { ran, strict } = outcome;
  const held = strict === 'succeeded' ? [] : null;
  const lack = ran?.mode === 'lenient' ? lackOf(build, ran) : undefined;
  const { at, gas } = build.call;
  const hasTokens = build.spendings.some(({ isNative }) => !isNative);
  const broken = (pointer: string, expected: string, actual: string): readonly Broken[] => [
    { pointer, expected, actual },
  ];
  const isOfKnownSpender = build.spender !== undefined || !hasTokens;
  const gasUsed = ran?.built.gas ?? 0n;
  return {
    succeeds:
      outcome.fails && isOfKnownSpender
        ? broken(at.call, 'a transaction that succeeds', `it fails: ${outcome.why ?? ''}`)
        : held,
    'delivers-min-return': ran === undefined ? null : deliveredLeast(build, ran),
    'delivers-quoted': ran === undefined ? null : deliveredQuoted(build, ran),
    'spends-at-most-amount': ran === undefined ? null : spentAtMost(build, ran),
    'spender-is-approved':
      lack === 'spender'
        ? broken(
            at.spender,
            `${build.call.to}, which takes the tokens`,
            build.spender ?? 'nobody',
          )
        : hasTokens && build.spender !== undefined
          ? held
          : null,
    'value-suffices':
      lack === 'value' && ran !== undefined
        ? broken(at.value, `at least ${ran.value}, which is spent`, String(build.call.value))
        : hasTokens
          ? null
          : held,
    'gas-suffices':
      lack === 'gas'
        ? broken(at.gas, `at least ${gasUsed}, which is used`, String(gas))
        : gas === undefined || ran?.way === 'batch'
          ? null
          : held,
  };
}

const received = (run: Run, { token, recipient }: Delivery): bigint =>
  run.grew({ token, holder: recipient });

/** What the transaction sent to the recipient, by the logs; undefined where there are none. */
function sentTo(run: Run, { token, recipient }: Delivery): bigint | undefined {
  return run.built.transfers
    ?.filter((transfer) => transfer.token === token && transfer.to === recipient)
    .reduce((sum, { amount }) => sum + amount, 0n);
}

/** Whether less than the guarantee arrived for what the token itself takes on the way, or may have. */
function mayBeTaken(run: Run, delivery: Delivery): boolean {
  if (delivery.isNative) return false;
  return (sentTo(run, delivery) ?? delivery.least) >= delivery.least;
}

const isShort = (run: Run, delivery: Delivery): boolean =>
  received(run, delivery) + ROUNDED < delivery.least;

function deliveredLeast(build: SimulatedBuild, run: Run): Judgement {
  const judged = build.deliveries.filter(
    (delivery) => !isShort(run, delivery) || (received(run, delivery) <= 0n || !mayBeTaken(run, delivery)),
  );
  return judged.length === 0
    ? null
    : judged
        .filter((delivery) => isShort(run, delivery))
        .map((delivery) => ({
          pointer: delivery.leastAt,
          expected: `at least ${delivery.least} of ${delivery.token} for ${delivery.recipient}`,
          actual: arrivedWords(build, run, delivery),
        }));
}

function arrivedWords({ account }: SimulatedBuild, run: Run, delivery: Delivery): string {
  const { token, recipient } = delivery;
  const elsewhere = run.grew({ token, holder: account });
  const also = elsewhere > 0n && account !== recipient ? `; ${account} got ${elsewhere}` : '';
  return `${received(run, delivery)} arrived${also}`;
}

/** Between quote and execution prices move, but not by half of what is tolerated, and each time. */
function deliveredQuoted(build: SimulatedBuild, run: Run): Judgement {
  const judged = build.deliveries.filter(
    (delivery) => !isShort(run, delivery) || (received(run, delivery) > 0n && mayBeTaken(run, delivery)),
  );
  if (judged.length === 0) return null;
  return judged
    .filter((delivery) => {
      const { quoted, least } = delivery;
      const tolerated = quoted > least ? (quoted - least) / 2n : 0n;
      return received(run, delivery) + tolerated + ROUNDED < quoted;
    })
    .map((delivery) => ({
      pointer: delivery.quotedAt,
      expected: `about ${delivery.quoted} of ${delivery.token}, of which half the slippage may be missing`,
      actual: arrivedWords(build, run, delivery),
    }));
}

function spentAtMost(build: SimulatedBuild, run: Run): Judgement {
  const judged = build.spendings.filter(({ isNative }) => !isNative || !build.mayPayFees);
  if (judged.length === 0) return null;
  return judged.flatMap(({ token, amount }) => {
    const spent = spentOf(run, build, token);
    if (spent <= amount + (token === NATIVE ? 0n : ROUNDED)) return [];
    const expected = `at most ${amount} of ${token} spent`;
    return [{ pointer: build.call.at.call, expected, actual: String(spent) }];
  });
}
