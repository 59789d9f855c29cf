import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Latencies } from './accuracy.ts';
import type { Sent } from './material.ts';
import type { Measured } from './row.ts';

/** What is sent where. */
export interface Target {
  readonly url: string;
  readonly posts: readonly Sent[];
}

/** An open loop. */
export interface Rate {
  readonly perSecond: number;
  readonly seconds: number;
}

/** What other programs are measured with. */
export interface ProgramJob extends Target {
  readonly warmUp: number;
  readonly requests: number;
  readonly connections: number;
}

/** The file of a program: as named, or the first of that name on PATH or of Go; undefined if there is none. */
export function programAt(
  name: string,
  named: string | undefined,
  env: NodeJS.ProcessEnv,
): string | undefined {
  if (named !== undefined) return existsSync(named) ? named : undefined;
  const ofGo = path.join(env.HOME ?? '/', 'go', 'bin');
  const folders = [...(env.PATH ?? '').split(path.delimiter), ofGo].filter((one) => one !== '');
  return folders.map((folder) => path.join(folder, name)).find((file) => existsSync(file));
}

/** A script that posts what it is given, and does something with each answer. */
function scriptOf(scenario: string, thresholds: string, withResponse: string): string {
  return `
import http from 'k6/http';
import exec from 'k6/execution';
import { check } from 'k6';
import { SharedArray } from 'k6/data';
const posts = new SharedArray('posts', () => JSON.parse(open('./posts.json')));
export const options = {
  scenarios: { all: { ${scenario} } },
  thresholds: { http_req_failed: ['rate==0'], ${thresholds} },
};
const params = { headers: { 'Content-Type': 'application/json', Accept: 'application/json' } };
export default function () {
  const post = posts[exec.scenario.iterationInTest % posts.length];
  const response = http.post(__ENV.URL + post.path, post.body, params);
  ${withResponse}
}
`;
}

/** k6 as scripts use it: the body parsed, two checks. */
const WITH_CHECKS = `const json = response.json();
  check(json, {
    'the status is success': ({ status }) => status === 'success',
    'the amount is of digits': ({ data }) => /^[0-9]+$/.test(data.amountOut),
  });`;

/** Runs k6 twice, and takes the difference, so that its start does not count. */
export async function measureK6(k6: string, job: ProgramJob): Promise<Measured> {
  const run = (requests: number): Promise<Used> =>
    runK6(
      k6,
      job,
      scriptOf(
        `executor: 'shared-iterations', vus: ${job.connections}, iterations: ${requests}, maxDuration: '5m'`,
        "checks: ['rate==1']",
        WITH_CHECKS,
      ),
    );
  const start = await run(job.warmUp);
  return { requests: job.requests, ...differenceOf(await run(job.warmUp + job.requests), start) };
}

/** k6 at one rate, an open loop as ours is, without checks. */
export function k6AtRate(k6: string, job: Target, rate: Rate): Promise<Used> {
  return runK6(
    k6,
    job,
    scriptOf(
      `executor: 'constant-arrival-rate', rate: ${rate.perSecond}, duration: '${rate.seconds}s', preAllocatedVUs: 100, maxVUs: 1000`,
      `dropped_iterations: ['count<${rate.perSecond / 20}']`,
      '',
    ),
  );
}

function runK6(k6: string, { url, posts }: Target, script: string): Promise<Used> {
  return inFolder((folder) => {
    writeFileSync(path.join(folder, 'posts.json'), JSON.stringify(posts));
    writeFileSync(path.join(folder, 'script.js'), script);
    const quiet = ['--quiet', '--summary-mode=disabled', '--no-usage-report', '--address='];
    return timed(k6, ['run', ...quiet, '-e', `URL=${url}`, path.join(folder, 'script.js')]);
  });
}

