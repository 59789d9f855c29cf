/** What k6 runs: sends the request of each slot at its time, and judges the answer. */

import '../stand-ins-first.ts';
import { check } from 'k6';
import crypto from 'k6/crypto';
import { SharedArray } from 'k6/data';
import exec from 'k6/execution';
import http from 'k6/http';
import { Counter, Rate } from 'k6/metrics';
import {
  exchangeIn,
  headersToSend,
  type JudgeInK6,
  type K6Response,
  type LoneJudgement,
  withoutSecrets,
} from '../exchange.ts';
import { withOwnKey } from '../fresh-key.ts';
import { machineFailureOfK6 } from '../machine-failure.ts';
import type { K6Plan, PlannedRequest } from '../plan.ts';
import {
  affordableShare,
  choiceOf,
  isInShare,
  METRICS,
  PLAN_FILES,
  planText,
  stepOfScenario,
} from '../plan.ts';

const plan = JSON.parse(open('./plan.json')) as K6Plan;
/** Of the files as they lie beside the script, made once for all VUs. */
const digests = new SharedArray<string>('digests', () => [
  planText(PLAN_FILES.map((name) => sha256(open(`./${name}`)))),
]);
const requests = listIn('requests') as readonly PlannedRequest[];
const choices = listIn('choices') as readonly string[];

export const options: K6Plan['options'] = plan.options;

const violations = new Counter(METRICS.violations);
const errorAnswers = new Counter(METRICS.errorAnswers);
const crashes = new Counter(METRICS.crashes);
const plans = new Counter(METRICS.plans);
const judging = new Counter(METRICS.judging);
const errors = new Rate(METRICS.errors);

const chosen = plan.rules === null ? undefined : new Set(plan.rules);
/** How many exchanges this VU has handed out, by rule and step. */
const handedOut = new Map<string, number>();
const MAX_CHARACTERS = 300;
let hasReportedPlan = false;
/** What judging an answer by all rules took this VU: k6 has no clock finer than milliseconds, so a sum of many. */
const byAll = { answers: 1, ms: 1 };
let loaded: JudgeInK6 | undefined;

/**
 * The rules, which take a VU 25 to 55 ms of CPU: those that stand ready load them before the first request. One that
 * k6 adds while it is late has no time for that, so it judges nothing, and an error alone has it look at the body.
 */
function judge(): JudgeInK6 {
  // An import would load it in each VU, and a dynamic one late.
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  return (loaded ??= require('assay:judge').judge);
}
const isReady = __VU <= plan.readyVus;
if (__VU > 0 && isReady) judge();

/** One iteration. k6 takes an exception in one for a success: here it is counted, and fails the test. */
export default function iteration(): void {
  try {
    sendOne();
  } catch (error) {
    const why = String(error).slice(0, MAX_CHARACTERS);
    crashes.add(1, { why });
    exec.test.fail(why);
  }
}

function sendOne(): void {
  if (!hasReportedPlan) plans.add(1, { plan: sha256(digests[0] ?? '') });
  hasReportedPlan = true;
  const step = stepOfScenario(exec.scenario.name);
  const slot = (plan.firstSlots[step] ?? 0) + exec.scenario.iterationInTest;
  const planned = requests[choiceOf(choices, slot)];
  // Of a run of the wrong number of iterations the rest stands for nothing.
  if (planned === undefined) throw new Error(`there is no request for slot ${slot}`);
  const headers = withOwnKey(planned.headers, `${plan.run}\n${slot}`, sha256);
  const { metadata } = exec.vu.metrics;
  const calledAtMs = Date.now();
  metadata.slot = String(slot);
  metadata.called = String(calledAtMs);
  metadata.begin = String(exec.scenario.startTime);
  const isWhole = isReady && plan.judgeShare > 0 && isInShare(slot, shareNow(calledAtMs));
  metadata.judged = isWhole ? 'all' : isReady ? 'card' : 'none';
  const response = http.request(planned.method, planned.url, planned.body, {
    headers: headersToSend(headers, __ENV),
    redirects: 0,
    responseType: 'text',
    timeout: plan.timeoutMs,
    tags: { name: planned.operation },
  });
  if (response.status === 0) {
    const isOfMachine = machineFailureOfK6(response.error) !== undefined;
    if (plan.countsErrors && !isOfMachine) errors.add(true);
    return;
  }
  if (!isReady && response.status < 400) {
    if (plan.countsErrors) errors.add(response.status < 200 || response.status > 299);
    return;
  }
  const beganMs = Date.now();
  judgeOne(step, slot, { ...planned, headers }, response, calledAtMs, isWhole);
  const ms = Date.now() - beganMs;
  if (ms > 0) judging.add(ms);
  if (!isWhole) return;
  byAll.answers += 1;
  byAll.ms += ms;
}

function shareNow(nowMs: number): number {
  const { startTime, iterationInTest } = exec.scenario;
  const seconds = Math.max(1, (nowMs - startTime) / 1000);
  const costMs = byAll.ms / byAll.answers;
  return affordableShare(plan.judgeShare, iterationInTest / seconds, costMs, plan.cores);
}

function judgeOne(
  step: number,
  slot: number,
  sent: PlannedRequest,
  response: K6Response,
  sentAtMs: number,
  isWhole: boolean,
): void {
  const exchange = exchangeIn(`k${slot}`, sent, response, sentAtMs);
  const judged = byChosen(judge()(exchange, 'card'));
  // An error is known by its body, which nobody but this script sees.
  if (response.status >= 400 && response.status !== 429) {
    errorAnswers.add(1, { kind: judged.throttled ? 'throttled' : 'error' });
  }
  if (plan.countsErrors) {
    errors.add(!judged.throttled && (response.status < 200 || response.status > 299));
  }
  if (!isReady) return;
  const checks: Record<string, (value: unknown) => boolean> = {};
  for (const rule of judged.held) checks[rule] = () => true;
  for (const rule of judged.broken) checks[rule] = () => false;
  if (judged.held.length + judged.broken.length > 0) check(null, checks);
  const rest = isWhole ? byChosen(judge()(exchange, 'all')) : undefined;
  const broken = new Set([...judged.broken, ...(rest?.broken ?? [])]);
  for (const rule of broken) {
    const { metadata } = exec.vu.metrics;
    const key = `${step} ${rule}`;
    const before = handedOut.get(key) ?? 0;
    if (before < plan.keptPerRule) {
      const text = withoutSecrets(JSON.stringify(exchange), sent.headers, __ENV);
      if (text.length <= plan.mostExchangeCharacters) metadata.exchange = text;
      handedOut.set(key, before + 1);
    }
    violations.add(1, { rule });
    delete metadata.exchange;
  }
  const crash = judged.crash ?? rest?.crash;
  if (crash !== undefined) {
    crashes.add(1, { why: crash });
    exec.test.fail(crash);
  }
}

/** What the rules say that the user wants to be judged by. */
function byChosen(judgement: LoneJudgement): LoneJudgement {
  if (chosen === undefined) return judgement;
  const isChosen = (rule: string): boolean => chosen.has(rule);
  const { held, broken } = judgement;
  return { ...judgement, held: held.filter(isChosen), broken: broken.filter(isChosen) };
}

/** A list of the plan, of which k6 keeps one copy for all VUs. */
function listIn(name: string): readonly unknown[] {
  return new SharedArray(name, () => JSON.parse(open(`./${name}.json`)) as unknown[]);
}

function sha256(text: string): string {
  return crypto.sha256(text, 'hex');
}
