import type { JsonObject } from '../../../wire/json.ts';
import { isObject, listOf } from '../../../wire/json.ts';
import type { View } from '../../../judging/view.ts';
import type { FieldRow } from './excluded-values.ts';

/** What the tables of the document say of the fields of requests that may not be guessed. */

const MONEY = { money: true, required: true } as const;
const OTHER = { money: false, required: true } as const;
/** Nothing is done for nobody, with nothing or with a pool that is not named. */
const MADE_UP = { ...OTHER, madeUp: true } as const;
const OPTIONAL = { money: false, required: false } as const;
const ENTRY = { money: true, required: false } as const;

/**
 * Section 2.1. What is left out here says nothing: fields whose contents are not shown, and a flag
 * that a service may have no use for.
 */
const ZAP: Readonly<Record<string, FieldRow>> = {
  srcToken: { kind: 'address', ...MONEY },
  srcChainId: { kind: 'chain', ...MONEY },
  destToken: { kind: 'address', ...MONEY },
  destChainId: { kind: 'chain', ...MONEY },
  recipient: { kind: 'address', ...MONEY },
  slippage: { kind: 'percent', ...MONEY },
  account: { kind: 'address', ...MADE_UP },
  amount: { kind: 'amount', money: true, required: false },
  allowedDexes: { kind: 'texts', ...OPTIONAL },
  allowedBridges: { kind: 'texts', ...OPTIONAL },
};

/** Section 2.3; which fields of an entry are required is not shown (section 4.2, rule 3). */
const TRADE: Readonly<Record<string, FieldRow>> = {
  fromChain: { kind: 'chain', ...MONEY },
  sender: { kind: 'address', ...MADE_UP },
  // Who receives money when the transaction fails.
  refundee: { kind: 'address', ...MONEY },
  gasless: { kind: 'boolean', ...OTHER },
  hasPermit2ApprovalForAllTokens: { kind: 'boolean', ...OTHER },
  data: { kind: 'list', ...MADE_UP },
  'data.amount': { kind: 'amount', ...ENTRY },
  'data.srcToken': { kind: 'address', ...ENTRY },
  'data.destToken': { kind: 'address', ...ENTRY },
  'data.slippage': { kind: 'percent', ...ENTRY },
  'data.toChain': { kind: 'chain', ...ENTRY },
  'data.recipient': { kind: 'address', ...ENTRY },
  'data.protocol': { kind: 'text', ...OPTIONAL },
};

/** Section 4.1. */
const DETAILS: Readonly<Record<string, FieldRow>> = {
  chainId: { kind: 'chain', ...MADE_UP },
  poolAddress: { kind: 'text', ...MADE_UP },
};

/** Section 4.1: integers. A limit of 0 or below is looked at by what it yields. */
const POOLS: Readonly<Record<string, FieldRow>> = {
  chainId: { kind: 'chain', ...OPTIONAL },
  limit: { kind: 'amount', ...OPTIONAL },
};

const FIELDS: Readonly<Record<string, Readonly<Record<string, FieldRow>>>> = {
  'zap.quote': ZAP,
  'zap.build-tx': ZAP,
  'zap.pools': POOLS,
  'zap.pool-details': DETAILS,
  'trade.build-tx': TRADE,
};

/** A field that a request has one defect in. */
export interface DefectiveField {
  readonly name: string;
  readonly row: FieldRow;
  /** Undefined if it was left out. */
  readonly value: unknown;
}

const FIELD_DEFECT = /^(?:missing|mistyped|malformed) ((?:data\.)?[A-Za-z0-9]+)/;

/** Whether a defect is one of a single field of a request that is otherwise right. */
export function isFieldDefect(defect: string): boolean {
  return FIELD_DEFECT.test(defect);
}

/** The field in which a request has its defect; undefined if nothing is to be said of it. */
export function defectiveFieldOf(view: View, defect: string): DefectiveField | undefined {
  const name = FIELD_DEFECT.exec(defect)?.[1];
  const fields = FIELDS[view.operation?.id ?? ''];
  if (name === undefined || fields === undefined || !Object.hasOwn(fields, name)) return undefined;
  const row = fields[name];
  return row === undefined ? undefined : { name, row, value: valueIn(view, name) };
}

/** What a request holds in a field, the first entry of `data` for those of its entries. */
export function valueIn(view: View, name: string): unknown {
  if (view.operation?.id === 'zap.pools') {
    const text = view.query.get(name) ?? undefined;
    // Several, which no integer is, are a list to some services; many cut a fraction.
    return text?.includes(',') === true ? text.split(',') : text?.replace(/\.\d+$/, '');
  }
  const body = objectOf(view.requestJson);
  if (!name.startsWith('data.')) return body?.[name];
  return objectOf(listOf(body?.data)[0])?.[name.slice('data.'.length)];
}

function objectOf(value: unknown): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}
