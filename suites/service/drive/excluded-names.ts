import type { Defect } from '../../../fixtures/wrong/defect.ts';
import { defectsNamed } from '../../../fixtures/wrong/defect.ts';

/** Which of the defects of an operation are asked about beside the same request without. */

/** By field; `%` stands for its name. */
type Table = Readonly<Record<string, readonly string[]>>;

const NAME = 'malformed %, a name';
const SHORT = 'malformed %, a digit too few';
const NUMBER = ['mistyped %, its number as text'];
const FLAG = ['mistyped %, its value as text'];
const AMOUNT = [
  'mistyped %, a number',
  'malformed %, hex',
  'malformed %, a fraction',
  'malformed %, below 0',
  'malformed %, an exponent',
];
const PERCENT = [...NUMBER, 'malformed %, below 0', 'malformed %, above 100'];

/** Of a zap request. */
export const ZAP_VALUES: Table = {
  srcToken: [NAME],
  destToken: [SHORT],
  recipient: [NAME, SHORT],
  account: [NAME],
  srcChainId: NUMBER,
  destChainId: NUMBER,
  amount: AMOUNT,
  slippage: PERCENT,
};

/** Those that decide what is quoted, and who receives it. */
export const ZAP_QUOTED: Table = {
  srcChainId: NUMBER,
  recipient: [NAME, SHORT],
  amount: AMOUNT,
  slippage: PERCENT,
};

/** Of the top level of a trade request. */
export const TRADE_VALUES: Table = {
  fromChain: NUMBER,
  sender: [NAME],
  refundee: [SHORT],
  gasless: FLAG,
  hasPermit2ApprovalForAllTokens: FLAG,
  data: ['mistyped %, an object'],
};

/** Of an entry of its `data`. */
export const ENTRY_VALUES: Table = {
  srcToken: [NAME],
  destToken: [SHORT],
  recipient: [NAME, SHORT],
  toChain: NUMBER,
  amount: AMOUNT,
  slippage: PERCENT,
};

/**
 * The names of a table, of the fields that a request holds.
 *
 * @param object the body, or the entry of it that is meant
 * @param prefix what stands before the names of the fields, e.g. `data.`
 */
export function namesOf(
  table: Table,
  object: Readonly<Record<string, unknown>>,
  prefix = '',
): string[] {
  return Object.entries(table).flatMap(([field, names]) =>
    object[field] === undefined ? [] : names.map((name) => name.replace('%', prefix + field)),
  );
}

/** Each required field left out, then the defects of these names. */
export function missingAnd(defects: readonly Defect[], names: readonly string[]): Defect[] {
  const missing = defects.filter(({ name }) => name.startsWith('missing '));
  return [...missing, ...defectsNamed(defects, names)];
}
