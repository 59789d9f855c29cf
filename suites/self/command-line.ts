import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { packageRoot } from '../../contracts/document/package-root.ts';
import type { RunJson } from '../../contracts/run/run.ts';
import type { DocumentApi } from '../../contracts/service/wire/apis.ts';
import type { Exchange } from '../../contracts/wire/exchange.ts';

/** The folder of the checkout. */
export const ROOT: string = packageRoot(import.meta.url);
const ENTRY = join(ROOT, 'dist', 'cli', 'main.js');

/** How a command ended. */
export interface Ended {
  /** The exit code; null when a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** All that was printed, line ends and indents as single spaces: wrapping does not matter then. */
  readonly said: string;
  readonly seconds: number;
}

/** A command that runs. */
export interface Running {
  readonly process: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves once stdout or stderr holds the text; rejects when the command ends without. */
  readonly printed: (text: string) => Promise<void>;
}

/** What a command is run with. */
export interface Setting {
  /** Variables besides the few that every process needs. */
  readonly env?: Readonly<Record<string, string>>;
  /** Default: a folder without a configuration file. */
  readonly cwd?: string;
  /** It may take this long before it counts as hanging. */
  readonly patienceMs?: number;
}

/** Beside other work a command takes ten times as long. */
const PATIENCE_MS = 300_000;
/** A service is there as long as its test; whoever forgets to end it leaves it to the end of the file. */
const SERVICE_MS = 3_600_000;

const running = new Set<ChildProcess>();
afterAll(() => {
  for (const child of running) child.kill('SIGKILL');
});

/** Starts the built command line as a person does, without what the test runner sets around it. */
export function start(
  args: readonly string[],
  { env, cwd, patienceMs = PATIENCE_MS }: Setting = {},
): Running {
  const startedMs = performance.now();
  const child = spawn(process.execPath, [ENTRY, ...args], {
    cwd: cwd ?? tmpdir(),
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: patienceMs,
    killSignal: 'SIGKILL',
  });
  running.add(child);
  let [stdout, stderr] = ['', ''];
  // Decoded as a whole: a character may come in two pieces.
  child.stdout.setEncoding('utf8').on('data', (piece: string) => (stdout += piece));
  child.stderr.setEncoding('utf8').on('data', (piece: string) => (stderr += piece));
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      running.delete(child);
      const said = `${stdout}\n${stderr}`.replace(/\s+/g, ' ');
      resolve({ code, stdout, stderr, said, seconds: (performance.now() - startedMs) / 1000 });
    });
  });
  return {
    process: child,
    ended,
    printed: (text) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (stdout.includes(text) || stderr.includes(text)) resolve();
        };
        child.stdout.on('data', look);
        child.stderr.on('data', look);
        child.once('close', () => {
          reject(new Error(`ended without saying "${text}":\n${stdout}\n${stderr}`));
        });
        look();
      }),
  };
}

/** Runs a command to its end. */
export function assay(args: readonly string[], setting?: Setting): Promise<Ended> {
  return start(args, setting).ended;
}

/** Base URLs of a reference service, and its process. */
export interface Served {
  readonly urls: Readonly<Record<DocumentApi, string>>;
  /** As options of `assay check`. */
  readonly targets: readonly string[];
  readonly process: Running;
}

/** Starts `assay serve`, by default on free ports, and waits until it is up. */
export async function serve(args: readonly string[] = [], setting?: Setting): Promise<Served> {
  const ports = args.includes('--port-base') ? [] : ['--port-base', '0'];
  const service = start(['serve', ...ports, ...args], { patienceMs: SERVICE_MS, ...setting });
  let text = '';
  service.process.stdout?.setEncoding('utf8').on('data', (piece: string) => (text += piece));
  await service.printed('The reference service is up');
  const urlOf = (api: string): string => new RegExp(`^${api} +(\\S+)$`, 'm').exec(text)?.[1] ?? '';
  const urls = { zap: urlOf('zap'), trade: urlOf('trade'), docs: urlOf('docs'), ai: urlOf('ai') };
  const targets = Object.entries(urls).flatMap(([api, url]) => [`--${api}-url`, url]);
  return { urls, targets, process: service };
}

/** A namer of folders that are not there yet; all of them go when the file's tests have run. */
export function scratch(): () => string {
  const root = mkdtempSync(join(tmpdir(), 'assay-self-'));
  afterAll(() => {
    rmSync(root, { recursive: true, force: true });
  });
  let count = 0;
  return () => join(root, String((count += 1)));
}

/** The run.json of a record. */
export function runOf(dir: string): RunJson {
  return JSON.parse(readFileSync(join(dir, 'run.json'), 'utf8')) as RunJson;
}

/** The exchanges among the lines of a record, whole ones: the last line may just be on its way to the file. */
function linesOf(dir: string): string[] {
  const file = join(dir, 'exchanges.ndjson');
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.filter((line) => line.startsWith('{"id":'));
}

/** The exchanges of a record in the order in which they were sent; none when there is no file. */
export function exchangesOf(dir: string): Exchange[] {
  return linesOf(dir)
    .map((line) => JSON.parse(line) as Exchange)
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Resolves once a record holds so many exchanges. */
export async function untilRecorded(dir: string, count: number): Promise<void> {
  while (linesOf(dir).length < count) await new Promise((resolve) => setTimeout(resolve, 50));
}

/** Verdicts by rule. */
export function verdictsOf({ rules }: RunJson): Readonly<Record<string, string>> {
  return Object.fromEntries(rules.map(({ id, verdict }) => [id, verdict]));
}

/** The ids that `assay rules` lists. */
export async function listedRules(): Promise<string[]> {
  const { stdout } = await assay(['rules']);
  return [...stdout.matchAll(/^ {2}(\S+) +(?:must|should|observe) /gm)].map(([, id]) => id ?? '');
}
