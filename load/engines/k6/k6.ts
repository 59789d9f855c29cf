import { chmodSync, copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { packageRoot } from '../../../contracts/document/package-root.ts';
import { jsonOrUndefined } from '../../../contracts/wire/parse-json.ts';
import type { OutgoingOptions } from '../../../fixtures/target/transport/outgoing.ts';
import { partOfSchedule, type Segment } from '../../scenarios/segment.ts';
import type { Scenario } from '../../scenarios/scenario.ts';
import type { GeneratorFacts, LoadEngine, LoadJob } from '../engine.ts';
import type { K6Binary } from './k6-binary.ts';
import { k6EndOf } from './k6-exit.ts';
import type { PlannedRun } from './k6-plan.ts';
import { planForK6 } from './k6-plan.ts';
import type { K6Ending } from './k6-process.ts';
import { runK6 } from './k6-process.ts';
import { K6Run } from './k6-run.ts';
import { K6PointReader } from './k6-samples.ts';
import type { StatedThreshold } from './k6-thresholds.ts';

/** Thrown when k6 does not run what it is given; the message holds what it said, without secrets. */
export class K6Failed extends Error {
  override readonly name = 'K6Failed';
}

/** What a k6 engine is made with. */
export interface K6EngineOptions {
  readonly binary: K6Binary;
  readonly sender: OutgoingOptions;
  /** Of Assay's process; secrets of requests are added to what k6 gets of it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** From 0 to 1: the share of responses that all exchange rules judge, at some 0.8 ms each; default 0. */
  readonly judgeShare?: number;
  /** Ids of the rules that judge, of those that k6 has; all when absent. They go by the built-in contract. */
  readonly rules?: readonly string[];
  readonly thresholds?: readonly StatedThreshold[];
  /** The part of the job to run; the job is that of the whole. */
  readonly segment?: Segment;
  /** VUs that stand ready; default what the highest rate needs where answers take a second. */
  readonly vus?: number;
  /** Further outputs of k6's own, e.g. `experimental-prometheus-rw`. */
  readonly outputs?: readonly string[];
}

/** Each takes some megabytes. */
const MAX_READY = 1000;
/** Of the script: set-up, and writing what was measured. */
const SLACK_MS = 120_000;
/** What k6 may know of Assay's environment: where to write, and whom to trust; nothing that sets options. */
const PASSED = /^(?:PATH|SSL_CERT_FILE|SSL_CERT_DIR|K6_PROMETHEUS_RW_\w+|K6_OTEL_\w+|OTEL_\w+)$/;

/** The folder of the scripts that k6 runs, in an install as in a checkout that was built. */
export function scriptFolder(): string {
  return path.join(packageRoot(import.meta.url), 'dist', 'k6');
}

/** The engine that has k6 send the requests and judge the answers. */
export function k6Engine(options: K6EngineOptions): LoadEngine {
  return { name: 'k6', cannot: whyNotK6, run: (job) => run(job, options) };
}

/** Why k6 cannot run a scenario; undefined where it can. */
export function whyNotK6({ clients, onThrottle }: Scenario): string | undefined {
  if (clients.kind === 'addresses') {
    return 'k6 gives local addresses to its VUs, not to requests: run this scenario with the open-loop engine.';
  }
  return onThrottle === 'come-back'
    ? 'k6 would keep a VU waiting for each request that comes back: run this scenario with the open-loop engine.'
    : undefined;
}

async function run(job: LoadJob, options: K6EngineOptions): Promise<GeneratorFacts> {
  const { sender, segment, judgeShare = 0 } = options;
  const { redactor } = sender;
  const ready = readyVus(job, options);
  const planned = planForK6(job, {
    sender,
    judgeShare,
    vus: { ready, most: Math.max(ready, mostVus(job, options)) },
    ...(options.rules === undefined ? {} : { rules: options.rules }),
    ...(options.thresholds === undefined ? {} : { thresholds: options.thresholds }),
  });
  const { slots } =
    segment === undefined ? job.schedule : partOfSchedule(job.schedule, segment).schedule;
  const reading = new K6Run(job, { redactor, judgeShare, slots });
  const points = new K6PointReader((point) => {
    reading.add(point);
  });
  const folder = mkdtempSync(path.join(tmpdir(), 'assay-k6-'));
  try {
    layOut(folder, planned, judgeShare);
    const ending = await runK6({
      file: options.binary.file,
      args: argumentsOf(options),
      env: environmentOf(options.env, planned),
      cwd: folder,
      signal: job.signal,
      mostMs: job.schedule.seconds * 1000 + job.timeoutMs + SLACK_MS,
      onOutput: (chunk) => {
        points.push(chunk);
      },
    });
    const problems = problemsOf(ending, points.unread, (text) => redactor.text(text));
    const facts = reading.facts(ending.wasAsked, ending.cpuSeconds);
    const all = [...(facts.problems ?? []), ...problems];
    return all.length === 0 ? facts : { ...facts, problems: all };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Script and plan lie in a folder that nobody else may look into. */
function layOut(folder: string, { files }: PlannedRun, judgeShare: number): void {
  const script = path.join(folder, 'script.js');
  copyFileSync(path.join(scriptFolder(), judgeShare > 0 ? 'all.js' : 'card.js'), script);
  chmodSync(script, 0o600);
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(path.join(folder, name), text, { mode: 0o600 });
  }
  writeFileSync(path.join(folder, 'config.json'), '{}', { mode: 0o600 });
}

/**
 * What k6 is called with, in the folder of its script. Without the first two it would phone home and
 * take a port; with a configuration of its own it reads no other.
 */
export function argumentsOf({
  outputs = [],
  segment,
}: Pick<K6EngineOptions, 'outputs' | 'segment'>): string[] {
  return [
    'run',
    '--no-usage-report',
    '--address=',
    '--config=config.json',
    '--no-color',
    '--quiet',
    '--summary-mode=disabled',
    '--out=json=-',
    ...outputs.map((output) => `--out=${output}`),
    ...(segment === undefined ? [] : segmentArguments(segment)),
    'script.js',
  ];
}

/** The sequence is what makes the parts complete: without it three of them lost 7 requests of 301. */
export function segmentArguments({ index, of: partCount }: Segment): string[] {
  const borders = Array.from({ length: partCount + 1 }, (_, at) =>
    at === 0 ? '0' : at === partCount ? '1' : `${at}/${partCount}`,
  );
  return [
    `--execution-segment=${String(borders[index - 1])}:${String(borders[index])}`,
    `--execution-segment-sequence=${borders.join(',')}`,
  ];
}

function environmentOf(
  env: K6EngineOptions['env'],
  { secrets }: PlannedRun,
): Record<string, string> {
  const passed = Object.entries(env).filter(
    (entry): entry is [string, string] => PASSED.test(entry[0]) && entry[1] !== undefined,
  );
  return {
    ...Object.fromEntries(passed),
    // It writes times of day in its own zone.
    TZ: 'UTC',
    K6_NO_USAGE_REPORT: 'true',
    K6_AUTO_EXTENSION_RESOLUTION: 'false',
    ...secrets,
  };
}

/** VUs that stand ready when a step begins: making one takes longer than a request is due late. */
export function readyVus(
  { scenario, connections }: LoadJob,
  { vus, segment }: Pick<K6EngineOptions, 'vus' | 'segment'>,
): number {
  // A part without a VU sends nothing.
  const least = segment?.of ?? 1;
  const wanted = vus ?? Math.min(MAX_READY, connections, Math.ceil(peakOf(scenario)) + 1);
  return Math.max(least, wanted);
}

/** As many are needed when every answer takes as long as it may. */
export function mostVus(
  { scenario, connections, timeoutMs }: LoadJob,
  { vus }: Pick<K6EngineOptions, 'vus'>,
): number {
  return Math.min(vus ?? connections, Math.ceil((peakOf(scenario) * timeoutMs) / 1000) + 1);
}

function peakOf({ steps }: Scenario): number {
  return Math.max(
    ...steps.flatMap(({ fromPerSecond, toPerSecond }) => [fromPerSecond, toPerSecond]),
  );
}

/** @throws {K6Failed} when it did not run */
function problemsOf(
  { code, said, wasAsked }: K6Ending,
  unread: number,
  redacted: (text: string) => string,
): string[] {
  const end = k6EndOf(code);
  const problems = unread > 0 ? [`${unread} lines that k6 wrote could not be read.`] : [];
  if (end.kind === 'complete' || end.kind === 'thresholds') return problems;
  if (wasAsked && (end.kind === 'interrupted' || code === null)) return problems;
  const last = lastWords(redacted(said));
  const sentence = last === '' ? end.sentence : `${end.sentence} It said: ${last}`;
  if (end.kind === 'failed') throw new K6Failed(sentence);
  return [...problems, sentence];
}

const MAX_WORDS = 600;

/** The last error that k6 logged, or else its last lines. */
function lastWords(said: string): string {
  const lines = said.split('\n').filter((line) => line.trim() !== '');
  const errors = lines.filter((line) => line.includes('level=error'));
  const last = (errors.length > 0 ? errors : lines).slice(-2);
  return last.map(messageIn).join(' ').slice(-MAX_WORDS);
}

/** The message of a log line in the format of logrus, or the line as it is. */
function messageIn(line: string): string {
  const quoted = /\bmsg=("(?:[^"\\]|\\.)*")/.exec(line)?.[1];
  const message = quoted === undefined ? undefined : jsonOrUndefined(quoted);
  return typeof message === 'string' ? message : line;
}
