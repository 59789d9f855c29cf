/** Simulations as JSON-RPC requests, and what a node answered to them. */

import { isObject, listOf, member } from '../../../wire/json.ts';
import { excerpt } from '../../../judging/excerpt.ts';
import { BATCH_CODE, batchOf, batchResults } from './batch.ts';
import type { SimulatedBuild } from './build.ts';
import type { Plan, PlannedCall } from './plan.ts';
import { BALANCE_CODE, BALANCE_READER, fundsFor } from './plan.ts';
import { type Logs, logsIn } from './logs.ts';
import { revertReason } from './revert-reason.ts';
import { firstWord, numberOf, quantityOf, wordOfNumber } from './words.ts';

/** A method and its parameters. */
export interface RpcCall {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** What a contract keeps otherwise for the length of a simulation, by storage slot; 32-byte words in hex. */
export type SlotValues = Readonly<Record<string, Readonly<Record<string, string>>>>;

function overridesOf(
  { account, spendings, call }: SimulatedBuild,
  slots: SlotValues,
  spareCoins: bigint,
  code?: string,
): Record<string, unknown> {
  const native = spendings.find(({ isNative }) => isNative)?.amount ?? 0n;
  const coins = spareCoins + fundsFor(native > call.value ? native : call.value);
  return {
    ...Object.fromEntries(Object.entries(slots).map(([at, stateDiff]) => [at, { stateDiff }])),
    [account]: { balance: quantityOf(coins), ...(code === undefined ? {} : { code }) },
    [BALANCE_READER]: { code: BALANCE_CODE },
  };
}

/** When and how calls are executed. */
export interface Setting {
  /** Native coins that the account holds besides, as people do; else a contract would know it by them. */
  readonly spareCoins: bigint;
  /** The block whose state they find. */
  readonly block: string;
  /** What they take for the present, in Unix seconds; the node chooses if it is undefined. */
  readonly atSeconds?: bigint | undefined;
  /** Has native coins logged, as transfers of their address. */
  readonly tracing?: 'tracing coins' | undefined;
}

const timeOf = ({ atSeconds }: Setting): { readonly time?: string } =>
  atSeconds === undefined ? {} : { time: quantityOf(atSeconds) };

/** All calls in one simulated block. */
export function simulateRequest(
  build: SimulatedBuild,
  plan: Plan,
  slots: SlotValues,
  setting: Setting,
): RpcCall {
  const calls = plan.calls.map(({ to, data, value, gas }) => ({
    ...{ from: build.account, to, data },
    value: quantityOf(value),
    gas: quantityOf(gas),
  }));
  // Some nodes break where overrides are absent, so they are always there.
  const blockOverrides = timeOf(setting);
  const state = {
    blockOverrides,
    stateOverrides: overridesOf(build, slots, setting.spareCoins),
    calls,
  };
  // Some nodes refuse it, or leave out other logs then.
  const traces = setting.tracing === undefined ? {} : { traceTransfers: true };
  const options = { blockStateCalls: [state], ...traces, validation: false };
  return { method: 'eth_simulateV1', params: [options, setting.block] };
}

/** All calls in one call of the account to itself. */
export function batchRequest(
  build: SimulatedBuild,
  plan: Plan,
  slots: SlotValues,
  setting: Setting,
): RpcCall {
  const { account } = build;
  const call = { from: account, to: account, data: batchOf(plan.calls) };
  const params = [call, setting.block, overridesOf(build, slots, setting.spareCoins, BATCH_CODE)];
  // Not all nodes know the last parameter.
  const time = timeOf(setting);
  return { method: 'eth_call', params: time.time === undefined ? params : [...params, time] };
}

/** The value of a storage slot, as nodes want it: 32 bytes. */
export function slotValue(value: bigint): string {
  return `0x${wordOfNumber(value)}`;
}

/** What came of one call. */
export interface CallResult {
  readonly succeeded: boolean;
  readonly word: bigint | undefined;
  /** Undefined if it is not known. */
  readonly logs?: Logs;
  /** Before refunds where the node says so. */
  readonly gas?: bigint;
  /** Why it failed, as the node said. */
  readonly why?: string;
}

/** A simulation that a node has answered. */
export interface Simulation {
  readonly way: 'simulate' | 'batch';
  /** What was sent, in a form to be compared: {@link sentForm}. */
  readonly sent: string;
  /** The number of the block whose state it found, if it was said. */
  readonly block?: bigint;
  /** What it took for the present, in Unix seconds, if it was said. */
  readonly atSeconds?: bigint;
  /** None where the node refused a transaction with so little gas as a whole. */
  readonly results: readonly CallResult[];
}

/** An error with which nodes refuse all calls because one has less gas than its bytes take (EIP-7623). */
function isTooLittleGas(error: unknown): boolean {
  const [code, message] = [member(error, 'code'), member(error, 'message')];
  return code === -38_013 || /intrinsic gas|gas ?floor|floor data gas/i.test(String(message));
}

const MAX_CALLS = 1_000;

/** How a simulation would have been sent, to be compared with what was. */
export function sentForm(way: Simulation['way'], account: string, plan: Plan): string {
  if (way === 'batch') return JSON.stringify([account, batchOf(plan.calls)]);
  return JSON.stringify(plan.calls.map((call) => formOf(account, call)));
}

const formOf = (account: string, { to, data, value, gas }: PlannedCall): string[] => [
  ...[account, to, data, quantityOf(value), quantityOf(gas)],
];

/** What a node answered to a simulation; null where it is none, or the node failed. */
export function simulationIn(request: unknown, response: unknown): Simulation | null {
  const [options, pinned, , overrides] = listOf(member(request, 'params'));
  if (!isObject(response) || response.id !== member(request, 'id')) return null;
  const number = numberOf(pinned);
  const block = number === undefined ? {} : { block: number };
  if (member(request, 'method') === 'eth_call') {
    const batch = batchIn(options, overrides, response.result);
    return batch === null ? null : { ...batch, ...block };
  }
  if (member(request, 'method') !== 'eth_simulateV1') return null;
  const [state] = listOf(member(options, 'blockStateCalls'));
  const sent = JSON.stringify(
    listOf(member(state, 'calls')).map((call) =>
      ['from', 'to', 'data', 'value', 'gas'].map((name) => member(call, name)),
    ),
  );
  const time = timeIn(member(state, 'blockOverrides'));
  if (isObject(response.error) && isTooLittleGas(response.error))
    return { way: 'simulate', sent, ...block, ...time, results: [] };
  const [simulated] = listOf(response.result);
  if (!isAtBlock(member(simulated, 'number'), pinned)) return null;
  const calls = listOf(member(simulated, 'calls'));
  if (calls.length !== listOf(member(state, 'calls')).length || calls.length > MAX_CALLS)
    return null;
  const results = calls.map(resultIn);
  if (calls.length === 0 || !results.every((one) => one !== undefined)) return null;
  return { way: 'simulate', sent, ...block, ...time, results };
}

/** Whether a simulated block, if it has its number, is the one that was asked for, or comes next. */
function isAtBlock(given: unknown, pinned: unknown): boolean {
  const [number, asked] = [numberOf(given), numberOf(pinned)];
  if (number === undefined || asked === undefined) return given === undefined;
  return number === asked || number === asked + 1n;
}

/** Why what a node answered to a simulation is none: a clause. */
export function whyNone({ params }: RpcCall, result: unknown): string {
  const number = member(listOf(result)[0], 'number');
  if (result === null) return 'the node answered null';
  if (!isAtBlock(number, params[1])) return 'the node answered of another block';
  return 'the node answered something else than results of all calls';
}

function timeIn(overrides: unknown): Pick<Simulation, 'atSeconds'> {
  const atSeconds = numberOf(member(overrides, 'time'));
  return atSeconds === undefined ? {} : { atSeconds };
}

function batchIn(call: unknown, overrides: unknown, result: unknown): Simulation | null {
  const data = member(call, 'data');
  if (typeof data !== 'string' || typeof result !== 'string') return null;
  const results = batchResults(result, (result.length - 2) / 128);
  if (results === undefined || results.length === 0) return null;
  const sent = JSON.stringify([member(call, 'from'), data]);
  return { way: 'batch', sent, ...timeIn(overrides), results };
}

const WHY_CHARACTERS = 200;

/** Why a call failed: what the node says, and what the contract gave as its reason. */
function whyIn(call: unknown): string | undefined {
  const error = member(call, 'error');
  const message = member(error, 'message');
  const reason = revertReason(member(error, 'data')) ?? revertReason(member(call, 'returnData'));
  const said = typeof message === 'string' ? excerpt(message, WHY_CHARACTERS) : undefined;
  // Some nodes write it into their message.
  if (reason === undefined || said?.includes(reason) === true) return said;
  return said === undefined ? reason : `${said}: ${reason}`;
}

function resultIn(call: unknown): CallResult | undefined {
  const status = numberOf(member(call, 'status'));
  if (status === undefined || status > 1n) return undefined;
  const gas = numberOf(member(call, 'maxUsedGas')) ?? numberOf(member(call, 'gasUsed'));
  const why = status === 1n ? undefined : whyIn(call);
  const logs = logsIn(member(call, 'logs'));
  return {
    succeeded: status === 1n,
    word: firstWord(member(call, 'returnData')),
    ...(logs === undefined ? {} : { logs }),
    ...(gas === undefined ? {} : { gas }),
    ...(why === undefined ? {} : { why }),
  };
}
