import { isObject, listOf, member } from '../../wire/json.ts';
import type { Observer } from '../../judging/ledger.ts';
import { kindOf, membersOf } from '../../observing/collect.ts';
import { fieldDefectOutcome, outcomeOf, probeOutcome } from './outcomes.ts';
import { answeredIn, BUILD, buildOf } from '../rules/readings/trade-build.ts';
import type { View } from '../../judging/view.ts';
import { addressKey, isEvmAddress } from '../../wire/addresses.ts';
import { baseUnitsOf } from '../../wire/amounts.ts';
import { leastReturn } from '../wire/slippage.ts';

/** Names in what may be keyed by pairs or providers, those replaced by a word. */
function keyWord(name: string): string {
  return /^\d+_.+-\d+_/.test(name) ? '<pair>' : name;
}

function quotesMembers({ json }: View): readonly string[] {
  if (!isObject(json)) return [kindOf(json)];
  return Object.keys(json).flatMap((name) => {
    const value = json[name];
    const within = isObject(value)
      ? Object.keys(value).map(
          (inner) => `${keyWord(name)}.${keyWord(inner)}: ${kindOf(value[inner])}`,
        )
      : [];
    return [`${keyWord(name)}: ${kindOf(value)}`, ...within];
  });
}

/** How the summaries of a build stand to what was asked. */
function eachAnswered(
  observe: (answered: ReturnType<typeof answeredIn>[number]) => readonly string[],
): (view: View) => readonly string[] {
  return (view) => {
    const build = buildOf(view);
    return build === null ? [] : answeredIn(build).flatMap(observe);
  };
}

function spellingOf(asked: string, answered: string): string {
  if (asked === answered) return 'as asked';
  return answered === answered.toLowerCase() ? 'lower case' : 'another';
}

function keySpelling(view: View): readonly string[] {
  const build = buildOf(view);
  if (build?.asked === undefined) return [];
  const { asked } = build;
  return (build.quotes ?? []).flatMap(({ id, key }) => {
    const entry = key === undefined ? undefined : asked.get(key);
    return entry === undefined ? [] : [spellingOf(entry.id, id)];
  });
}

const success = { api: 'trade', operations: BUILD, answer: 'success' } as const;
const answered = { api: 'trade', operations: BUILD, answer: 'answered' } as const;

/** Watches what sections 2.3, 2.4 and 4.2 leave open. */
export const TRADE_OBSERVERS: readonly Observer[] = [
  {
    ...answered,
    id: 'trade.request.invalid-fields',
    clause: '§2.3 what becomes of a field that is missing or of another type',
    observe: fieldDefectOutcome,
  },
  {
    ...answered,
    id: 'trade.request.entry-fields',
    clause: '§4.2 which fields of an entry of data are required',
    observe: probeOutcome(/^data without (?!entries)/),
  },
  {
    ...answered,
    id: 'trade.request.data-array',
    clause: '§2.3 no entry, one pair twice, unknown fields in data',
    observe: probeOutcome(/^data (?:without entries|with one pair|with an unknown)/),
  },
  {
    ...answered,
    id: 'trade.request.batch-size',
    clause: '§8 maximum size of the data array',
    observe: (view) => {
      const { length } = listOf(member(view.requestJson, 'data'));
      return length < 2 ? [] : [`${length} entries: ${outcomeOf(view)}`];
    },
  },
  {
    ...answered,
    id: 'trade.request.gasless',
    clause: '§2.3 where gasless execution is to be had',
    observe: (view) => {
      const request = view.requestJson;
      if (member(request, 'gasless') !== true || view.exchange.purpose.kind !== 'valid') return [];
      const [entry] = listOf(member(request, 'data'));
      const crosses = member(entry, 'toChain') !== member(request, 'fromChain');
      return [`${crosses ? 'across chains' : 'on one chain'}: ${outcomeOf(view)}`];
    },
  },
  {
    ...success,
    id: 'trade.build.gasless-transaction',
    clause: '§2.4 the transaction of a gasless build',
    observe: ({ json }) => {
      if (member(json, 'gasless') !== true) return [];
      const members = membersOf(member(json, 'transaction'));
      return members.length === 0 ? ['empty'] : members;
    },
  },
  {
    ...success,
    id: 'trade.build.gas-unestimated',
    clause: '§2.3 the gas limit with estimation disabled, or 0',
    observe: ({ json, requestJson }) => {
      if (member(json, 'gasless') !== false) return [];
      const gas = member(member(json, 'transaction'), 'gasLimit');
      const disabled = member(requestJson, 'disableEstimation') === true;
      if (!disabled && gas !== '0') return [];
      return [`${disabled ? 'disabled' : 'enabled'}: ${gas === '0' ? '0' : 'a limit'}`];
    },
  },
  {
    ...success,
    id: 'trade.summary.provider',
    clause: '§2.4 how the provider of a quote stands to the protocol asked for',
    observe: eachAnswered(({ entry, summary }) => {
      if (typeof entry.protocol !== 'string') return ['none was asked for'];
      return [summary.provider === entry.protocol ? 'the protocol asked for' : 'another text'];
    }),
  },
  {
    ...success,
    id: 'trade.summary.guarantees',
    clause: '§2.4 how minDestAmount is rounded',
    observe: eachAnswered(({ entry: { slippage }, summary }) => {
      const destAmount = baseUnitsOf(summary.destAmount);
      const minDestAmount = baseUnitsOf(summary.minDestAmount);
      if (destAmount === undefined || minDestAmount === undefined) return [];
      const least = typeof slippage === 'number' ? leastReturn(destAmount, slippage) : undefined;
      if (least === undefined) return ['cannot be told'];
      if (minDestAmount === least) return ['rounded down'];
      if (minDestAmount === least + 1n) return ['rounded up'];
      if (minDestAmount === destAmount) return ['the whole amount'];
      return [minDestAmount > least ? 'tighter than asked' : 'looser than asked'];
    }),
  },
  {
    ...success,
    id: 'trade.quotes-map.spelling',
    clause: '§2.4 the letter case of addresses in pair identifiers',
    observe: keySpelling,
  },
  {
    ...success,
    id: 'trade.build.hex-prefix',
    clause: '§2.4 whether hex strings begin with 0x',
    observe: ({ json }) => {
      const txId = member(json, 'txId');
      if (typeof txId !== 'string') return [];
      return [`txId: ${txId.startsWith('0x') ? 'with' : 'without'} 0x, ${txId.length} characters`];
    },
  },
  {
    ...success,
    id: 'trade.build.transaction-target',
    clause: '§2.4 whom the transaction is to',
    observe: ({ json, requestJson }) => {
      const to = member(member(json, 'transaction'), 'to');
      if (!isEvmAddress(to)) return [];
      const tokens = listOf(member(requestJson, 'data')).map((entry) => member(entry, 'srcToken'));
      const isToken = tokens.some(
        (token) => typeof token === 'string' && addressKey(token) === addressKey(to),
      );
      return [isToken ? 'the source token' : 'another contract'];
    },
  },
  {
    api: 'trade',
    operations: ['trade.quotes'],
    answer: 'answered',
    id: 'trade.quotes.request',
    clause: '§4.2 further fields of a quotes request',
    observe: (view) => {
      if (!isObject(view.requestJson) || view.exchange.purpose.kind === 'invalid') return [];
      return [`${Object.keys(view.requestJson).join(', ')}: ${outcomeOf(view)}`];
    },
  },
  {
    api: 'trade',
    operations: ['trade.quotes'],
    answer: 'success',
    id: 'trade.quotes.response',
    clause: '§4.2 the response of quotes',
    observe: quotesMembers,
  },
];
