/** Files of samples as the pods of a cluster write them, for tests. */

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { LoadJob } from '../../engine.ts';
import { planForK6, type PlannedRun } from './k6-plan.ts';
import { planDigestOf } from './k6-recorded-plan.ts';
import { jobOf, scenarioOf, senderTo } from './k6.testkit.ts';

/** When all parts began. */
export const BEGAN_MS: number = Date.parse('2026-11-22T16:29:22Z');
/** Answers take so long. */
export const LATENCY_MS = 30;

const requests = ['zap.quote', 'zap.pools', 'zap.chains'].map((operation) => ({
  operation,
  request: {
    api: 'zap',
    method: 'GET',
    path: `/${operation}`,
    purpose: { kind: 'valid' },
  } as const,
}));
// Of each step two parts get a different number of requests, and the second begins with an odd one.
const scenario = scenarioOf([
  { name: 'low', seconds: 2.1, fromPerSecond: 10, toPerSecond: 10 },
  { name: 'high', seconds: 1, fromPerSecond: 20, toPerSecond: 20 },
]);
/** The job of those pods, of 41 requests. */
export const RECORDED_JOB: LoadJob = jobOf(scenario, requests).job;
const FIRST_OF_HIGH = 21;

/** What they were handed. */
export function recordedFiles(run = 'r1'): PlannedRun['files'] {
  return planForK6(RECORDED_JOB, {
    sender: { ...senderTo('http://zap.invalid'), run },
    judgeShare: 0.5,
    rules: ['zap.pools.within-limit'],
    vus: { ready: [1], most: 1 },
  }).files;
}

/** A line as k6 writes it. */
export function pointLine(
  metric: string,
  timeMs: number,
  { value = 1, tags = {}, metadata = {} }: Readonly<Partial<Record<string, unknown>>> = {},
): string {
  const data = { time: new Date(timeMs).toISOString(), value, tags, metadata };
  return JSON.stringify({ metric, type: 'Point', data });
}

/** What differs in the samples of a part. */
export interface PodChanges {
  readonly files?: PlannedRun['files'];
  /** By which its clock is ahead. */
  readonly aheadMs?: number;
  /** Slots of its own that it did not send. */
  readonly without?: readonly number[];
  readonly more?: readonly string[];
}

/** The lines that one of several parts wrote. */
export function podLines(index: number, partCount: number, changes: PodChanges = {}): string[] {
  const { files = recordedFiles(), aheadMs = 0, without = [], more = [] } = changes;
  const began = BEGAN_MS + aheadMs;
  const tags = { plan: planDigestOf(files), scenario: 'step0', instance_id: String(index) };
  const lines = [pointLine('assay_plan', began, { tags })];
  for (let slot = 0; slot < RECORDED_JOB.schedule.slots; slot += 1) {
    const step = RECORDED_JOB.schedule.stepOf(slot);
    const inStep = step === 0 ? slot : slot - FIRST_OF_HIGH;
    if (inStep % partCount !== index - 1 || without.includes(slot)) continue;
    const called = began + RECORDED_JOB.schedule.dueMs(slot);
    const metadata = {
      slot: String(slot),
      called: String(Math.floor(called)),
      begin: String(began + (step === 0 ? 0 : 2100)),
    };
    lines.push(
      pointLine('http_req_duration', called + LATENCY_MS, {
        value: LATENCY_MS,
        tags: { status: '200', name: 'x', scenario: `step${step}`, instance_id: String(index) },
        metadata,
      }),
    );
  }
  return [...lines, ...more];
}

/** Writes a file of samples. */
export function writePod(folder: string, name: string, lines: readonly string[]): string {
  const file = path.join(folder, name);
  writeFileSync(file, gzipSync(`${lines.join('\n')}\n`));
  return file;
}
