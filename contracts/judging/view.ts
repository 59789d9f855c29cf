import { excerpt } from './excerpt.ts';
import type { ErrorReading } from '../wire/error-reading.ts';
import type { Exchange, HeaderList } from '../wire/exchange.ts';
import { headerOf } from '../wire/exchange.ts';
import { MAX_POINTER_CHARACTERS } from '../wire/places.ts';
import { JsonIndex } from '../wire/json-index.ts';
import { RequestReading } from './request-reading.ts';
import { walkJson } from '../wire/json-walk.ts';
import { type ParsedJson, parseJson } from '../wire/parse-json.ts';
import { rawTokenAt } from '../wire/raw-json.ts';
import type { Contract, ContractOperation, SchemaFaults } from '../document/schema.ts';
import { NO_SCHEMA_FAULTS, UNKNOWN_SCHEMA_FAULTS } from '../document/schema.ts';

/** More of a value is not shown in a finding. */
const RAW_CHARACTERS = 400;

/** Node receives header fields of half as many characters at most. */
const MAX_HEADER_CHARACTERS = 32_768;

function first(headers: HeaderList): HeaderList {
  let left = MAX_HEADER_CHARACTERS;
  const beyond = headers.findIndex(([name, value]) => {
    left -= name.length + value.length;
    return left < 0;
  });
  return beyond < 0 ? headers : headers.slice(0, beyond);
}

const NOT_UTF_8: ParsedJson = { kind: 'none', problem: 'the body is not UTF-8 text' };
const EMPTY: ParsedJson = { kind: 'none', problem: 'the body is empty' };

function parsedOf(text: string): ParsedJson {
  return text === '' ? EMPTY : parseJson(text);
}

function isHeadOfGet(method: string, operation: ContractOperation | undefined): boolean {
  return operation?.method === 'GET' && method.toUpperCase() === 'HEAD';
}

/** Something that is computed from an exchange once, for all rules that need it. */
export interface Memo<T> {
  /** Its place among the memos of a view. */
  readonly slot: number;
  readonly compute: (view: View) => T;
}

let slots = 0;

/** @param compute what a view computes when a rule first asks for it; null for nothing */
export function memoOf<T extends object>(compute: (view: View) => T | null): Memo<T | null> {
  return { slot: slots++, compute };
}

/** What is known of an exchange beside it. */
export interface ViewOptions {
  /** That of its request, if it was read before. */
  readonly requestReading?: RequestReading | undefined;
  /** Statuses of rejections by a limit besides those of section 7, by whoever ran it. */
  readonly throttleStatuses?: readonly number[];
}

/** An exchange as rules see it: parsed once, whatever number of rules look at it. */
export class View {
  readonly exchange: Exchange;
  /**
   * The documented operation that the request addressed, if any. None for HEAD of a GET, since what
   * the contract states of an answer is of its content.
   */
  readonly operation: ContractOperation | undefined;
  /** The response status, or 0 when there was no response. */
  readonly status: number;
  readonly throttled: boolean;
  /** The response body as text; empty when there was none or it is not UTF-8. */
  readonly text: string;
  /** The parsed response body; undefined when it is not JSON, or {@link View.isTooMuch}. */
  readonly json: unknown;

  readonly #parsed: ParsedJson;
  #isTooMuch: boolean | undefined;
  readonly #errors: ErrorReading;
  #index: JsonIndex | undefined;
  #requestReading: RequestReading | undefined;
  #responseHeaders: HeaderList | undefined;
  readonly #memos: unknown[] = [];
  #schemaFaults: SchemaFaults | undefined;

