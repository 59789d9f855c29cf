import { availableParallelism } from 'node:os';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { packageRoot } from '../../../contracts/document/package-root.ts';
import { given } from '../../../contracts/wire/json.ts';
import { MendableError } from '../../../contracts/wire/mendable-error.ts';
import { jsonOrUndefined } from '../../../contracts/wire/parse-json.ts';
import { tempFolder } from '../../../target/record/temp-folder.ts';
import { withoutPasswords } from '../../../target/config/without-password.ts';
import type { Redactor } from '../../../target/redaction/redactor.ts';
import { partOfSchedule, type Segment } from '../../scenarios/segment.ts';
import type { Scenario } from '../../scenarios/scenario.ts';
import type { GeneratorFacts, LoadEngine, LoadJob } from '../../engine.ts';
import type { K6Binary } from './k6-binary.ts';
import { vusFor } from './k6-options.ts';
import { type K6PlanOptions, planForK6, type PlannedRun } from './k6-plan.ts';
import { type K6Ending, k6EndOf, runK6 } from './k6-process.ts';
import { K6Run } from './k6-run.ts';
import { K6PointReader } from './k6-samples.ts';

/** Thrown when k6 does not take an output that the user asked for; the message holds what it said, without secrets. */
export class UnfitOutput extends MendableError {
  override readonly name = 'UnfitOutput';
}

/** Thrown when k6 does not run what it is given; the message holds what it said, without secrets. */
export class K6Failed extends Error {
  override readonly name = 'K6Failed';
}

/** What a k6 engine is made with. */
export interface K6EngineOptions extends Pick<K6PlanOptions, 'sender' | 'rules' | 'thresholds'> {
  readonly binary: K6Binary;
  /** Of Assay's process; secrets of requests are added to what k6 gets of it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** From 0 to 1: the share of responses that all exchange rules judge at most, at some 0.8 ms each; default 0. */
  readonly judgeShare?: number;
  /** The part of the job to run; the job is that of the whole. */
  readonly segment?: Segment;
  /** Further outputs of k6's own, e.g. `experimental-prometheus-rw`. */
  readonly outputs?: readonly string[];
}

/** Of the script: set-up, and writing what was measured. */
const SLACK_MS = 120_000;
/** What k6 may know of Assay's environment: where to write, and whom to trust; nothing that sets options. */
const PASSED = /^(?:PATH|SSL_CERT_FILE|SSL_CERT_DIR|K6_PROMETHEUS_RW_\w+|K6_OTEL_\w+|OTEL_\w+)$/;

/** The script that k6 runs, in an install as in a checkout that was built. */
export function scriptFile(judgeShare: number): string {
  const name = judgeShare > 0 ? 'all.js' : 'card.js';
  return path.join(packageRoot(import.meta.url), 'dist', 'k6', name);
}

/** The engine that has k6 send the requests and judge the answers. */
export function k6Engine(options: K6EngineOptions): LoadEngine {
  return { name: 'k6', cannot: whyNotK6, run: (job) => run(job, options) };
}

/** Why k6 cannot run a scenario; undefined if it can. */
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
  const vus = vusFor(job, segment?.of ?? 1);
  const planned = planForK6(job, { ...options, judgeShare, vus, cores: availableParallelism() });
  const { slots } =
    segment === undefined ? job.schedule : partOfSchedule(job.schedule, segment).schedule;
  const reading = new K6Run(job, { redactor, judgeShare, slots });
  const points = new K6PointReader((point) => {
    reading.add(point);
  });
  const folder = tempFolder('assay-k6-');
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
    const problem = problemOf(ending, redactor, options.outputs);
    const facts = reading.facts(ending.wasAsked, points.unread);
    const problems = problem === undefined ? facts.problems : [...(facts.problems ?? []), problem];
    return { ...facts, ...given({ problems, cpuSeconds: ending.cpuSeconds }) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Script and plan lie in a folder that nobody else may look into. */
function layOut(folder: string, { files }: PlannedRun, judgeShare: number): void {
  const all = { 'script.js': readFileSync(scriptFile(judgeShare)), ...files, 'config.json': '{}' };
  for (const [name, content] of Object.entries(all)) {
    writeFileSync(path.join(folder, name), content, { mode: 0o600 });
  }
}

/**
 * What k6 is called with, in the folder of its script. Without an address it would take a port; with a
 * configuration of its own it reads no other.
 */
export function argumentsOf({
  outputs,
  segment,
}: Pick<K6EngineOptions, 'outputs' | 'segment'>): string[] {
  return [
    ...['run', '--address=', '--config=config.json', '--no-color'],
    ...usualArguments('-', outputs),
    ...(segment === undefined ? [] : segmentArguments(segment)),
    'script.js',
  ];
}

/**
 * What k6 is called with wherever it runs; without the first it would phone home.
 *
 * @param samples the file that they are written to
 */
export function usualArguments(samples: string, outputs: readonly string[] = []): string[] {
  const files = [`json=${samples}`, ...outputs].map((output) => `--out=${output}`);
  return ['--no-usage-report', '--quiet', '--summary-mode=disabled', ...files];
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

/**
 * What went wrong with a run that was measured.
 *
 * @throws {K6Failed} when it did not run
 * @throws {UnfitOutput} when it did not, and what it said names an output that the user asked for
 */
export function problemOf(
  ending: Omit<K6Ending, 'cpuSeconds'>,
  redactor: Redactor,
  outputs: readonly string[] = [],
): string | undefined {
  const end = k6EndOf(ending);
  if (end.kind === 'complete' || end.kind === 'thresholds') return undefined;
  if (ending.wasAsked && end.kind === 'interrupted') return undefined;
  const words = lastWords(redactor.text(ending.said));
  const last = withoutPasswords(words);
  const unfit = outputs.map(partsOf).find((parts) => parts.some((part) => words.includes(part)));
  if (end.kind === 'failed' && unfit !== undefined) {
    throw new UnfitOutput(`k6 does not take --k6-out ${unfit[0]} as it is given. It said: ${last}`);
  }
  const sentence = last === '' ? end.sentence : `${end.sentence} It said: ${last}`;
  if (end.kind === 'failed') throw new K6Failed(sentence);
  return sentence;
}

/** What k6 calls an output of the form `type=argument` by: its type in quotes, and its argument if it has one. */
function partsOf(output: string): readonly [type: string, ...rest: string[]] {
  const at = output.indexOf('=');
  if (at === -1) return [`'${output}'`];
  const argument = output.slice(at + 1);
  return [`'${output.slice(0, at)}'`, ...(argument === '' ? [] : [argument])];
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
