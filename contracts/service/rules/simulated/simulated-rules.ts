/** Rules on what the transactions of builds do when they are executed, as far as nodes have simulated it. */

import type { Collected, GroupJudgement, Rule } from '../../../judging/rule.ts';
import { runRule } from '../../../judging/rule.ts';
import type { View } from '../../../judging/view.ts';
import { memoOf } from '../../../judging/view.ts';
import { NODE_URL } from '../../../run/nodes.ts';
import { NODE_API } from '../../../wire/exchange.ts';
import { member } from '../../../wire/json.ts';
import type { ApiName } from '../../../wire/exchange.ts';
import { agreedOver, isBroken, type Said } from './agreed.ts';
import type { Attempt, BlockSaid, RunName } from './attempt.ts';
import type { SimulatedPromise } from './promises.ts';
import { judgedAttempt } from './promises.ts';
import type { SimulatedBuild } from './build.ts';
import type { Simulation } from './requests.ts';
import { ROWS } from './rows.ts';
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
  /** What a block of which chain that is, or which a simulation found: {@link blockKey}. */
  readonly at?: string;
  readonly block?: BlockSaid;
}

/** What a node says of a block; undefined if it has no number and time. */
export function blockIn(view: View): (BlockSaid & { readonly at: string }) | undefined {
  const [number, madeAtSeconds, baseFee] = ['number', 'timestamp', 'baseFeePerGas'].map((name) =>
    numberOf(member(member(view.json, 'result'), name)),
  );
  if (madeAtSeconds === undefined) return undefined;
  return { madeAtSeconds, baseFee, at: blockKey(view, number) };
}

/** A block of a chain: by what stands in records for the URL of its node, and its number. */
export function blockKey({ exchange }: View, number: bigint | undefined): string {
  return `${exchange.request.url} ${number ?? ''}`;
}

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
      const block = blockIn(view);
      return block === undefined ? null : { group, role, at: block.at, block };
    }
    const simulation = view.get(SIMULATION);
    if (simulation === null) return null;
    return { group, role, at: blockKey(view, simulation.block), simulation };
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
  const blocks = new Map<string, BlockSaid>();
  for (const one of facts) {
    const { group, at = '', block } = one.fact;
    if (block !== undefined) {
      blocks.set(at, block);
      continue;
    }
    const attempts = requests.get(requestOf(group)) ?? new Map<string, Collected<Fact>[]>();
    requests.set(requestOf(group), attempts);
    attempts.set(group, [...(attempts.get(group) ?? []), one]);
  }
  const judged = [...requests.values()].map((attempts) =>
    [...attempts.values()].flatMap((ofAttempt) => {
      const attempt = attemptOf(
        ofAttempt.map(({ fact }) => fact),
        blocks,
      );
      const one = attempt === undefined ? null : judgedAttempt(attempt)[promise];
      const witnesses = ofAttempt.map(({ witness }) => witness);
      return one === null ? [] : [{ ...one, witnesses, judgement: withNode(one.said, ofAttempt) }];
    }),
  );
  const decisions = agreedOver(judged);
  const groups = judged.flatMap((ofRequest, at): GroupJudgement[] => {
    const broken = ofRequest.filter(({ said }) => isBroken(said)).toReversed();
    const witnesses = broken.flatMap((one) => one.witnesses);
    const decision = decisions[at];
    const [first] = decision === 'broken' ? broken : ofRequest;
    if (first === undefined) return [];
    if (decision === 'inconclusive') return [{ witnesses, judgement: decision }];
    const { judgement } = first;
    return [{ judgement, witnesses: decision === 'broken' ? witnesses : first.witnesses }];
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
function attemptOf(
  facts: readonly Fact[],
  blocks: ReadonlyMap<string, BlockSaid>,
): Attempt | undefined {
  const build = facts.find((fact) => fact.build !== undefined)?.build;
  if (build === undefined) return undefined;
  const simulations = new Map<RunName, Simulation>();
  for (const { role, simulation } of facts)
    if (simulation !== undefined) simulations.set(role as RunName, simulation);
  const { at = '' } = facts.find((fact) => fact.at !== undefined) ?? {};
  const block = blocks.get(at);
  return { build, simulations, block };
}
