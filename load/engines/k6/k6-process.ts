import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';

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
  /** Of all its threads; 0 where the system does not tell. */
  readonly cpuSeconds: number;
  readonly wasAsked: boolean;
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
export function runK6(command: K6Command): Promise<K6Ending> {
  const { file, args, env, cwd, signal, mostMs, onOutput } = command;
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
    });
    let said = Buffer.alloc(0);
    let cpuSeconds = 0;
    let wasAsked = false;
    const timers: NodeJS.Timeout[] = [];
    const endByForce = (afterMs: number): void => {
      timers.push(setTimeout(() => child.kill('SIGKILL'), afterMs));
    };
    const ask = (): void => {
      if (wasAsked) return;
      wasAsked = true;
      child.kill('SIGINT');
      endByForce(GRACE_MS);
    };
    const look = setInterval(() => {
      void cpuSecondsOf(child.pid).then((seconds) => {
        cpuSeconds = Math.max(cpuSeconds, seconds);
      });
    }, CPU_EVERY_MS);
    const tidy = (): void => {
      signal.removeEventListener('abort', ask);
      process.off('exit', kill);
      clearInterval(look);
      for (const timer of timers) clearTimeout(timer);
    };
    // Whatever ends this process, k6 is not left behind.
    const kill = (): void => void child.kill('SIGKILL');
    process.on('exit', kill);
    signal.addEventListener('abort', ask);
    if (signal.aborted) ask();
    endByForce(mostMs);
    child.stdout.on('data', onOutput);
    child.stderr.on('data', (chunk: Buffer) => {
      said = Buffer.concat([said, chunk]).subarray(-MAX_SAID);
    });
    child.on('error', (error) => {
      tidy();
      reject(error);
    });
    child.on('close', (code) => {
      tidy();
      resolve({ code, said: said.toString('utf8'), cpuSeconds, wasAsked });
    });
  });
}

/** CPU time of a process so far (proc(5), fields 14 and 15); 0 where the system has no such file. */
async function cpuSecondsOf(pid: number | undefined): Promise<number> {
  if (pid === undefined) return 0;
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name of the program, in brackets, may hold blanks.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[11]) + Number(fields[12]);
  return Number.isFinite(ticks) ? ticks / TICKS_A_SECOND : 0;
}
