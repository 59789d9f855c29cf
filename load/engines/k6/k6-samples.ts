import { isObject, member } from '../../../contracts/wire/json.ts';
import { jsonOrUndefined } from '../../../contracts/wire/parse-json.ts';
import { METRICS } from '../../k6/plan.ts';

/** One point of a metric, as k6 writes it with `--out json`. */
export interface K6Point {
  readonly metric: string;
  /** Milliseconds since the epoch, to the microsecond. */
  readonly timeMs: number;
  readonly value: number;
  readonly tags: Readonly<Record<string, string>>;
  readonly metadata: Readonly<Record<string, string>>;
}

const WANTED: ReadonlySet<string> = new Set([
  'http_req_duration',
  'dropped_iterations',
  METRICS.violations,
  METRICS.errorAnswers,
  METRICS.crashes,
  METRICS.judging,
  METRICS.plans,
]);
const BEGIN = '{"metric":"';
const LONGEST_NAME = Math.max(...[...WANTED].map((name) => name.length));
const NEWLINE = 0x0a;
const QUOTE = 0x22;
/** An exchange that was handed out, escaped twice, is the longest there is. */
const MAX_LINE_BYTES = 2_097_152;

/**
 * Finds the points of the metrics that are needed in what k6 writes, which holds thirteen of each request.
 * Lines of others are not parsed, and no more than one line is kept.
 */
export class K6PointReader {
  readonly #onPoint: (point: K6Point) => void;
  #rest: Buffer[] = [];
  #restBytes = 0;
  #isTooLong = false;
  /** Lines that were too long, or were no points although they began as such. */
  unread = 0;
  /** Lines so far, of whatever they are. */
  lines = 0;

  constructor(onPoint: (point: K6Point) => void) {
    this.#onPoint = onPoint;
  }

  /** Takes the next bytes. */
  push(chunk: Buffer): void {
    let at = 0;
    for (;;) {
      const end = chunk.indexOf(NEWLINE, at);
      if (end < 0) break;
      this.lines += 1;
      this.#line(this.#completed(chunk.subarray(at, end)));
      at = end + 1;
    }
    if (at === chunk.length || this.#isTooLong) return;
    this.#restBytes += chunk.length - at;
    if (this.#restBytes > MAX_LINE_BYTES) {
      this.#isTooLong = true;
      this.#rest = [];
    } else {
      // Copied: a slice would keep the whole chunk.
      this.#rest.push(Buffer.from(chunk.subarray(at)));
    }
  }

  #completed(last: Buffer): Buffer | undefined {
    const isWhole = !this.#isTooLong;
    const line = this.#rest.length === 0 ? last : Buffer.concat([...this.#rest, last]);
    this.#rest = [];
    this.#restBytes = 0;
    this.#isTooLong = false;
    return isWhole ? line : undefined;
  }

  #line(line: Buffer | undefined): void {
    if (line === undefined) {
      this.unread += 1;
      return;
    }
    const metric = metricOf(line);
    if (metric === undefined) return;
    const point = pointOf(metric, jsonOrUndefined(line.toString('utf8')));
    if (point === undefined) this.unread += 1;
    else this.#onPoint(point);
  }
}

/** The wanted metric that a line begins with. */
function metricOf(line: Buffer): string | undefined {
  const from = BEGIN.length;
  const end = line.indexOf(QUOTE, from);
  if (end < 0 || end - from > LONGEST_NAME) return undefined;
  const begin = line.toString('latin1', 0, end);
  if (!begin.startsWith(BEGIN)) return undefined;
  const name = begin.slice(from);
  return WANTED.has(name) ? name : undefined;
}

function pointOf(metric: string, json: unknown): K6Point | undefined {
  const data = member(json, 'data');
  if (!isObject(data)) return undefined;
  const { time, value, tags, metadata } = data;
  const timeMs = typeof time === 'string' ? millisecondsOf(time) : NaN;
  if (typeof value !== 'number' || !Number.isFinite(timeMs)) return undefined;
  return { metric, timeMs, value, tags: textsOf(tags), metadata: textsOf(metadata) };
}

/** RFC 3339 with up to nine digits of a second. */
function millisecondsOf(time: string): number {
  const [, whole, digits = '', zone] =
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/.exec(time) ?? [];
  if (whole === undefined || zone === undefined) return NaN;
  return Date.parse(`${whole}${zone}`) + Number(`0.${digits || '0'}`) * 1000;
}

function textsOf(value: unknown): Readonly<Record<string, string>> {
  const isTexts = isObject(value) && Object.values(value).every((one) => typeof one === 'string');
  return isTexts ? (value as Readonly<Record<string, string>>) : {};
}
