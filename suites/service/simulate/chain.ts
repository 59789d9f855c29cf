/** One chain as its node shows it: whether it is the right one, and what can be simulated there. */

import type { Attempt, RunName } from '../../../contracts/service/rules/simulated/attempt.ts';
import {
  MAX_BLOCK_AGE_SECONDS,
  outcomeOf,
} from '../../../contracts/service/rules/simulated/attempt.ts';
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
} from '../../../contracts/service/rules/simulated/requests.ts';
import {
  BLOCK_ROLE,
  SIMULATED,
} from '../../../contracts/service/rules/simulated/simulated-rules.ts';
import { numberOf, quantityOf } from '../../../contracts/service/rules/simulated/words.ts';
import type { ChainNode, NodeAnswer } from '../../../target/rpc/nodes.ts';
import { systemNowMs } from '../../../target/budget/clock.ts';
import { member } from '../../../contracts/wire/json.ts';
import { findSlots, NodeFailed, type SlotFinder } from './slots.ts';

/** What came of simulating a build: an attempt, and why some of it says nothing; else why there is none. */
export type Simulated =
  | { readonly attempt: Attempt; readonly why?: string }
  | { readonly attempt?: undefined; readonly why: string };

/** JSON-RPC: the method does not exist. */
const NO_METHOD = -32_601;

/** A chain whose node answers for it. */
export class SimulatedChain {
  readonly #node: ChainNode;
  readonly #nowMs: () => number;
  readonly #finders = new Map<string, SlotFinder | undefined>();
  #hasSimulate = true;

  private constructor(node: ChainNode, nowMs: () => number) {
    this.#node = node;
    this.#nowMs = nowMs;
  }

  /** The first node that says it is of the chain; else why there is none. */
  static async open(
    chainId: number,
    nodes: readonly ChainNode[],
    nowMs: () => number = systemNowMs,
  ): Promise<SimulatedChain | { readonly why: string }> {
    let why = 'no node is known';
    for (const node of nodes) {
      const answer = await node.call({ method: 'eth_chainId', params: [] });
      const id = answer.kind === 'result' ? numberOf(answer.result) : undefined;
      if (id === BigInt(chainId)) return new SimulatedChain(node, nowMs);
      why = answer.kind === 'result' ? `its node is of chain ${id ?? 'unknown'}` : answer.why;
    }
    return { why };
  }

  /** Who names the node. */
  get of(): ChainNode['of'] {
    return this.#node.of;
  }

  /**
   * Executes a build at one block: as a client would; where something is wrong, with more of everything and
   * with controls, in two ways where that fails, too.
   *
   * @param group of the relation that ties the build to its simulations
   */
  async simulate(build: SimulatedBuild, group: string): Promise<Simulated> {
    const block = await this.#latestBlock(group);
    if ('why' in block) return block;
    const { at, madeAtSeconds, atSeconds } = block;
    const spent = await this.#slotsFor(build.account, needsOf(build), at);
    if ('why' in spent) return spent;
    let slots = spent.values;
    const simulations = new Map<RunName, Simulation>();
    const attempt = { build, simulations, madeAtSeconds };
    let why = '';
    const run = async (
      mode: Mode,
      way: Simulation['way'],
      tracing?: 'tracing coins',
    ): Promise<boolean> => {
      const plan = planOf(build, mode);
      let rpc =
        way === 'simulate'
          ? simulateRequest(build, plan, slots, { block: at, atSeconds, tracing })
          : batchRequest(build, plan, slots, { block: at, atSeconds });
      const role: RunName = `${mode} ${way}`;
      let came = await this.#node.call(rpc, [{ kind: SIMULATED, group, role }]);
      if (came.kind === 'error' && way === 'batch' && atSeconds !== undefined) {
        // Many nodes know no time for this method.
        rpc = batchRequest(build, plan, slots, { block: at });
        came = await this.#node.call(rpc, [{ kind: SIMULATED, group, role }]);
      }
      const simulation = simulationIn({ id: 0, ...rpc }, { id: 0, ...jsonOf(came) });
      if (simulation !== null) simulations.set(role, simulation);
      else why = whyOf(came, 'something else than results of all calls');
      if (came.kind === 'error' && came.code === NO_METHOD) this.#hasSimulate = false;
      return simulation !== null;
    };
    let isSimulated = this.#hasSimulate && (await run('strict', 'simulate'));
    if (isSimulated && simulations.get('strict simulate')?.results.length === 0) {
      await run('lenient', 'simulate');
      // Refused with all the gas, too, it is what this node does not do.
      isSimulated = outcomeOf(attempt).strict === 'failed';
      this.#hasSimulate = isSimulated;
    }
    if (!isSimulated && !(await run('strict', 'batch'))) return { why };
    if (outcomeOf(attempt).strict === 'not known')
      return { why: 'the node did not take balances or approvals' };
    if (!needsControls(attempt)) return { attempt };
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
    const doubt = doubtOf(attempt) ?? why;
    return { attempt, ...(doubt === '' ? {} : { why: doubt }) };
  }

  /**
   * The block at which a build is executed: of a node that is behind its chain, none. A chain that may rest is brought
   * to the present, for the deadlines of builds.
   */
  async #latestBlock(group: string): Promise<
    | {
        readonly at: string;
        readonly madeAtSeconds: bigint;
        readonly atSeconds: bigint | undefined;
      }
    | { readonly why: string }
  > {
    const rpc = { method: 'eth_getBlockByNumber', params: ['latest', false] };
    const answer = await this.#node.call(rpc, [{ kind: SIMULATED, group, role: BLOCK_ROLE }]);
    const [number, madeAtSeconds] = ['number', 'timestamp'].map((name) =>
      answer.kind === 'result' ? numberOf(member(answer.result, name)) : undefined,
    );
    if (number === undefined || madeAtSeconds === undefined)
      return { why: whyOf(answer, 'no number and time of a block') };
    const nowSeconds = BigInt(Math.floor(this.#nowMs() / 1_000));
    const isOld = nowSeconds - madeAtSeconds > MAX_BLOCK_AGE_SECONDS;
    if (!this.#node.mayRest && isOld)
      return {
        why: `its last block is ${nowSeconds - madeAtSeconds} s old: the node is behind its chain, or the clock of this machine is wrong`,
      };
    const next = madeAtSeconds + 1n;
    const present = nowSeconds > next ? nowSeconds : next;
    const atSeconds = this.#node.mayRest ? present : undefined;
    return { at: quantityOf(number), madeAtSeconds, atSeconds };
  }

  /** Values by which the account holds so much of each token; `why` names the first whose place is not found. */
  async #slotsFor(
    account: string,
    needs: ReadonlyMap<string, bigint>,
    block: string,
  ): Promise<{ readonly values: SlotValues } | { readonly why: string }> {
    const values: Record<string, Readonly<Record<string, string>>> = {};
    for (const [token, amount] of needs) {
      const found = await this.#slotOf(token, account, amount, block);
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
      if (!this.#finders.has(token))
        this.#finders.set(token, await findSlots(this.#node, token, account, block));
      const values = await this.#finders.get(token)?.(account, amount, block);
      return values === undefined
        ? { why: `where ${token} keeps balances was not found` }
        : { values };
    } catch (error) {
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

function whyOf(answer: NodeAnswer, otherwise: string): string {
  return answer.kind === 'result' ? `the node answered ${otherwise}` : answer.why;
}