  /** @param contract names the operation, and says how errors read */
  constructor(
    exchange: Exchange,
    contract: Pick<Contract, 'find' | 'errors'>,
    { requestReading, throttleStatuses = [] }: ViewOptions = {},
  ) {
    this.exchange = exchange;
    const { api, request } = exchange;
    const found = contract.find(api, request.method, request.path);
    this.operation = isHeadOfGet(request.method, found) ? undefined : found;
    this.#errors = contract.errors;
    this.#requestReading = requestReading;
    const { outcome } = exchange;
    const body = outcome.kind === 'response' ? outcome.response.body : undefined;
    this.status = outcome.kind === 'response' ? outcome.response.status : 0;
    this.text = body?.encoding === 'utf8' ? body.text : '';
    this.#parsed = body?.encoding === 'base64' ? NOT_UTF_8 : parsedOf(this.text);
    if (this.#parsed.kind === 'json') this.json = this.#parsed.value;
    this.throttled =
      contract.errors.isThrottled(this.status, this.json) || throttleStatuses.includes(this.status);
  }

  /** Whether the response body is JSON, but more of it than is parsed: then nothing is known of it. */
  get isTooMuch(): boolean {
    this.#isTooMuch ??= this.#parsed.kind === 'too much' && walkJson(this.text, {});
    return this.#isTooMuch;
  }

  /** Whether the response body is JSON, parsed or not. */
  get isJson(): boolean {
    return this.#parsed.kind === 'json' || this.isTooMuch;
  }

  /** Why the response body is not JSON, or not parsed. */
  get jsonError(): string | undefined {
    const parsed = this.#parsed;
    if (parsed.kind === 'json') return undefined;
    const isMore = parsed.kind === 'too much' && !this.isTooMuch;
    return isMore ? `no JSON, and ${parsed.problem}` : parsed.problem;
  }

  /** Whether the answer is a success that says something, that is 2xx. */
  get succeeded(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  /** The error code that the body carries, if any. */
  get errorCode(): string | undefined {
    return this.#errors.codeOf(this.json);
  }

  /** The response header fields; of a record that holds more than any client takes, the first. */
  get responseHeaders(): HeaderList {
    if (this.#responseHeaders === undefined) {
      const { outcome } = this.exchange;
      this.#responseHeaders = outcome.kind === 'response' ? first(outcome.response.headers) : [];
    }
    return this.#responseHeaders;
  }

  /** The first value of a response header field, its name compared without case. */
  header(name: string): string | undefined {
    return headerOf(this.responseHeaders, name);
  }

  /** What rules read in the request, for whoever keeps what follows from the request alone. */
  get requestReading(): RequestReading {
    return (this.#requestReading ??= new RequestReading(this.exchange.request));
  }

  /** The request body parsed as JSON; undefined when there is none or it is not JSON. */
  get requestJson(): unknown {
    return this.requestReading.json;
  }

  /** The query parameters of the request. */
  get query(): URLSearchParams {
    return this.requestReading.query;
  }

  /** The media type that the response says it has. */
  get contentType(): string | undefined {
    return this.header('content-type');
  }

  /** Whether the contract states a schema for this response body. */
  get isBodyStated(): boolean {
    return this.operation?.statesBodyAs(this.status, this.contentType) === true;
  }

  /** Where the response body departs from the schema that the contract states for it. */
  get schemaFaults(): SchemaFaults {
    if (this.isTooMuch) return UNKNOWN_SCHEMA_FAULTS;
    this.#schemaFaults ??=
      this.operation?.faultsOf(this.status, this.json, this.contentType, this.text) ??
      NO_SCHEMA_FAULTS;
    return this.#schemaFaults;
  }

  /** What the memo computes from this exchange; computed when first asked for. */
  get<T>({ slot, compute }: Memo<T>): T {
    const found = this.#memos[slot] as T | undefined;
    if (found !== undefined) return found;
    const value = compute(this);
    this.#memos[slot] = value;
    return value;
  }

  /** The raw text of the value at a JSON pointer of the response body, `nothing` where none is. */
  raw(pointer: string): string {
    if (this.json === undefined) return 'nothing';
    if (pointer.length > MAX_POINTER_CHARACTERS) return 'what stands under a very long key';
    this.#index ??= new JsonIndex(this.text);
    return excerpt(rawTokenAt(this.#index, pointer) ?? 'nothing', RAW_CHARACTERS);
  }
}
