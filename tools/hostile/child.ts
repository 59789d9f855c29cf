import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Ended, Running, Stream } from './row.ts';
import { watchOf } from './watch.ts';

/** What to start, and how far it may go. */
export interface ChildOptions {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdout?: Stream | undefined;
  readonly stderr?: Stream | undefined;
  readonly fileBlocks?: number | undefined;
  readonly openFiles?: number | undefined;
  readonly apart?: string | undefined;
  /** It is killed after so long, without the time for which it waited for a processor. */
  readonly seconds: number;
  /** It is killed beyond so much. */
  readonly megabytes: number;
  /** It is killed this soon after the mark. */
  readonly secondsAfterMark?: number | undefined;
  /** Where its record is, for {@link Running.recorded}. */
  readonly record?: string | undefined;
  readonly during?: ((running: Running) => Promise<void>) | undefined;
}

/** Between two looks at the memory. */
const LOOK_EVERY_MS = 50;
/** A process may run so many times its bound if others keep the processors from it. */
const MAX_STARVED = 6;
/** A process that takes so many times its bound is ended, for the sake of the machine. */
const MAX_EXCESS = 4;
/** Of each stream, so much is kept. */
const MAX_KEPT = 64 * 1_048_576;

const alive = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of alive) end(child);
});

/** Runs a process in a group of its own, so that whatever it starts ends with it. */
export async function runChild(options: ChildOptions): Promise<Ended> {
  const { command, cwd, env, seconds, megabytes } = options;
  const [file = '', ...args] = throughShell(command, options);
  const opened: number[] = [];
  const startedMs = performance.now();
  const child = spawn(file, args, { cwd, env, detached: true, stdio: stdioOf(options, opened) });
  for (const descriptor of opened) closeSync(descriptor);
  alive.add(child);
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    // Decoded as a whole: a character may come in two pieces.
    child[name]?.setEncoding('utf8').on('data', (piece: string) => {
      if (texts[name].length < MAX_KEPT) texts[name] += piece;
      if (options[name] === 'closed-early') child[name]?.destroy();
    });
  }
  const watch = watchOf(child.pid ?? -1);
  let killed: string | undefined;
  let markedMs: number | undefined;
  let markedStarvedSeconds = 0;
  let markedAtMs: number | undefined;
  const kill = (why: string): void => {
    killed ??= why;
    end(child);
  };
  const look = setInterval(() => {
    const nowMs = performance.now();
    watch.look();
    const peak = watch.megabytes;
    const elapsed = (nowMs - startedMs) / 1000;
    // What others took of the machine is not its fault; but nothing runs for ever.
    if (elapsed - watch.starvedSecondsOf(elapsed) > seconds || elapsed > seconds * MAX_STARVED)
      kill(`ran longer than ${seconds.toFixed(1)} s`);
    if (peak !== undefined && peak > megabytes * MAX_EXCESS) kill(`took ${peak.toFixed(0)} MB`);
    const { secondsAfterMark } = options;
    if (markedMs !== undefined && secondsAfterMark !== undefined) {
      const starvedMs = (watch.starvedSecondsOf(elapsed) - markedStarvedSeconds) * 1000;
      if (nowMs - markedMs - starvedMs > secondsAfterMark * 1000)
        kill(`went on for more than ${secondsAfterMark.toFixed(1)} s after the signal`);
    }
  }, LOOK_EVERY_MS);
  const exited = new Promise<{ exit: number | null; signal: NodeJS.Signals | null }>(
    (resolve, reject) => {
      child.once('error', reject);
      child.once('exit', () => {
        // What it started holds its streams open.
        setTimeout(() => {
          end(child);
        }, 500).unref();
      });
      child.once('close', (exit, signal) => {
        resolve({ exit, signal });
      });
    },
  );
  let over = false;
  const ended = exited.finally(() => {
    over = true;
    clearInterval(look);
    alive.delete(child);
  });
  const until = async (holds: () => boolean): Promise<void> => {
    while (!over && !holds()) await sleep(20);
  };
  const running: Running = {
    kill: (signal) => {
      if (!over) child.kill(signal);
    },
    recorded: (count) => until(() => linesIn(options.record) >= count),
    printed: (text) => until(() => texts.stdout.includes(text) || texts.stderr.includes(text)),
    mark: () => {
      markedMs = performance.now();
      markedStarvedSeconds = watch.starvedSecondsOf((markedMs - startedMs) / 1000);
      markedAtMs = Date.now();
    },
    sleep: (ms) => sleep(ms),
    text: () => texts.stdout + texts.stderr,
  };
  const acted = options.during?.(running);
  const { exit, signal } = await ended;
  const endedAtMs = Date.now();
  const took = (performance.now() - startedMs) / 1000;
  await acted;
  return {
    exit,
    signal,
    ...texts,
    seconds: took,
    starvedSeconds: watch.starvedSecondsOf(took),
    busySeconds: watch.busySeconds,
    megabytes: watch.megabytes,
    endedAtMs,
    ...(killed === undefined ? {} : { killed }),
    ...(markedAtMs === undefined ? {} : { markedAtMs }),
  };
}

/** Ends a process and its group. */
function end({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

/** What only a shell can do: closed descriptors, limits on files, and a network and mounts of its own. */
function throughShell(
  command: readonly string[],
  { stdout, stderr, fileBlocks, openFiles, apart }: ChildOptions,
): readonly string[] {
  const closings = [stdout === 'closed' ? '>&-' : '', stderr === 'closed' ? '2>&-' : ''].join(' ');
  const first = [
    ...(apart === undefined ? [] : [apart]),
    ...(fileBlocks === undefined ? [] : [`ulimit -f ${fileBlocks}`]),
    ...(openFiles === undefined ? [] : [`ulimit -n ${openFiles}`]),
  ];
  if (closings.trim() === '' && first.length === 0) return command;
  const namespaces = apart === undefined ? [] : ['unshare', '--map-root-user', '--net', '--mount'];
  const line = [...first, `exec "$@" ${closings}`].join('; ');
  return [...namespaces, '/bin/sh', '-c', line, 'sh', ...command];
}

function stdioOf({ stdout, stderr }: ChildOptions, opened: number[]): StdioOptions {
  const streamOf = (stream: Stream = 'kept'): 'pipe' | number => {
    if (stream !== 'full') return 'pipe';
    const descriptor = openSync('/dev/full', 'w');
    opened.push(descriptor);
    return descriptor;
  };
  return ['ignore', streamOf(stdout), streamOf(stderr)];
}

function linesIn(record: string | undefined): number {
  const file = join(record ?? '', 'exchanges.ndjson');
  if (record === undefined || !existsSync(file)) return 0;
  return readFileSync(file, 'latin1').split('\n{"id":').length - 1;
}
