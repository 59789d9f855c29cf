/** One chain as its node shows it: whether it is the right one, and what can be simulated there. */

import type { Attempt, RunName } from '../../../contracts/service/rules/simulated/attempt.ts';
import { outcomeOf } from '../../../contracts/service/rules/simulated/attempt.ts';
import type { SimulatedBuild } from '../../../contracts/service/rules/simulated/build.ts';
import type { Mode } from '../../../contracts/service/rules/simulated/plan.ts';
import { fundsFor, isMovable, planOf } from '../../../contracts/service/rules/simulated/plan.ts';
import type {
  Simulation,
  SlotValues,
} from '../../../contracts/service/rules/simulated/requests.ts';
import { doubtOf, needsControls } from '../../../contracts/service/rules/simulated/promises.ts';
import {
  batchRequest,
  simulateRequest,
  simulationIn,
  whyNone,
} from '../../../contracts/service/rules/simulated/requests.ts';
import { SIMULATED } from '../../../contracts/service/rules/simulated/simulated-rules.ts';
import { whyUnprepared } from '../../../contracts/service/rules/simulated/why-undecided.ts';
import { numberOf } from '../../../contracts/service/rules/simulated/words.ts';
import type { ChainNode, NodeAnswer } from '../../../target/rpc/nodes.ts';
import { systemNowMs } from '../../../target/budget/clock.ts';
import { latestBlockOf } from './latest-block.ts';
import { findSlots, NodeFailed, type SlotFinder } from './slots.ts';

/** What came of simulating a build: an attempt, and why some of it says nothing; else why there is none. */
export type Simulated =
  | { readonly attempt: Attempt; readonly why?: string }
  | { readonly attempt?: undefined; readonly why: string };

/** A node beside the target, on this machine, is asked for the next build before it has answered. */
const AT_ONCE_HERE = 2;
/** JSON-RPC: the method does not exist. */
const NO_METHOD = -32_601;

/** How a chain is asked. */
export interface ChainOptions {
  /** Of the world, in ms since 1970; the system's when absent. */
  readonly nowMs?: () => number;
  /** Native coins that accounts hold beside what they spend. */
  readonly spareCoins: bigint;
}

/** A chain whose node answers for it. */
export class SimulatedChain {
  readonly #node: ChainNode;
  readonly #nowMs: () => number;
  readonly #spareCoins: bigint;
  readonly #finders = new Map<string, Promise<SlotFinder | undefined>>();
  /** Why the method is not asked for any more. */
  #noSimulate: string | undefined;

  private constructor(node: ChainNode, { nowMs, spareCoins }: Required<ChainOptions>) {
    this.#node = node;
    this.#nowMs = nowMs;
    this.#spareCoins = spareCoins;
  }

  /** The first node that says it is of the chain; else why there is none. */
  static async open(
    chainId: number,
    nodes: readonly ChainNode[],
    { nowMs = systemNowMs, spareCoins }: ChainOptions,
  ): Promise<SimulatedChain | { readonly why: string }> {
    let why = 'no node is known';
    for (const node of nodes) {
      const answer = await node.call({ method: 'eth_chainId', params: [] });
      const id = answer.kind === 'result' ? numberOf(answer.result) : undefined;
      if (id === BigInt(chainId)) return new SimulatedChain(node, { nowMs, spareCoins });
      why = answer.kind === 'result' ? `its node is of chain ${id ?? 'unknown'}` : answer.why;
    }
    return { why };
  }

  /** Builds that it executes at once. */
  get atOnce(): number {
    return this.#node.mayRest ? AT_ONCE_HERE : 1;
  }

  /** Why its node is asked no more; undefined if it is. */
  whyLost(): string | undefined {
    return this.#node.whyLost();
  }

