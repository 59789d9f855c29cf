/** Rules on what the transactions of builds do when they are executed, as far as nodes have simulated it. */

import type { Collected, GroupJudgement, Level, Rule } from '../../../judging/rule.ts';
import { runRule } from '../../../judging/rule.ts';
import type { View } from '../../../judging/view.ts';
import { memoOf } from '../../../judging/view.ts';
import { NODE_URL } from '../../../run/nodes.ts';
import { NODE_API } from '../../../wire/exchange.ts';
import { member } from '../../../wire/json.ts';
import type { ApiName } from '../../../wire/exchange.ts';
import { agreed, isBroken, type Said } from './agreed.ts';
import type { Attempt, RunName } from './attempt.ts';
import type { SimulatedPromise } from './promises.ts';
import { judgeAttempt } from './promises.ts';
import type { SimulatedBuild } from './build.ts';
import type { Simulation } from './requests.ts';
import { simulationIn } from './requests.ts';
import { numberOf } from './words.ts';

/** The kind of relation between builds of one request and the simulations of each. */
export const SIMULATED = 'simulated';

/** The role of the build itself; a simulation has the name of its run. */
export const BUILD_ROLE = 'build';

/** The role of what a node says of the block whose state simulations found. */
export const BLOCK_ROLE = 'block';

/** The group of an attempt: those of one request differ in their last number alone. */
export function groupOf(request: string, attempt: number): string {
  return `${request}.${attempt}`;
}

/** The request of a group. */
export const requestOf = (group: string): string => group.slice(0, group.lastIndexOf('.'));

/** A build, or a simulation of one. */
interface Fact {
  readonly group: string;
  readonly role: string;
  readonly build?: SimulatedBuild;
  readonly simulation?: Simulation;
  /** When the block was made, in Unix seconds. */
  readonly madeAtSeconds?: bigint;
}

/** When a block was made, as a node says it in Unix seconds. */
export const madeAtIn = (view: View): bigint | undefined =>
  numberOf(member(member(view.json, 'result'), 'timestamp'));

const SIMULATION = memoOf((view) => simulationIn(view.requestJson, view.json));

/** How builds of an API are read, and how its rules are called. */
export interface SimulatedReading {
  readonly api: ApiName;
  readonly operations: readonly string[];
  readonly section: string;
  /** What a build is called, at the beginning of a sentence. */
  readonly what: string;
  /** The build of a successful answer; null where its transaction cannot be simulated. */
  readonly read: (view: View) => SimulatedBuild | null;
}

/** A rule in words; `{what}` is for what a build of the API is called. */
interface Row {
  readonly promise: SimulatedPromise;
  readonly level: Level;
  readonly hurts?: 'loses money' | 'transaction fails';
  readonly protects: string;
  readonly rulesOut: string;
}

const ROWS: readonly Row[] = [
  {
    promise: 'succeeds',
    level: 'must',
    hurts: 'transaction fails',
    protects: '{what} that is executed as its answer says succeeds.',
    rulesOut: 'A service whose call data reverts: a node has executed it.',
  },
  {
    promise: 'delivers-min-return',
    level: 'must',
    hurts: 'loses money',
    protects: '{what} brings its recipient at least the least amount that is promised.',
    rulesOut:
      'A service whose transaction pays somebody else, or less: the balance of the recipient was read before and after.',
  },
  {
    promise: 'delivers-quoted',
    level: 'should',
    protects: '{what} brings its recipient what was quoted, while prices stand still.',
    rulesOut:
      'A service that quotes more than its route yields: the balance of the recipient was read before and after.',
  },
  {
    promise: 'spends-at-most-amount',
    level: 'must',
    hurts: 'loses money',
    protects: '{what} takes at most the amount of each token that was asked for.',
    rulesOut:
      'A service that takes fees on top of the amount: the account held more than twice as much.',
  },
  {
    promise: 'spends-no-coins-beside',
    level: 'should',
    protects: '{what} on one chain that states no fee takes no native coins beside the amount.',
    rulesOut:
      'A service that sends more value than was asked for, and keeps it: the balance of the account was read before and after.',
  },
  {
    promise: 'spender-is-approved',
    level: 'must',
    hurts: 'transaction fails',
    protects: 'Who is to be approved is who takes the tokens.',
    rulesOut:
      'A service that names another contract as spender: nobody else was approved when the transaction succeeded.',
  },
  {
    promise: 'value-suffices',
    level: 'must',
    hurts: 'transaction fails',
    protects: '{what} of native coins sends as much as it spends.',
    rulesOut: 'A service that leaves the value out: the transaction was executed with it.',
  },
  {
    promise: 'gas-suffices',
    level: 'must',
    hurts: 'transaction fails',
    protects: 'The gas that an answer states is enough for its transaction.',
    rulesOut: 'A service that states too little: the transaction was executed with that gas.',
  },
];

