import type { RecordedRequest } from '../wire/exchange.ts';
import { jsonOrUndefined } from '../wire/parse-json.ts';

/** Something that is computed from a request once, for all answers to it. */
export interface RequestMemo<T> {
  /** Its place among the memos of a reading. */
  readonly slot: number;
  readonly compute: (reading: RequestReading) => T;
}

let slots = 0;

/** @param compute what a reading computes when it is first asked for; null for nothing */
export function requestMemoOf<T extends object>(
  compute: (reading: RequestReading) => T | null,
): RequestMemo<T | null> {
  return { slot: slots++, compute };
}

/** What rules read in a request, whatever was answered to it: read once, when first asked for. */
export class RequestReading {
  readonly #request: RecordedRequest;
  #json: { readonly value: unknown } | undefined;
  #query: URLSearchParams | undefined;
  readonly #memos: unknown[] = [];

  constructor(request: RecordedRequest) {
    this.#request = request;
  }

  /** The body parsed as JSON; undefined when there is none or it is not JSON. */
  get json(): unknown {
    const { body } = this.#request;
    this.#json ??= { value: body === null ? undefined : jsonOrUndefined(body.text) };
    return this.#json.value;
  }

  /** The query parameters. */
  get query(): URLSearchParams {
    this.#query ??= new URLSearchParams(this.#request.path.split('?')[1] ?? '');
    return this.#query;
  }

  /** What the memo computes from this request; computed when first asked for. */
  get<T>({ slot, compute }: RequestMemo<T>): T {
    const found = this.#memos[slot] as T | undefined;
    if (found !== undefined) return found;
    const value = compute(this);
    this.#memos[slot] = value;
    return value;
  }
}

/** More requests are not kept: a load run sends some hundred different ones again and again. */
const MAX_REQUESTS = 512;

/**
 * Readings of requests that are sent again and again, by the recorded request itself. One that is made
 * again, such as one with a key of its own, is read again. Recorded requests are never changed.
 */
export class RequestReadings {
  readonly #readings = new Map<RecordedRequest, RequestReading>();

  of(request: RecordedRequest): RequestReading {
    let reading = this.#readings.get(request);
    if (reading === undefined) {
      if (this.#readings.size >= MAX_REQUESTS) this.#readings.clear();
      reading = new RequestReading(request);
      this.#readings.set(request, reading);
    }
    return reading;
  }
}