  /**
   * Executes a build at one block: as a client would; where something is wrong, with more of everything and
   * with controls, in two ways where that fails, too.
   *
   * @param group of the relation that ties the build to its simulations
   */
  async simulate(build: SimulatedBuild, group: string): Promise<Simulated> {
    const block = await latestBlockOf(this.#node, this.#nowMs);
    if ('why' in block) return block;
    const { at, atSeconds, said } = block;
    const spareCoins = this.#spareCoins;
    const spent = await this.#slotsFor(build.account, needsOf(build), at);
    if ('why' in spent) return spent;
    let slots = spent.values;
    const simulations = new Map<RunName, Simulation>();
    const attempt = { build, simulations, block: said };
    let why = '';
    const run = async (
      mode: Mode,
      way: Simulation['way'],
      tracing?: 'tracing coins',
    ): Promise<boolean> => {
      const plan = planOf(build, mode);
      let rpc =
        way === 'simulate'
          ? simulateRequest(build, plan, slots, { block: at, atSeconds, spareCoins, tracing })
          : batchRequest(build, plan, slots, { block: at, atSeconds, spareCoins });
      const role: RunName = `${mode} ${way}`;
      let came = await this.#node.call(rpc, [{ kind: SIMULATED, group, role }]);
      if (came.kind === 'error' && way === 'batch') {
        // Many nodes know no time for this method.
        rpc = batchRequest(build, plan, slots, { block: at, spareCoins });
        came = await this.#node.call(rpc, [{ kind: SIMULATED, group, role }]);
      }
      const simulation = simulationIn({ id: 0, ...rpc }, { id: 0, ...jsonOf(came) });
      if (simulation !== null) simulations.set(role, simulation);
      else why = came.kind === 'result' ? whyNone(rpc, came.result) : came.why;
      if (way === 'simulate' && came.kind === 'error' && came.code === NO_METHOD)
        this.#noSimulate = why;
      return simulation !== null;
    };
    why = this.#noSimulate ?? '';
    let isSimulated = why === '' && (await run('strict', 'simulate'));
    if (isSimulated && simulations.get('strict simulate')?.results.length === 0) {
      await run('lenient', 'simulate');
      // Refused with all the gas, too, it is what this node does not do.
      isSimulated = outcomeOf(attempt).strict === 'failed';
      if (!isSimulated) this.#noSimulate = why = 'it refuses all calls for too little gas';
    }
    const whyBatch = isSimulated
      ? ''
      : `eth_call alone was answered, which says nothing of gas (${why})`;
    if (!isSimulated && !(await run('strict', 'batch'))) return { why };
    if (outcomeOf(attempt).strict === 'not known') {
      const executed = simulations.get(isSimulated ? 'strict simulate' : 'strict batch');
      return { why: whyUnprepared(planOf(build, 'strict'), executed?.results ?? []) };
    }
    if (!needsControls(attempt)) return { attempt, ...(whyBatch && { why: whyBatch }) };
    const all = await this.#slotsFor(build.account, needsOf(build, 'with controls'), at);
    if (!('why' in all)) slots = all.values;
    const { strict } = outcomeOf(attempt);
    const ofCoins = build.deliveries.some(({ isNative }) => isNative);
    const isTraced = isSimulated && ofCoins && (await run('lenient', 'simulate', 'tracing coins'));
    if (isSimulated && !isTraced) await run('lenient', 'simulate');
    const { ran } = outcomeOf(attempt);
    if (isSimulated ? ran === undefined : strict === 'succeeded') await run('lenient', 'batch');
    if (ran?.mode === 'lenient') {
      await run('strict', 'batch');
      if (build.call.gas !== undefined && (await run('stated-gas', 'simulate'))) {
        const withGas = outcomeOf(attempt).lacks === 'gas';
        // A node may revert at times; the last of the two counts.
        if (withGas && isSimulated) await run('stated-gas', 'simulate');
      }
    }
    const doubt = doubtOf(attempt) ?? (whyBatch || why);
    return { attempt, ...(doubt === '' ? {} : { why: doubt }) };
  }

  /** Values by which the account holds so much of each token; `why` names the first whose place is not found. */
  async #slotsFor(
    account: string,
    needs: ReadonlyMap<string, bigint>,
    block: string,
  ): Promise<{ readonly values: SlotValues } | { readonly why: string }> {
    const values: Record<string, Readonly<Record<string, string>>> = {};
    for (const [token, amount] of needs) {
      // Not the same multiple of each amount, by which a contract would know it.
      const held = amount + (this.#spareCoins % (amount + 1n));
      const found = await this.#slotOf(token, account, held, block);
      if ('why' in found) return found;
      for (const [at, slots] of Object.entries(found.values))
        values[at] = { ...values[at], ...slots };
    }
    return { values };
  }

  /** What is found or not found is known from then on; a node that fails is asked again. */
  async #slotOf(
    token: string,
    account: string,
    amount: bigint,
    block: string,
  ): Promise<{ readonly values: SlotValues } | { readonly why: string }> {
    try {
      const finding = this.#finders.get(token) ?? findSlots(this.#node, token, account, block);
      this.#finders.set(token, finding);
      const values = await (await finding)?.(account, amount, block);
      return values === undefined
        ? { why: `where ${token} keeps balances was not found` }
        : { values };
    } catch (error) {
      this.#finders.delete(token);
      if (!(error instanceof NodeFailed)) throw error;
      return { why: `where ${token} keeps balances is not known: ${error.message}` };
    }
  }
}

/** How much the account is to hold of each token; with controls, of what it gets as well. */
function needsOf(
  { spendings, deliveries }: SimulatedBuild,
  controls?: 'with controls',
): ReadonlyMap<string, bigint> {
  const needs = new Map<string, bigint>();
  const add = (token: string, amount: bigint): unknown =>
    needs.set(token, (needs.get(token) ?? 0n) + fundsFor(amount));
  for (const { token, isNative, most } of spendings) if (!isNative) add(token, most);
  if (controls !== undefined)
    for (const one of deliveries) if (isMovable(one)) add(one.token, one.least);
  return needs;
}

function jsonOf(answer: NodeAnswer): Record<string, unknown> {
  if (answer.kind === 'result') return { result: answer.result };
  if (answer.kind !== 'error') return {};
  const { code, message } = answer;
  return { error: { code, message } };
}
