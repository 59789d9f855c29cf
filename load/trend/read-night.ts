import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { isObject } from '../../contracts/wire/json.ts';
import type { Night, NightLoad } from './night.ts';

const number = { type: 'number', minimum: 0 };
const count = { type: 'integer', minimum: 0 };
const text = { type: 'string', maxLength: 300 };
const object = (properties: object, required = Object.keys(properties)): object => ({
  type: 'object',
  properties,
  required,
});
const list = (items: object, maxItems: number): object => ({ type: 'array', items, maxItems });

const latency = object({ count, p50Ms: number, p95Ms: number, p99Ms: number });
const counts = object({ sent: count, served: count });
// Some kilobytes; the bound is what a histogram of a million different values would take.
const histogram = { type: 'string', maxLength: 1_000_000 };
const row = object({ counts, latency, histogram }, ['counts', 'latency']);

/** What of `run.json` is read here. What else it holds is nobody's business here. */
const SCHEMA = object(
  {
    startedAt: {
      type: 'string',
      pattern: '^\\d{4}-\\d\\d-\\d\\dT[0-9:.]{5,16}(Z|[+-]\\d\\d:\\d\\d)$',
    },
    complete: { type: 'boolean' },
    tool: object({ version: text }),
    record: object({ id: text }),
    target: object({
      kind: { enum: ['reference', 'remote'] },
      urls: {
        type: 'object',
        maxProperties: 20,
        additionalProperties: { type: 'string', maxLength: 2000 },
      },
    }),
    load: object(
      {
        scenario: text,
        engine: object({ name: text, version: text }),
        whole: row,
        steps: list(object({ name: text, seconds: number, offeredPerSecond: number }), 1000),
        operations: list(object({ operation: text, counts, latency }), 1000),
        moments: list(
          object({ admitted: count, p50Ms: number, p95Ms: number, p99Ms: number }, ['admitted']),
          100_000,
        ),
        invalid: list({ type: 'string' }, 1000),
        machine: object({
          platform: text,
          arch: text,
          cpuModel: text,
          cores: count,
          memoryBytes: count,
          node: text,
        }),
        part: object({ index: count, of: count }),
        rounds: list(
          object(
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
        limiter: object({ throttled: count, sent: count }),
      },
      ['scenario', 'engine', 'whole', 'steps', 'operations', 'moments', 'invalid'],
    ),
  },
  ['startedAt', 'complete', 'tool', 'record', 'target', 'load'],
);

let compiled: ValidateFunction | undefined;

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
  compiled ??= new Ajv2020({ strict: false, logger: false }).compile(SCHEMA);
  if (!compiled(run)) {
    const fault: Partial<ErrorObject> = compiled.errors?.[0] ?? {};
    const { instancePath: place = '', message = 'is wrong' } = fault;
    const words = `${place === '' ? 'it' : place} ${message}`;
    return { kind: 'unreadable', reason: `it is no record of a load run: ${words}` };
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
