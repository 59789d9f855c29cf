/** What commands take as a whole: starting, loading modules, threads, writing. */

import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunJson } from '../../contracts/run/run.ts';
import { ROOT } from '../../cli/package.ts';

const MAIN = join(ROOT, 'dist', 'cli', 'main.js');
/** Read in each thread; what the process took, all threads together, is sent at its end. */
const SENDS_USAGE = `data:text/javascript,${encodeURIComponent(`
  import { isMainThread } from 'node:worker_threads';
  if (isMainThread) process.on('exit', () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    process.send?.({ cpuSeconds: (userCPUTime + systemCPUTime) / 1e6, peakMb: maxRSS / 1024 });
  });
`)}`;
/** Of each command; the quickest stands, as what else the machine does only adds to it. */
const RUNS = 3;

interface Usage {
  readonly cpuSeconds: number;
  readonly peakMb: number;
}

interface Taken extends Usage {
  readonly wallSeconds: number;
}

/** @throws Error when the process ended without saying what it took */
async function taken(args: readonly string[]): Promise<Taken> {
  const began = performance.now();
  const child = spawn(process.execPath, ['--import', SENDS_USAGE, MAIN, ...args], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  let usage: Usage | undefined;
  child.on('message', (message) => {
    usage = message as Usage;
  });
  await new Promise((resolve) => child.once('close', resolve));
  if (usage === undefined) throw new Error(`assay ${args.join(' ')} did not come to its end`);
  return { ...usage, wallSeconds: (performance.now() - began) / 1000 };
}

/** The least of several runs, each in a folder of its own if it leaves a record. */
async function least(args: readonly string[], dir?: string): Promise<Taken> {
  const runs: Taken[] = [];
  for (let run = 0; run < RUNS; run += 1)
    runs.push(await taken(dir === undefined ? args : [...args, '--out', join(dir, `${run}`)]));
  const of = (name: keyof Taken): number => Math.min(...runs.map((one) => one[name]));
  return { wallSeconds: of('wallSeconds'), cpuSeconds: of('cpuSeconds'), peakMb: of('peakMb') };
}

/** The zap API of the reference service, served until it is ended. */
async function served(): Promise<{ readonly url: string; readonly end: () => void }> {
  const child = spawn(process.execPath, [MAIN, 'serve', '--port-base', '0', '--zap-limit', 'none']);
  let said = '';
  for await (const chunk of child.stdout) {
    said += String(chunk);
    const [, url] = /^zap +(http\S+)$/m.exec(said) ?? [];
    if (url !== undefined) return { url, end: () => child.kill() };
  }
  throw new Error(`the reference service did not start: ${said}`);
}

/**
 * Measures the commands that people wait for, one after the other.
 *
 * @returns a table, each figure with the one that is aimed at
 */
export async function measureCommands(): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  const { url, end } = await served();
  const check = ['check', '--embedded', '--quiet'];
  const load = ['load', '--zap-url', url, '--scenario', 'smoke', '--seconds', '2', '--rate', '5'];
  try {
    const whole = await least(check, join(dir, 'whole'));
    const few = await least([...check, '--max-requests', '5'], join(dir, 'few'));
    const replayed = await least(
      [...check, '--replay', 'zap.chains.served@drive:1'],
      join(dir, 'replay'),
    );
    const loaded = await least(load, join(dir, 'load'));
    const only = join(dir, 'only');
    await taken([...check, '--only', 'zap.pools.within-limit', '--out', only]);
    const run = JSON.parse(readFileSync(join(only, 'run.json'), 'utf8')) as RunJson;
    const rows: [string, string][] = [
      ['check --embedded --quiet, wall', `${seconds(whole.wallSeconds)} (goal: 2.8)`],
      ['the same, processors', `${seconds(whole.cpuSeconds)} (goal: 4.0)`],
      ['the same, peak memory', `${whole.peakMb.toFixed(0)} MB (goal: 200)`],
      ['with 5 requests, processors', `${seconds(few.cpuSeconds)} (goal: 2.0)`],
      ['one rule by --replay, processors', `${seconds(replayed.cpuSeconds)} (goal: 1.2)`],
      ['load of 10 requests, processors', `${seconds(loaded.cpuSeconds)} (goal: 2.5)`],
      ['check --only zap.pools.within-limit', `${run.counts.exchanges} requests`],
    ];
    for (const command of ['--version', '--help', 'rules']) {
      const { cpuSeconds } = await least([command]);
      rows.push([`${command}, processors`, `${seconds(cpuSeconds)} (goal: 0.25)`]);
    }
    const width = Math.max(...rows.map(([what]) => what.length));
    const head = `Commands, the least of ${RUNS} runs on Node ${process.versions.node}`;
    return [head, ...rows.map(([what, is]) => `${what.padEnd(width)}  ${is}`), ''].join('\n');
  } finally {
    end();
    rmSync(dir, { recursive: true, force: true });
  }
}

function seconds(value: number): string {
  return `${value.toFixed(2)} s`;
}