/** The rules on simulated builds of an API; those on spenders only where answers name one. */
export function simulatedRules(
  reading: SimulatedReading,
  without: readonly SimulatedPromise[] = [],
): Rule[] {
  const { api, operations, section, what, read } = reading;
  const BUILD = memoOf(read);
  const collect = (view: View): Fact | null => {
    const place = view.exchange.relations.find(({ kind }) => kind === SIMULATED);
    if (place === undefined) return null;
    const { group, role } = place;
    if (view.exchange.api !== NODE_API) {
      const build = view.get(BUILD);
      return build === null ? null : { group, role, build };
    }
    if (role === BLOCK_ROLE) {
      const madeAtSeconds = madeAtIn(view);
      return madeAtSeconds === undefined ? null : { group, role, madeAtSeconds };
    }
    const simulation = view.get(SIMULATION);
    return simulation === null ? null : { group, role, simulation };
  };
  return ROWS.filter(({ promise }) => !without.includes(promise)).map(
    ({ promise, level, hurts, protects, rulesOut }) =>
      runRule<Fact>({
        id: `${api}.simulated.${promise}`,
        level,
        source: `implied by ${section}${hurts === undefined ? '' : ` (${hurts})`}`,
        protects: protects.replace('{what}', what),
        rulesOut,
        api,
        besides: [NODE_API],
        operations,
        answer: 'success',
        relation: SIMULATED,
        underLoad: 'not judged',
        needs: { apis: [], also: 'a node that simulates, by --rpc <chain id>=<url>' },
        leastEvidence: 1,
        weigh: ({ build, simulation }) =>
          4 + (build?.call.data.length ?? simulation?.sent.length ?? 0) / 25,
        collect,
        conclude: (facts) => concluded(facts, promise),
      }),
  );
}

/** Each request, by the attempts at it. */
function concluded(facts: readonly Collected<Fact>[], promise: SimulatedPromise): GroupJudgement[] {
  const requests = new Map<string, Map<string, Collected<Fact>[]>>();
  for (const one of facts) {
    const { group } = one.fact;
    const attempts = requests.get(requestOf(group)) ?? new Map<string, Collected<Fact>[]>();
    requests.set(requestOf(group), attempts);
    attempts.set(group, [...(attempts.get(group) ?? []), one]);
  }
  const groups = [...requests.values()].flatMap((attempts): GroupJudgement[] => {
    const judged = [...attempts.values()].flatMap((ofAttempt) => {
      const attempt = attemptOf(ofAttempt.map(({ fact }) => fact));
      const said: Said | null = attempt === undefined ? null : judgeAttempt(attempt)[promise];
      const witnesses = ofAttempt.map(({ witness }) => witness);
      return said === null ? [] : [{ witnesses, judgement: withNode(said, ofAttempt) }];
    });
    const decision = agreed(judged.map(({ judgement }) => judgement));
    const broken = judged.filter(({ judgement }) => isBroken(judgement)).toReversed();
    const witnesses = broken.flatMap((one) => one.witnesses);
    const [first] = decision === 'broken' ? broken : judged;
    if (first === undefined) return [];
    if (decision === 'inconclusive') return [{ witnesses, judgement: decision }];
    return [decision === 'broken' ? { ...first, witnesses } : first];
  });
  // What holds of some builds says nothing of those that remain open.
  const open = groups.filter(({ judgement }) => judgement === 'inconclusive');
  const isDecided = groups.some(({ judgement }) => isBroken(judgement));
  if (open.length === 0 || isDecided) return groups;
  const why = `of ${groups.length} builds that were executed, ${open.length} did not decide it: notices say why`;
  return open.map((one) => ({ ...one, why }));
}

/** What is broken, with whose node has shown it. */
function withNode(said: Said, ofAttempt: readonly Collected<Fact>[]): Said {
  if (!isBroken(said)) return said;
  const { build } = ofAttempt.find(({ fact }) => fact.build !== undefined)?.fact ?? {};
  const isOfService = ofAttempt.some(({ witness }) =>
    witness.request.url.startsWith(NODE_URL.service),
  );
  const named = isOfService ? 'a node that the service names' : 'the node that the run names';
  const where = `executed on ${named} for chain ${build?.chainId ?? 'unknown'}`;
  return said.map((one) => ({ ...one, actual: `${one.actual} (${where})` }));
}

/** The build and its simulations among facts of one attempt. */
function attemptOf(facts: readonly Fact[]): Attempt | undefined {
  const build = facts.find((fact) => fact.build !== undefined)?.build;
  if (build === undefined) return undefined;
  const simulations = new Map<RunName, Simulation>();
  for (const { role, simulation } of facts)
    if (simulation !== undefined) simulations.set(role as RunName, simulation);
  const madeAtSeconds = facts.find((fact) => fact.madeAtSeconds !== undefined)?.madeAtSeconds;
  return { build, simulations, madeAtSeconds };
}
