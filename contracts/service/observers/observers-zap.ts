import { isObject, jsonTypeOf, listOf, member } from '../../wire/json.ts';
import type { Observer } from '../../judging/ledger.ts';
import type { Entry } from '../rules/readings/zap-entry.ts';
import { isPosition } from '../rules/readings/zap-entry.ts';
import type { Route } from '../rules/readings/zap-route.ts';
import { ROUTED, routeOf } from '../rules/readings/zap-route.ts';
import { addressKey, isZeroAddress, NATIVE_TOKEN } from '../../wire/addresses.ts';
import { baseUnitsOf } from '../../wire/amounts.ts';
import { fieldDefectOutcome, probeOutcome } from './outcomes.ts';
import { leastReturn } from '../wire/slippage.ts';

const LISTS = ['input', 'output', 'fee', 'dust'] as const;

function durationKind(duration: unknown): string {
  if (typeof duration !== 'number') return jsonTypeOf(duration);
  const sign = duration === 0 ? 'zero' : duration < 0 ? 'negative' : 'positive';
  if (sign !== 'positive') return sign;
  const whole = Number.isInteger(duration) ? 'whole' : 'fraction';
  return `${whole}, ${duration < 10 ? 'below 10' : duration < 1_000 ? 'below 1000' : '1000 or more'}`;
}

function hexPrefix(name: string, value: unknown): string {
  if (typeof value !== 'string') return `${name}: ${jsonTypeOf(value)}`;
  return `${name}: ${value.startsWith('0x') ? 'with 0x' : 'without 0x'}`;
}

function nativeApproval({ data, asked }: Route): readonly string[] {
  if (asked?.fromNative !== true) return [];
  const { approvalData } = data;
  if (!isObject(approvalData)) {
    return [approvalData === undefined ? 'absent' : jsonTypeOf(approvalData)];
  }
  const place = (value: unknown): string => {
    if (typeof value !== 'string') return value === undefined ? 'absent' : jsonTypeOf(value);
    if (addressKey(value) === addressKey(NATIVE_TOKEN)) return 'the native constant';
    return isZeroAddress(value) ? 'the zero address' : value === '' ? 'empty' : 'an address';
  };
  const amount = baseUnitsOf(approvalData.amount);
  const units = amount === undefined ? 'no amount' : amount === 0n ? 'amount 0' : 'an amount';
  return [
    `callTo ${place(approvalData.callTo)}, approveTo ${place(approvalData.approveTo)}, ${units}`,
  ];
}

/** How a guarantee stands to the slippage that was asked for. */
function readingOf(entry: Entry, { asked }: Route): string {
  const minReturn = entry.minReturn;
  const slippage = asked?.slippage;
  if (minReturn === undefined) return 'absent';
  if (entry.amount === undefined || slippage === undefined) return 'cannot be told';
  const least = leastReturn(entry.amount, slippage);
  if (least === undefined) return 'cannot be told';
  if (minReturn === least) return 'rounded down';
  if (minReturn === least + 1n) return 'rounded up';
  if (minReturn === entry.amount) return 'the whole amount';
  return minReturn > least ? 'tighter than asked' : 'looser than asked';
}

function guarantees(route: Route): readonly string[] {
  return route.steps.flatMap((step) =>
    (['output', 'dust'] as const).flatMap((list) =>
      step[list].map((entry) => {
        const listName = isPosition(entry) ? `${list} of ERC721` : list;
        return `${listName}: ${readingOf(entry, route)}`;
      }),
    ),
  );
}

function positions({ steps }: Route): readonly string[] {
  return steps.flatMap(({ output }) =>
    output.filter(isPosition).map(({ amount, asset }) => {
      const units = amount === 1n ? 'amount 1' : 'another amount';
      return `${units}, ${String(asset?.decimals)} decimals`;
    }),
  );
}

function shareAddress({ steps, asked }: Route): readonly string[] {
  const last = steps.at(-1);
  if (last === undefined || last.action === 'swap' || asked?.destKey === undefined) return [];
  const [entry] = last.output;
  if (entry === undefined) return [];
  const type = String(entry.asset?.type);
  return [`${type}: ${entry.key === asked.destKey ? 'destToken' : 'another address'}`];
}

function unpriced({ steps }: Route): readonly string[] {
  return steps.flatMap((step) =>
    LISTS.flatMap((list) =>
      step[list]
        .filter(({ asset }) => Number(asset?.price) === 0)
        .map(({ asset }) => String(asset?.type)),
    ),
  );
}

const ASKED_ABOUT =
  /^(?:positionDetails|poolDetails|integrator|permit|amount absent|allowed(?:Dexes|Bridges))/;

const base = { api: 'zap', operations: ROUTED, answer: 'success' } as const;

/** An observer of routes. */
function onRoutes(
  id: string,
  clause: string,
  observe: (route: Route) => readonly string[],
): Observer {
  return {
    ...base,
    id,
    clause,
    observe: (view) => {
      const route = routeOf(view);
      return route === null ? [] : observe(route);
    },
  };
}

/** Watches what sections 2.1 and 2.2 leave open. */
export const ZAP_OBSERVERS: readonly Observer[] = [
  {
    ...base,
    id: 'zap.request.invalid-fields',
    clause: '§2.1 what becomes of a field that is missing or cannot be meant',
    answer: 'answered',
    observe: fieldDefectOutcome,
  },
  {
    ...base,
    id: 'zap.request.optional-fields',
    clause: '§2.1 fields of positionDetails, poolDetails, integrator; a request without amount',
    answer: 'answered',
    observe: probeOutcome(ASKED_ABOUT),
  },
  onRoutes('zap.path.durations', '§2.2 unit of estimatedDuration', ({ data }) =>
    listOf(data.path).map((step) => durationKind(member(step, 'estimatedDuration'))),
  ),
  onRoutes('zap.path.guarantees', '§2.2 which entries have a minReturn; its rounding', guarantees),
  onRoutes('zap.path.positions', '§2.2 what the amount of an ERC721 counts', positions),
  onRoutes('zap.path.share-address', '§2.1 what a deposit yields, named by address', shareAddress),
  onRoutes('zap.assets.unpriced', '§2.2 price where none is known', unpriced),
  onRoutes('zap.approval.native', '§2.2 approvalData where nothing needs approval', nativeApproval),
  {
    ...base,
    id: 'zap.steps.actions',
    clause: '§2.2 actions of executable steps, and how many steps there are',
    observe: ({ json }) => {
      const steps = listOf(member(member(json, 'data'), 'steps'));
      if (steps.length === 0) return [];
      const actions = steps.map((step) => String(member(step, 'action')));
      return [...actions, `${steps.length} ${steps.length === 1 ? 'step' : 'steps'}`];
    },
  },
  {
    ...base,
    id: 'zap.steps.hex-prefix',
    clause: '§2.2 whether hex strings begin with 0x',
    observe: ({ json }) =>
      listOf(member(member(json, 'data'), 'steps')).flatMap((step) =>
        ['txnId', 'callData'].map((name) => hexPrefix(name, member(member(step, 'data'), name))),
      ),
  },
];
