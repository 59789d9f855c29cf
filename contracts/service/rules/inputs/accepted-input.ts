import { isObject, listOf } from '../../../wire/json.ts';
import type { Level } from '../../../judging/rule.ts';
import type { ApiName, HeaderList } from '../../../wire/exchange.ts';
import { addressKey, isEvmAddress, NATIVE_TOKEN } from '../../../wire/addresses.ts';

/** A request as far as it shows which inputs it has. */
export interface AskedInputs {
  readonly query: URLSearchParams;
  /** The parsed body; undefined when it is none. */
  readonly requestJson: unknown;
  readonly headers: HeaderList;
}

/**
 * An input that the document shows as optional, or one form of the values of a field.
 *
 * @typeParam Form the forms of it that are distinguished
 */
export interface AcceptedInput<Form extends string = string> {
  /** Of the rule that it is taken. */
  readonly id: string;
  /** `must` when absent: who needs the input gets no service. */
  readonly level?: Level;
  readonly source: string;
  readonly protects: string;
  /** As of a rule. */
  readonly rulesOut: string;
  readonly api: ApiName;
  readonly operations: readonly string[];
  /**
   * Codes of refusals that have another reason than the input, and so say nothing. That there is no
   * route says something still if the request without the input asks for the same way back.
   */
  readonly excuse?: 'no-route' | 'too-many';
  /** Each form, in the words of a finding. */
  readonly forms: Readonly<Record<Form, string>>;
  /** Which form of it the request has; null for none. */
  readonly formOf: (asked: AskedInputs) => Form | null;
}

/** An input of one form: it is given, or not. */
export type PlainInput = AcceptedInput<'given'>;

/** A row without what its place in the document gives it. */
export type Row = Omit<AcceptedInput, 'api' | 'operations' | 'source' | 'forms' | 'formOf'>;

/** A row of an input of one form. */
export interface PlainRow extends Row {
  /** What a request has that has it, in the words of a finding. */
  readonly input: string;
}

/** Up to here every whole number is exact as a double; services with such amounts stop at it. */
export const LARGEST_EXACT: bigint = 2n ** 53n - 1n;

export function hasDecimals(slippage: unknown): boolean {
  return typeof slippage === 'number' && !Number.isInteger(slippage);
}

export function isLarge(amount: unknown): boolean {
  // 2^53 itself is exact as well, so a service may take it and nothing above.
  if (typeof amount !== 'string' || !/^\d{16,}$/.test(amount)) return false;
  return BigInt(amount) > LARGEST_EXACT + 1n;
}

/** Whether two addresses are there and are not the same one. */
export function differ(one: unknown, other: unknown): boolean {
  return isEvmAddress(one) && isEvmAddress(other) && addressKey(one) !== addressKey(other);
}

export function isNative(token: unknown): boolean {
  return typeof token === 'string' && addressKey(token) === addressKey(NATIVE_TOKEN);
}

/** Whether a media type is JSON, its encoding named besides. */
export function namesCharset(contentType: string | undefined): boolean {
  return /^application\/json; ?charset=utf-8$/i.test(contentType ?? '');
}

/** What a request of the zap or the trade API exchanges for what; undefined if it is neither. */
interface Way {
  readonly from: string;
  readonly to: string;
}

function wayOf(body: unknown): Way | undefined {
  if (!isObject(body)) return undefined;
  const [entry] = listOf(body.data);
  const first = isObject(entry) ? entry : body;
  const fromChain = body.fromChain ?? body.srcChainId;
  const toChain = first.toChain ?? first.destChainId;
  const { srcToken, destToken } = first;
  if (typeof srcToken !== 'string' || typeof destToken !== 'string') return undefined;
  return {
    from: `${String(fromChain)} ${addressKey(srcToken)}`,
    to: `${String(toChain)} ${addressKey(destToken)}`,
  };
}

/** Whether one request body asks for the way back of another's. */
export function isWayBack(one: unknown, other: unknown): boolean {
  const [way, back] = [wayOf(one), wayOf(other)];
  return way !== undefined && way.from === back?.to && way.to === back.from;
}
