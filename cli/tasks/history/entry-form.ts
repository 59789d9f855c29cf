import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { VERDICTS } from '../../../contracts/run/run.ts';
import { type HistoryEntry, MAX_OF_ENTRY } from '../../../contracts/history/run-history.ts';

/** One line of the index: a run, and which state of its summary that was taken from. */
export interface IndexLine {
  readonly summary: { readonly bytes: number; readonly mtimeMs: number };
  readonly entry: HistoryEntry;
}

const number = { type: 'number' };
const count = { type: 'integer', minimum: 0 };
const text = { type: 'string', maxLength: MAX_OF_ENTRY.characters };
const digest = { type: 'string', pattern: '^[0-9a-f]{1,64}$' };
const list = (items: object, maxItems: number): object => ({ type: 'array', items, maxItems });
const object = (properties: object, required = Object.keys(properties)): object => ({
  ...{ type: 'object', properties, required, additionalProperties: false },
});
const map = (value: object, maxProperties: number, keyLength = 300): object => ({
  ...{ type: 'object', additionalProperties: value, maxProperties },
  propertyNames: { maxLength: keyLength },
});

const limit = object(
  {
    ...{ api: text, scope: text, verdict: text, algorithms: list(text, 50) },
    ...{ limit: number, windowSeconds: number, burst: number, refillPerSecond: number },
  },
  ['api', 'scope', 'verdict', 'algorithms'],
);

const entry = {
  schemaVersion: { const: 1 },
  run: text,
  id: { ...text, minLength: 1 },
  startedAt: {
    type: 'string',
    pattern: '^\\d{4}-\\d\\d-\\d\\dT[0-9:.]{5,16}(Z|[+-]\\d\\d:\\d\\d)$',
  },
  kind: { enum: ['check', 'limits', 'load'] },
  outcome: { enum: ['conforms', 'does-not-conform', 'undecided'] },
  complete: { type: 'boolean' },
  tool: digest,
  contract: digest,
  profile: { enum: ['gate', 'nightly', 'release'] },
  seed: number,
  choice: { type: 'string', maxLength: 100_000 },
  target: object({
    kind: { enum: ['reference', 'remote'] },
    urls: map({ type: 'string', maxLength: 2_000 }, 20),
  }),
  labels: map(text, MAX_OF_ENTRY.labels),
  outages: list(text, MAX_OF_ENTRY.operations),
  atTimes: list(
    object({ api: text, operation: text, kind: { enum: ['failed', 'refused'] }, count, of: count }),
    MAX_OF_ENTRY.operations,
  ),
  ofOutage: list(text, MAX_OF_ENTRY.rules),
  brokenBy: list({ enum: ['rule', 'threshold', 'slower'] }, 3),
  judged: object(
    Object.fromEntries(VERDICTS.map((verdict) => [verdict, list(count, MAX_OF_ENTRY.rules)])),
    [],
  ),
  rates: map(object({ broken: count, judged: count }), MAX_OF_ENTRY.rules),
  intermittent: list(text, MAX_OF_ENTRY.rules),
  brokenAt: map(list(text, MAX_OF_ENTRY.operations), MAX_OF_ENTRY.rules),
  judgedAt: map(map(count, MAX_OF_ENTRY.operations), MAX_OF_ENTRY.rules),
  verdicts: object(
    Object.fromEntries(VERDICTS.map((verdict) => [verdict, list(text, MAX_OF_ENTRY.rules)])),
    [],
  ),
  latencies: list(
    object({ operation: text, count, p50Ms: number, p95Ms: number }),
    MAX_OF_ENTRY.operations,
  ),
  limits: list(limit, MAX_OF_ENTRY.limits),
  ledger: map(list(text, MAX_OF_ENTRY.observations), MAX_OF_ENTRY.unspecified),
  ledgerCut: list(text, MAX_OF_ENTRY.unspecified),
};
const OPTIONAL = [
  ...[
    'choice',
    'labels',
    'outages',
    'atTimes',
    'ofOutage',
    'brokenBy',
    'judged',
    'rates',
    'intermittent',
  ],
  ...['brokenAt', 'judgedAt'],
];

const SCHEMA = object({
  summary: object({ bytes: count, mtimeMs: number }),
  entry: object(
    entry,
    Object.keys(entry).filter((name) => !OPTIONAL.includes(name)),
  ),
});

let compiled: ValidateFunction | undefined;

/** A line of the index, whoever wrote it; undefined if it is none. */
export function indexLineOf(value: unknown): IndexLine | undefined {
  compiled ??= new Ajv2020({ strict: false, logger: false }).compile(SCHEMA);
  if (!compiled(value)) return undefined;
  const line = value as IndexLine;
  return Number.isNaN(Date.parse(line.entry.startedAt)) ? undefined : line;
}
