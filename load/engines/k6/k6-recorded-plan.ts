import { createHash } from 'node:crypto';
import { jsonOrUndefined } from '../../../contracts/wire/parse-json.ts';
import type { K6Plan, PlannedRequest } from '../../k6/plan.ts';
import { choiceOf, PLAN_FILES, planText } from '../../k6/plan.ts';
import { scheduleOf } from '../../scenarios/schedule.ts';
import { faultFinder, listOf, objectOf } from '../../schema-fault.ts';
import type { LoadJob, PreparedRequest } from '../../engine.ts';
import type { PlannedRun } from './k6-plan.ts';
import { PLAIN_ERRORS } from '../../../contracts/wire/error-reading.ts';
import { API_NAME_PATTERN } from '../../../contracts/wire/exchange.ts';

/** What a run was to do, as far as its samples must be read by it. */
export interface RecordedPlan {
  readonly job: Omit<LoadJob, 'sink' | 'signal'>;
  readonly judgeShare: number;
  /** Ids of the rules that judged, as far as k6 has them. */
  readonly rules: ReadonlySet<string>;
  /** Digest, in hex, that the script reports of the plan that it was handed. */
  readonly digest: string;
}

const text = { type: 'string', maxLength: 100_000 };
const rate = { type: 'number', minimum: 0, maximum: 1e9 };
const whole = { type: 'integer', minimum: 1, maximum: 1e9 };

const step = objectOf({
  name: text,
  seconds: { type: 'number', exclusiveMinimum: 0, maximum: 1e7 },
  fromPerSecond: rate,
  toPerSecond: rate,
});
const scenario = objectOf({
  name: { ...text, minLength: 1 },
  purpose: text,
  steps: listOf(step, 1000, 1),
  mix: { type: 'object', maxProperties: 1000, additionalProperties: rate },
  clients: objectOf({ kind: { enum: ['one', 'keys'] }, count: whole }),
  onThrottle: { const: 'go-on' },
  endsWhenBroken: { type: 'boolean' },
  ceilings: objectOf({ requests: whole, seconds: { type: 'number', exclusiveMinimum: 0 } }),
});
const SCHEMA = objectOf({
  'plan.json': objectOf({
    // k6 runs none that keeps no schedule.
    scenario: { ...scenario, not: { required: ['pace'] } },
    judgeShare: { type: 'number', minimum: 0, maximum: 1 },
    // Without a list nothing bounds what samples may call a rule.
    rules: { type: 'array', items: text, maxItems: 10_000 },
    timeoutMs: whole,
  }),
  'requests.json': listOf(
    objectOf({
      operation: { ...text, minLength: 1 },
      api: { type: 'string', pattern: API_NAME_PATTERN },
      method: text,
      path: text,
      purpose: objectOf({ kind: text }),
    }),
    46_656,
    1,
  ),
  'choices.json': listOf({ type: 'string', maxLength: 1000 }, 100_000, 1),
});
const faultOf = faultFinder(() => SCHEMA);

/**
 * The plan that was handed to k6, from its files: those of a ConfigMap, or beside a script. They may come
 * from anywhere.
 *
 * @throws {TypeError} when they are not as `planForK6` makes them; the message is a clause
 */
export function recordedPlan(files: PlannedRun['files']): RecordedPlan {
  const parsed = Object.fromEntries(PLAN_FILES.map((name) => [name, jsonOrUndefined(files[name])]));
  const fault = faultOf(parsed);
  if (fault !== undefined) throw new TypeError(fault);
  const plan = parsed['plan.json'] as K6Plan;
  const choices = parsed['choices.json'] as readonly string[];
  const requests = (parsed['requests.json'] as readonly PlannedRequest[]).map(
    ({ operation, api, method, path, purpose }): PreparedRequest => ({
      operation,
      request: { api, method, path, purpose },
    }),
  );
  const schedule = scheduleOf(plan.scenario);
  const choose = (slot: number): PreparedRequest => {
    const chosen = requests[choiceOf(choices, slot)];
    if (chosen === undefined) throw new TypeError(`the plan has no request for slot ${slot}`);
    return chosen;
  };
  // The last is chosen first: a schedule may be of any length.
  if (schedule.slots === 0) throw new TypeError('the plan sends nothing');
  for (let slot = schedule.slots - 1; slot >= 0; slot -= 1) choose(slot);
  const { timeoutMs, rules } = plan;
  return {
    job: {
      ...{ scenario: plan.scenario, schedule, requests, choose, timeoutMs },
      isThrottled: PLAIN_ERRORS.isThrottled,
      waitIn: PLAIN_ERRORS.waitIn,
      ...{ maxBodyBytes: 0, connections: 0 },
    },
    judgeShare: plan.judgeShare,
    rules: new Set(rules),
    digest: planDigestOf(files),
  };
}

/** As the script reports it. */
export function planDigestOf(files: PlannedRun['files']): string {
  return sha256(planText(PLAN_FILES.map((name) => sha256(files[name]))));
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
