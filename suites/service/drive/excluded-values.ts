/** Values that the document excludes, made from those that a request was served with. */

/** One thing that is wrong with a request that is otherwise right. */
export interface ExcludedValue {
  /** In the words that rules and the ledger know. */
  readonly defect: string;
  readonly field: string;
  /** Undefined leaves the field out. */
  readonly value: unknown;
}

type Values = (value: unknown) => readonly (readonly [defect: string, value: unknown])[];

/** An address of 39 digits, and what stands in the place of one. */
const addresses: Values = (value) => [
  ['malformed %, a name', 'nobody'],
  ['malformed %, a digit too few', String(value).slice(0, -1)],
];

const amounts: Values = (value) => {
  const text = String(value);
  return [
    ['mistyped %, a number', Number(text)],
    ['malformed %, hex', `0x${BigInt(text).toString(16)}`],
    ['malformed %, a fraction', `${text}.5`],
    ['malformed %, below 0', `-${text}`],
    [
      'malformed %, an exponent',
      text.replace(/^(\d+?)(0*)$/, (_, a: string, b: string) => `${a}e${b.length}`),
    ],
  ];
};

const percents: Values = (value) => [
  ['mistyped %, its number as text', String(value)],
  ['malformed %, below 0', -1],
  ['malformed %, above 100', 101],
];

const chains: Values = (value) => [['mistyped %, its number as text', String(value)]];

const booleans: Values = (value) => [['mistyped %, its value as text', String(value)]];

/** What is sent in place of the value of each field of a zap request. */
const ZAP: Readonly<Record<string, Values>> = {
  srcToken: (value) => addresses(value).slice(0, 1),
  destToken: (value) => addresses(value).slice(1),
  recipient: addresses,
  account: (value) => addresses(value).slice(0, 1),
  srcChainId: chains,
  destChainId: chains,
  amount: amounts,
  slippage: percents,
};

/** Likewise of the top level of a trade request. */
const TRADE: Readonly<Record<string, Values>> = {
  fromChain: chains,
  sender: (value) => addresses(value).slice(0, 1),
  refundee: (value) => addresses(value).slice(1),
  gasless: booleans,
  hasPermit2ApprovalForAllTokens: booleans,
  data: (value) => [['mistyped %, an object', Array.isArray(value) ? (value as unknown[])[0] : {}]],
};

/** Likewise of an entry of its `data`. */
const ENTRY: Readonly<Record<string, Values>> = {
  srcToken: (value) => addresses(value).slice(0, 1),
  destToken: (value) => addresses(value).slice(1),
  recipient: addresses,
  toChain: chains,
  amount: amounts,
  slippage: percents,
};

/** Whose fields are meant: of a zap, of the top level of a trade, of an entry of its `data`. */
export type TableName = 'zap' | 'trade' | 'entry';

const TABLES: Readonly<Record<TableName, Readonly<Record<string, Values>>>> = {
  zap: ZAP,
  trade: TRADE,
  entry: ENTRY,
};

/** @param prefix what stands before the names of the fields, e.g. `data.` */
export function excludedValues(
  table: TableName,
  body: Readonly<Record<string, unknown>>,
  prefix = '',
): ExcludedValue[] {
  return Object.entries(TABLES[table]).flatMap(([field, values]) =>
    body[field] === undefined
      ? []
      : values(body[field]).map(([defect, value]) => ({
          defect: defect.replace('%', prefix + field),
          field,
          value,
        })),
  );
}

/** Each of the fields left out. */
export function leftOut(fields: readonly string[]): ExcludedValue[] {
  return fields.map((field) => ({ defect: `missing ${field}`, field, value: undefined }));
}

/** Each of the fields of a type that no reader takes for the stated one. */
export function mistyped(
  fields: readonly string[],
  body: Readonly<Record<string, unknown>>,
): ExcludedValue[] {
  return fields.map((field) => ({
    defect: `mistyped ${field}`,
    field,
    value: typeof body[field] === 'object' ? 'text' : { not: 'scalar' },
  }));
}
