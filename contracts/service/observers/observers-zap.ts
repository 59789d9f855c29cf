import { isObject, jsonTypeOf, listOf, member } from '../../run/json.ts';
import type { Observer } from '../../judging/ledger.ts';
import type { Entry } from '../rules/2-2-zap-response/zap-entry.ts';
import { isPosition } from '../rules/2-2-zap-response/zap-entry.ts';
import type { Route } from '../rules/2-2-zap-response/zap-route.ts';
import { ROUTED, routeOf } from '../rules/2-2-zap-response/zap-route.ts';
import type { View } from '../../judging/view.ts';
import { addressKey, NATIVE_TOKEN } from '../../wire/addresses.ts';
import { baseUnitsOf } from '../../wire/amounts.ts';
import { errorCodeOf } from '../wire/error-body.ts';
import { leastReturn } from '../wire/slippage.ts';

const LISTS = ['input', 'output', 'fee', 'dust'] as const;

/** Names that section 2.2 states, by the object that has them. */
const STATED: Readonly<Record<string, ReadonlySet<string>>> = {
  body: new Set(['status', 'data']),
  data: new Set(['amountOut', 'approvalData', 'path', 'steps']),
  approvalData: new Set(['callTo', 'approveTo', 'amount']),
  'path step': new Set([
    'action',
    'protocol',
    'input',
    'output',
    'fee',
    'estimatedDuration',
    'dust',
  ]),
  protocol: new Set(['id', 'name', 'icon']),
  entry: new Set(['amount', 'minReturn', 'amountUSD', 'asset', 'dust']),
  asset: new Set(['address', 'chainId', 'decimals', 'logo', 'price', 'symbol', 'name', 'type']),
  'execute step': new Set(['action', 'data']),
  'execute step data': new Set(['txnId', 'callTo', 'callData', 'value', 'estimatedGas']),
};

/** More of one answer are not told. */
const MAX_NAMES = 500;

/** Adds the names of an object's members that the document does not state. */
function noteUnstated(found: Set<string>, kind: string, object: unknown): void {
  const stated = STATED[kind];
  if (!isObject(object) || stated === undefined) return;
  for (const name in object) {
    if (found.size >= MAX_NAMES) return;
    if (!stated.has(name)) found.add(`${kind}.${name}`);
  }
}

function unstatedNames({ json }: View): readonly string[] {
  const found = new Set<string>();
  const data = member(json, 'data');
  noteUnstated(found, 'body', json);
  noteUnstated(found, 'data', data);
  noteUnstated(found, 'approvalData', member(data, 'approvalData'));
  for (const step of listOf(member(data, 'path'))) {
    noteUnstated(found, 'path step', step);
    noteUnstated(found, 'protocol', member(step, 'protocol'));
    for (const list of LISTS) {
      for (const entry of listOf(member(step, list))) {
        noteUnstated(found, 'entry', entry);
        noteUnstated(found, 'asset', member(entry, 'asset'));
      }
    }
  }
  for (const step of listOf(member(data, 'steps'))) {
    noteUnstated(found, 'execute step', step);
    noteUnstated(found, 'execute step data', member(step, 'data'));
  }
  return [...found];
}

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
    return /^0x0{40}$/.test(value) ? 'the zero address' : value === '' ? 'empty' : 'an address';
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
        const of = isPosition(entry) ? `${list} of ERC721` : list;
        return `${of}: ${readingOf(entry, route)}`;
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

/** What became of a request: the refusal by its code. */
function outcomeOf(view: View): string {
  if (view.succeeded) return 'served';
  return `${view.status} ${errorCodeOf(view.json) ?? 'without a code'}`;
}

const ASKED_ABOUT =
  /^(?:positionDetails|poolDetails|integrator|permit|amount absent|allowed(?:Dexes|Bridges))/;

/** Probes about one thing, by what became of them. */
function probesAbout(pattern: RegExp): (view: View) => readonly string[] {
  return (view) => {
    const { purpose } = view.exchange;
    if (purpose.kind !== 'probe' || !pattern.test(purpose.about)) return [];
    return [`${purpose.about}: ${outcomeOf(view)}`];
  };
}

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

function eachAsset({ steps }: Route, name: string): string[] {
  return steps.flatMap((step) =>
    LISTS.flatMap((list) => step[list].map(({ asset }) => String(asset?.[name]))),
  );
}

/** Watches what sections 2.1 and 2.2 leave open. */
export const ZAP_OBSERVERS: readonly Observer[] = [
  {
    ...base,
    id: 'zap.request.invalid-fields',
    clause: '§2.1 what becomes of a field that is missing or cannot be meant',
    answer: 'answered',
    observe: (view) => {
      const { purpose } = view.exchange;
      if (purpose.kind !== 'invalid' || !/^(?:missing|mistyped|malformed) /.test(purpose.defect)) {
        return [];
      }
      return [`${purpose.defect}: ${outcomeOf(view)}`];
    },
  },
  {
    ...base,
    id: 'zap.request.optional-fields',
    clause: '§2.1 fields of positionDetails, poolDetails, integrator; a request without amount',
    answer: 'answered',
    observe: probesAbout(ASKED_ABOUT),
  },
  onRoutes('zap.path.actions', '§2.2 complete list of actions', ({ steps }) =>
    steps.map(({ action }) => String(action)),
  ),
  onRoutes('zap.assets.types', '§2.2 complete list of asset types', (route) =>
    eachAsset(route, 'type'),
  ),
  onRoutes('zap.path.durations', '§2.2 unit of estimatedDuration', ({ data }) =>
    listOf(data.path).map((step) => durationKind(member(step, 'estimatedDuration'))),
  ),
  onRoutes('zap.path.guarantees', '§2.2 which entries have a minReturn; its rounding', guarantees),
  onRoutes('zap.path.positions', '§2.2 what the amount of an ERC721 counts', positions),
  onRoutes('zap.path.share-address', '§2.1 what a deposit yields, told by address', shareAddress),
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
  {
    ...base,
    id: 'zap.response.other-fields',
    clause: '§2.2 fields beyond those stated',
    observe: unstatedNames,
  },
];