/** Runs wrk for two lengths, and takes the difference; it looks at no answer. */
export async function measureWrk(wrk: string, job: ProgramJob): Promise<Measured> {
  const [post] = job.posts;
  if (post === undefined) throw new Error('there is nothing to send');
  return inFolder(async (folder) => {
    const script = path.join(folder, 'post.lua');
    writeFileSync(
      script,
      `wrk.method = "POST"\nwrk.body = ${JSON.stringify(post.body)}\nwrk.headers["Content-Type"] = "application/json"\n`,
    );
    const run = (seconds: number): Promise<Used> =>
      timed(wrk, [
        '-t1',
        `-c${job.connections}`,
        `-d${seconds}s`,
        '-s',
        script,
        job.url + post.path,
      ]);
    const [start, end] = [await run(1), await run(4)];
    const requests = requestsOf(end.output) - requestsOf(start.output);
    return { requests, ...differenceOf(end, start) };
  });
}

/** vegeta at one rate, an open loop as ours is: what it took, and the latencies that it reports. */
export async function vegetaAtRate(
  vegeta: string,
  { url, posts }: Target,
  { perSecond, seconds }: Rate,
): Promise<Used & { readonly reported: Latencies }> {
  return inFolder(async (folder) => {
    const targets = path.join(folder, 'targets.json');
    const results = path.join(folder, 'results.bin');
    const lines = posts.map(({ path: at, body }) =>
      JSON.stringify({
        ...{ method: 'POST', url: url + at, body: Buffer.from(body).toString('base64') },
        header: { 'Content-Type': ['application/json'] },
      }),
    );
    writeFileSync(targets, lines.join('\n'));
    const rate = [`-rate=${perSecond}/s`, `-duration=${seconds}s`, '-timeout=10s'];
    const files = [`-targets=${targets}`, `-output=${results}`, '-format=json'];
    const used = await timed(vegeta, ['attack', ...rate, ...files]);
    const { output } = await timed(vegeta, ['report', '-type=json', results]);
    const report = JSON.parse(output.split('\n')[0] ?? '') as {
      readonly success: number;
      readonly latencies: Readonly<Record<'50th' | '99th', number>>;
    };
    if (report.success !== 1) throw new Error(`vegeta was not served: ${output}`);
    const { '50th': p50, '99th': p99 } = report.latencies;
    return { ...used, reported: { p50Ms: p50 / 1e6, p99Ms: p99 / 1e6 } };
  });
}

function requestsOf(output: string): number {
  const count = Number(/(\d+) requests in/.exec(output)?.[1]);
  if (!(count > 0) || output.includes('Non-2xx')) throw new Error(`wrk was not served: ${output}`);
  return count;
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(path.join(tmpdir(), 'assay-bench-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What a program took, and what it printed. */
export interface Used {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly output: string;
}

function differenceOf(end: Used, start: Used): { seconds: number; cpuSeconds: number } {
  return { seconds: end.seconds - start.seconds, cpuSeconds: end.cpuSeconds - start.cpuSeconds };
}

/** Runs a program by a shell, whose \`times\` states the processor time of what it ran (POSIX). */
async function timed(program: string, args: readonly string[]): Promise<Used> {
  const startMs = performance.now();
  const shell = spawn('sh', ['-c', '"$@" || exit; times', 'sh', program, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 300_000,
    env: { ...process.env, K6_AUTO_EXTENSION_RESOLUTION: 'false' },
  });
  let [output, errors] = ['', ''];
  shell.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  shell.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const code = await new Promise<number | null>((resolve, reject) => {
    shell.on('error', reject);
    shell.on('close', resolve);
  });
  if (code !== 0) throw new Error(`${program} ended with ${code}: ${errors.slice(-2_000)}`);
  const ofChildren = output.trimEnd().split('\n').at(-1) ?? '';
  const times = [...ofChildren.matchAll(/(\d+)m([\d.]+)s/g)];
  if (times.length !== 2) throw new Error(`sh states no times: ${ofChildren}`);
  const cpuSeconds = times.reduce(
    (sum, [, minutes, seconds]) => sum + 60 * Number(minutes) + Number(seconds),
    0,
  );
  return { seconds: (performance.now() - startMs) / 1000, cpuSeconds, output };
}
