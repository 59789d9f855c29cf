/** A build, and simulations of it that say what a spec wants them to say. */

import type { RunName } from './attempt.ts';
import type { SimulatedBuild } from './build.ts';
import type { Mode, ReadFact } from './plan.ts';
import { allowanceFor, fundsFor, planOf } from './plan.ts';
import type { SimulatedPromise } from './promises.ts';
import { judgeAttempt } from './promises.ts';
import type { Logs } from './logs.ts';
import type { CallResult, Simulation } from './requests.ts';
import { sentForm } from './requests.ts';

const address = (digit: string): string => `0x${digit.repeat(40)}`;
export const ACCOUNT: string = address('a');
export const RECIPIENT: string = address('b');
export const ROUTER: string = address('c');
export const SOURCE: string = address('d');
export const DEST: string = address('e');
export const OTHER: string = address('f');

/** 1,000 of the source for about 500, at least 450, of the destination. */
export const BUILD: SimulatedBuild = {
  chainId: 1,
  account: ACCOUNT,
  spendings: [{ token: SOURCE, isNative: false, amount: 1_000n, most: 1_000n, approved: 1_000n }],
  spender: ROUTER,
  call: {
    ...{ to: ROUTER, data: '0x12345678', value: 0n, gas: 200_000n },
    at: { call: '/call', value: '/value', gas: '/gas', spender: '/spender' },
  },
  deliveries: [
    {
      ...{ recipient: RECIPIENT, token: DEST, isNative: false, isPosition: false },
      ...{ quoted: 500n, least: 450n, mayComeLater: false },
      ...{ quotedAt: '/quoted', leastAt: '/least' },
    },
  ],
  leftovers: [],
  statedCoins: 0n,
  mayPayFees: false,
};

/** What a transaction changed, and what came of it. */
export interface Did {
  /** By `token holder` or `token holder spender`. */
  readonly grew?: Readonly<Record<string, bigint>>;
  readonly fails?: boolean;
  readonly gas?: bigint;
  /** What it logs; not known when absent. */
  readonly logs?: Logs;
  /** What was read of the account's balance before. */
  readonly funds?: bigint;
  /** The spender says that it takes signatures. */
  readonly takesSignatures?: boolean;
  /** What plain transfers move of each token; all that is sent when absent, nothing where they fail. */
  readonly plain?: Readonly<Record<string, bigint | 'fails' | 'no funds'>>;
}

/** What the honest transaction of {@link BUILD} does. */
export const HONEST: Did = {
  grew: {
    [`${SOURCE} ${ACCOUNT}`]: -1_000n,
    [`${SOURCE} ${ACCOUNT} ${ROUTER}`]: -1_000n,
    [`${DEST} ${RECIPIENT}`]: 500n,
  },
  gas: 90_000n,
};

const keyOf = ({ token, holder, spender }: ReadFact): string =>
  [token, holder, spender].filter((part) => part !== undefined).join(' ');

/** A simulation of a build in which the transaction does something. */
export function simulated(
  build: SimulatedBuild,
  name: RunName,
  { grew = {}, fails = false, gas, logs, funds, takesSignatures = false, plain = {} }: Did,
): Simulation {
  const [mode, way] = name.split(' ') as [Mode, Simulation['way']];
  const plan = planOf(build, mode);
  const before = (fact: ReadFact): bigint => {
    const spending = build.spendings.find(({ token }) => token === fact.token);
    if (fact.holder !== build.account) return 0n;
    if (spending === undefined)
      return mode === 'strict' || plain[fact.token] === 'no funds' ? 0n : 10_000n;
    if (fact.spender !== undefined) return allowanceFor(spending, mode);
    return funds ?? fundsFor(spending.most);
  };
  const read = (word: bigint): CallResult => ({ succeeded: true, word });
  const built: CallResult = {
    ...{ succeeded: !fails, word: undefined },
    ...(gas === undefined ? {} : { gas }),
    ...(logs === undefined ? {} : { logs }),
    ...(fails ? { why: 'execution reverted' } : {}),
  };
  const after = (fact: ReadFact): bigint => before(fact) + (fails ? 0n : (grew[keyOf(fact)] ?? 0n));
  return {
    way,
    sent: sentForm(way, build.account, plan),
    results: [
      ...plan.calls.slice(0, plan.builtAt - plan.reads.length).map(() => read(1n)),
      ...plan.reads.map((fact) => read(before(fact))),
      built,
      ...plan.reads.map((fact) => read(after(fact))),
      ...plan.controls.flatMap(({ token, read: holder, amount }): CallResult[] => {
        const came = plain[token] ?? amount;
        const moved = typeof came === 'bigint' ? came : 0n;
        const now = after({ token, holder }) + (holder === build.account ? -moved : moved);
        const failed = { succeeded: false, word: undefined, why: 'blocked' };
        return [came === 'fails' ? failed : read(1n), read(now)];
      }),
      ...(plan.domainAt === undefined ? [] : [read(takesSignatures ? 7n : 0n)]),
    ],
  };
}

/** What a transaction does that reverts. */
export const FAILS: Did = { fails: true };
/** What each simulation of a build did. */
export type Runs = Partial<Record<RunName, Did>>;

/** The state that simulations found, in Unix seconds: when its block was made, and what they took for the present. */
export interface Then {
  readonly madeAtSeconds: bigint;
  readonly atSeconds?: bigint;
  readonly baseFee?: bigint;
}

/** What each promise comes to: null, or what was there in place of it. */
export function judged(
  runs: Runs,
  build: SimulatedBuild = BUILD,
  then?: Then,
): Record<SimulatedPromise, string | null> {
  const simulations = new Map(
    (Object.entries(runs) as [RunName, Did][]).map(([name, did]) => [
      name,
      {
        ...simulated(build, name, did),
        ...(then?.atSeconds === undefined ? {} : { atSeconds: then.atSeconds }),
      },
    ]),
  );
  const all = Object.entries(judgeAttempt({ build, simulations, block: then }));
  return Object.fromEntries(
    all.map(([promise, judgement]) => [
      promise,
      judgement === null || judgement === 'inconclusive'
        ? judgement
        : judgement.map(({ actual }) => actual).join(),
    ]),
  ) as Record<SimulatedPromise, string | null>;
}

/** The promises that are broken, with what was there. */
export function brokenBy(runs: Runs, build?: SimulatedBuild): Record<string, string> {
  const all = Object.entries(judged(runs, build));
  return Object.fromEntries(
    all.filter(
      (entry): entry is [string, string] => !['', null, 'inconclusive'].includes(entry[1]),
    ),
  );
}

/** The honest transaction, but for some balances. */
export const withGrown = (grew: Record<string, bigint>, rest: Did = {}): Did => ({
  ...HONEST,
  ...rest,
  grew: { ...HONEST.grew, ...grew },
});
