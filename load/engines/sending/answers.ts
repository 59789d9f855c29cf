import { type Fate, fateOfStatus } from '../../../contracts/run/load/fates.ts';
import type { ErrorReading } from '../../../contracts/wire/error-reading.ts';
import type { Exchange, HeaderList, Outcome } from '../../../contracts/wire/exchange.ts';
import { jsonOrUndefined } from '../../../contracts/wire/parse-json.ts';
import { bodyOf } from '../../../fixtures/target/body/body.ts';
import { decodeContent } from '../../../fixtures/target/transport/content-encoding.ts';
import type { Sample } from '../load-sink.ts';
import type { Flight, Landing } from './flight.ts';

const ENCODING = 'content-encoding';

/** Whether a content coding has to be undone, which takes a while. */
export function isEncoded(landing: Landing): boolean {
  if (landing.kind === 'failure' || landing.body.length === 0) return false;
  const { rawHeaders } = landing;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    // Few fields have names of that length.
    if (name?.length === ENCODING.length && name.toString('latin1').toLowerCase() === ENCODING) {
      return true;
    }
  }
  return false;
}

/** The landing with its body decoded; more than the cap is a failure before it is unpacked. */
export async function decodedLanding(landing: Landing, maxBodyBytes: number): Promise<Landing> {
  if (landing.kind === 'failure') return landing;
  const headers = headerListOf(landing.rawHeaders);
  const result = await decodeContent(headers, landing.body, maxBodyBytes);
  if (result.kind === 'failure') return { ...result, fate: 'brokenOff' };
  const { body } = result;
  return { ...landing, body: Buffer.from(body.buffer, body.byteOffset, body.byteLength) };
}

/** What became of a request that the target had, and the parsed body of what may be a throttled answer. */
export function fateOf(
  landing: Landing,
  isThrottled: ErrorReading['isThrottled'],
): { readonly fate: Fate; readonly json?: unknown } {
  if (landing.kind === 'failure') {
    return { fate: landing.fate === 'unsent' ? 'unanswered' : landing.fate };
  }
  const { status, body } = landing;
  const fate = fateOfStatus(status);
  if (status < 400) return { fate };
  const json = jsonOrUndefined(body.toString('utf8'));
  return { fate: isThrottled(status, json) ? 'throttled' : fate, json };
}

/** As an exchange has it, nothing redacted yet. */
export function outcomeOf(landing: Landing): Outcome {
  if (landing.kind === 'failure') {
    const { kind, failure, message } = landing;
    return { kind, failure, message };
  }
  const { status, rawHeaders, body } = landing;
  return {
    kind: 'response',
    response: { status, headers: headerListOf(rawHeaders), body: bodyOf(body) },
  };
}

/** What is reported of a flight besides its answer. */
export type Flown = Pick<Flight, 'plan' | 'ready' | 'number' | 'calledMs' | 'wireMs'>;

/** What a flight came to, as engines tell it. */
export function sampleOf(
  { plan, ready, calledMs, wireMs }: Flown,
  fate: Fate,
  status: number,
  endMs: number,
): Sample {
  const { slot, step, client, dueMs, firstDueMs } = plan;
  const { operation } = ready.prepared;
  // Nearly all are of the first kind; spreading parts costs more than all the rest.
  if (wireMs !== undefined && firstDueMs === undefined) {
    return { slot, step, operation, client, dueMs, calledMs, wireMs, endMs, fate, status };
  }
  return {
    ...{ slot, step, operation, client, dueMs, calledMs, endMs, fate, status },
    ...(wireMs === undefined ? {} : { wireMs }),
    ...(firstDueMs === undefined ? {} : { firstDueMs }),
  };
}

/** The exchange of a flight, redacted as the client's are; its id grows with what was sent before. */
export function exchangeOf(
  { ready, number, calledMs, wireMs = calledMs }: Flown,
  landing: Landing,
  { startMs, endMs }: { readonly startMs: number; readonly endMs: number },
): Exchange {
  const { sent, outcome } = ready.redacted();
  return {
    id: `x${String(number).padStart(5, '0')}`,
    api: sent.api,
    purpose: sent.purpose,
    relations: sent.relations,
    request: sent.request,
    outcome: outcome(outcomeOf(landing)),
    sentAtMs: roundToMicros(startMs + wireMs),
    latencyMs: roundToMicros(endMs - wireMs),
  };
}

/** Times are measured no finer; more digits would only make records longer. */
function roundToMicros(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}

/** The raw fields as pairs; header bytes are Latin-1 (RFC 9110 section 5.5). */
export function headerListOf(raw: readonly Buffer[]): HeaderList {
  const [first, last] = [raw[0], raw.at(-1)];
  if (first === undefined || last === undefined) return [];
  // Nearly always the fields stand side by side in what came in: decoded together, in one call.
  const { buffer, byteOffset } = first;
  const length = last.byteOffset + last.length - byteOffset;
  const isOne = last.buffer === buffer && length > 0 && length <= MAX_TOGETHER;
  const together = isOne ? Buffer.from(buffer, byteOffset, length).toString('latin1') : '';
  const textOf = (part: Buffer): string => {
    const start = part.byteOffset - byteOffset;
    const end = start + part.length;
    return part.buffer === buffer && start >= 0 && end <= together.length
      ? together.slice(start, end)
      : part.toString('latin1');
  };
  const pairs: [string, string][] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    pairs.push([textOf(raw[at] ?? NONE), textOf(raw[at + 1] ?? NONE)]);
  }
  return pairs;
}

const NONE = Buffer.alloc(0);
/** Header fields that are longer together are decoded one by one. */
const MAX_TOGETHER = 65_536;
