import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { mostOf } from '../../sums.ts';

/** One run of k6 as a process. */
export interface K6Command {
  readonly file: string;
  readonly args: readonly string[];
  /** Its whole environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Asks it to end, which it does with what was measured. */
  readonly signal: AbortSignal;
  /** Ended by force after that; it is meant to end long before. */
  readonly mostMs: number;
  readonly onOutput: (chunk: Buffer) => void;
}

/** How the process ended. */
export interface K6Ending {
  readonly code: number | null;
  /** The last lines that it wrote to its standard error. */
  readonly said: string;
  /** Of all its threads, until at most half a second before its end; undefined if the system does not say. */
  readonly cpuSeconds: number | undefined;
  readonly wasAsked: boolean;
  /** Whether it was ended by force, as it took too long. */
  readonly wasOverdue: boolean;
}

/** What is on its way is waited for as long, then what was measured is written. */
const GRACE_MS = 7_000;
const MAX_SAID = 8_192;
const CPU_EVERY_MS = 500;
/** Linux counts CPU time in these, whatever the machine. */
const TICKS_A_SECOND = 100;

/**
 * Runs k6 until it ends. It is in a process group of its own: a Ctrl-C in the terminal comes to it by the
 * signal alone, once, since at the second one it throws away what it measured.
 *
 * @throws {Error} of the system, when it cannot be started
 */
export async function runK6(command: K6Command): Promise<K6Ending> {
  const { file, args, env, cwd, signal, mostMs, onOutput } = command;
  const child = spawn(file, args, {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
  });
  let said = Buffer.alloc(0);
  let cpuSeconds: number | undefined;
  let grace: NodeJS.Timeout | undefined;
  const kill = (): void => void child.kill('SIGKILL');
  const ask = (): void => {
    child.kill('SIGINT');
    grace = setTimeout(kill, GRACE_MS);
  };
  let wasOverdue = false;
  const overdue = setTimeout(() => {
    wasOverdue = true;
    kill();
  }, mostMs);
  const look = setInterval(() => {
    void cpuSecondsOf(child.pid).then((seconds) => {
      cpuSeconds = mostOf([cpuSeconds, seconds]);
    });
  }, CPU_EVERY_MS);
  // Whatever ends this process, k6 is not left behind.
  process.on('exit', kill);
  if (signal.aborted) ask();
  else signal.addEventListener('abort', ask);
  child.stdout.on('data', onOutput);
  child.stderr.on('data', (chunk: Buffer) => {
    said = Buffer.concat([said, chunk]).subarray(-MAX_SAID);
  });
  try {
    const [code] = (await once(child, 'close')) as [number | null];
    const wasAsked = grace !== undefined;
    return { code, said: said.toString('utf8'), cpuSeconds, wasAsked, wasOverdue };
  } finally {
    signal.removeEventListener('abort', ask);
    process.off('exit', kill);
    clearInterval(look);
    clearTimeout(grace);
    clearTimeout(overdue);
  }
}

/** CPU time of a process so far (proc(5), fields 14 and 15); undefined if the system has no such file. */
async function cpuSecondsOf(pid: number | undefined): Promise<number | undefined> {
  if (pid === undefined) return undefined;
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name of the program, in brackets, may hold blanks.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[11]) + Number(fields[12]);
  return Number.isFinite(ticks) ? ticks / TICKS_A_SECOND : undefined;
}

/** How a k6 run ended. */
export interface K6End {
  readonly kind:
    | 'complete'
    /** Its own thresholds were broken; everything was measured. */
    | 'thresholds'
    /** Ended by a signal; what was measured by then is there. */
    | 'interrupted'
    /** It ran, but not as it should have. */
    | 'spoilt'
    /** It did not run. */
    | 'failed';
  readonly sentence: string;
}

/** By exit code (go.k6.io/k6/errext/exitcodes): what each means, and never why. */
const ENDS: Readonly<Record<number, K6End>> = {
  0: { kind: 'complete', sentence: 'k6 ran to its end.' },
  99: { kind: 'thresholds', sentence: 'k6 saw a threshold broken.' },
  103: { kind: 'failed', sentence: 'k6 was ended through its REST API.' },
  104: { kind: 'failed', sentence: 'k6 found its options invalid.' },
  105: { kind: 'interrupted', sentence: 'k6 was ended by a signal.' },
  106: { kind: 'failed', sentence: 'k6 could not start its own API.' },
  107: { kind: 'failed', sentence: 'the script of k6 threw an exception.' },
  108: { kind: 'spoilt', sentence: 'the script of k6 gave up the run.' },
  109: { kind: 'failed', sentence: 'k6 crashed.' },
  110: { kind: 'spoilt', sentence: 'the script of k6 failed in some iterations.' },
};

/**
 * What k6 says by its exit code, which is null if a signal ended the process. Being asked to end does that at once
 * on Windows, where no process hears of SIGINT.
 */
export function k6EndOf({
  code,
  wasAsked,
  wasOverdue,
}: Pick<K6Ending, 'code' | 'wasAsked' | 'wasOverdue'>): K6End {
  if (wasOverdue) {
    return { kind: 'failed', sentence: 'k6 did not end in time, so Assay ended it by force.' };
  }
  if (code === null) {
    return { kind: wasAsked ? 'interrupted' : 'failed', sentence: 'k6 was ended by a signal.' };
  }
  return ENDS[code] ?? { kind: 'failed', sentence: `k6 ended with exit code ${code}.` };
}
