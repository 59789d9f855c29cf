import { isObject } from '../../contracts/wire/json.ts';
import { faultFinder, listOf, objectOf } from '../schema-fault.ts';
import type { Night, NightLoad } from './night.ts';

const number = { type: 'number', minimum: 0 };
const count = { type: 'integer', minimum: 0 };
const text = { type: 'string', maxLength: 300 };

// Of no answer there are no figures; records of earlier versions have zeros.
const latency = {
  ...objectOf({ count, p50Ms: number, p95Ms: number, p99Ms: number }, ['count']),
  if: { properties: { count: { minimum: 1 } } },
  then: { required: ['p50Ms', 'p95Ms', 'p99Ms'] },
};
const counts = objectOf({ sent: count, served: count });
// Some kilobytes; the bound is what a histogram of a million different values would take.
const histogram = { type: 'string', maxLength: 1_000_000 };
const row = objectOf({ counts, latency, histogram }, ['counts', 'latency']);

/** What of `run.json` is read here. What else it holds is nobody's business here. */
const SCHEMA = objectOf({
  startedAt: {
    type: 'string',
    pattern: '^\\d{4}-\\d\\d-\\d\\dT[0-9:.]{5,16}(Z|[+-]\\d\\d:\\d\\d)$',
  },
  complete: { type: 'boolean' },
  tool: objectOf({ version: text }),
  record: objectOf({ id: text }),
  target: objectOf({
    kind: { enum: ['reference', 'remote'] },
    urls: {
      type: 'object',
      maxProperties: 20,
      additionalProperties: { type: 'string', maxLength: 2000 },
    },
  }),
  load: objectOf(
    {
      scenario: text,
      engine: objectOf({ name: text, version: text }),
      whole: row,
      steps: listOf(objectOf({ name: text, seconds: number, offeredPerSecond: number }), 1000),
      operations: listOf(objectOf({ operation: text, counts, latency }), 1000),
      moments: listOf(
        objectOf({ admitted: count, p50Ms: number, p95Ms: number, p99Ms: number }, ['admitted']),
        100_000,
      ),
      invalid: listOf({ type: 'string' }, 1000),
      machine: objectOf({
        platform: text,
        arch: text,
        cpuModel: text,
        cores: count,
        memoryBytes: count,
        node: text,
      }),
      part: objectOf({ index: count, of: count }),
      rounds: listOf(
        objectOf(
          {
            target: latency,
            control: latency,
            operations: { type: 'object', maxProperties: 200, additionalProperties: latency },
          },
          ['target', 'control'],
        ),
        100,
      ),
      countedRounds: count,
      warmUpSeconds: { type: 'number', minimum: 0, maximum: 1e9 },
      limiter: objectOf({ throttled: count, sent: count }),
    },
    ['scenario', 'engine', 'whole', 'steps', 'operations', 'moments', 'invalid'],
  ),
});

const faultOf = faultFinder(() => SCHEMA);

/** What a `run.json` is to a comparison. */
export type ReadNight =
  | { readonly kind: 'night'; readonly night: Night }
  /** `no-load`: no record, or the run of another command. */
  | { readonly kind: 'no-load' | 'unreadable'; readonly reason: string };

/** What a comparison reads of `run.json`; its members are checked, as others may have written it. */
interface ReadRun {
  readonly startedAt: string;
  readonly complete: boolean;
  readonly tool: { readonly version: string };
  readonly record: { readonly id: string };
  readonly target: Night['target'];
  readonly load: NightLoad;
}

/**
 * A run as a night of a trend.
 *
 * @param run what `run.json` holds, whoever wrote it
 * @param name of its folder
 */
export function readNight(run: unknown, name: string): ReadNight {
  if (isObject(run) && !Object.hasOwn(run, 'load')) {
    return { kind: 'no-load', reason: 'it is the record of no load run' };
  }
  const fault = faultOf(run);
  if (fault !== undefined) {
    return { kind: 'unreadable', reason: `it is no record of a load run: ${fault}` };
  }
  const { startedAt, complete, tool, record, target, load } = run as ReadRun;
  if (Number.isNaN(Date.parse(startedAt))) {
    return { kind: 'unreadable', reason: `it began at ${startedAt}, which is no time` };
  }
  return {
    kind: 'night',
    night: { run: name, id: record.id, startedAt, complete, tool: tool.version, target, load },
  };
}
