/** Limiters in processes of their own, all of which end with the bench. */

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { WILD_TOOLS } from './tools.ts';
import type { WildFamily, WildLimiter } from './wild-limiter.ts';

/** One that answers. */
export interface RunningLimiter {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** Thrown when a limiter does not come to listen; the message has what it said last. */
export class WildNotStarted extends Error {
  override readonly name = 'WildNotStarted';
}

/** Where everything runs. */
export interface WildYard {
  /** @throws WildMissing {@link WildNotStarted} */
  readonly start: (limiter: WildLimiter) => Promise<RunningLimiter>;
  /** Runs a program to its end, which is killed with the yard; answers its exit code. */
  readonly run: (program: string, args: readonly string[], mostMs: number) => Promise<Ended>;
  /** A folder of its own for whoever asks. */
  readonly folder: () => string;
  /** Kills all that runs and removes all folders, at once. */
  readonly close: () => void;
}

/** How a program ended. */
export interface Ended {
  /** Null when it was killed. */
  readonly code: number | null;
  /** The end of what it said. */
  readonly said: string;
}

const LISTENS_WITHIN_MS = 20_000;
const POLL_MS = 50;
const MAX_SAID = 2000;

/** A new yard in a folder of its own for temporary files. */
export function openYard(): WildYard {
  const root = mkdtempSync(join(tmpdir(), 'assay-wild-'));
  const children = new Set<ChildProcess>();
  const tools = new Map<WildFamily, Promise<string>>();
  const ending = new AbortController();

  const folder = (): string => mkdtempSync(join(root, 'one-'));
  const begin = (program: string, args: readonly string[]): Begun => {
    if (ending.signal.aborted) throw new WildNotStarted('the bench is ending');
    const child = spawn(program, [...args], { stdio: ['pipe', 'pipe', 'pipe'], cwd: root });
    children.add(child);
    const begun: Begun = { child, said: '', ended: once(child, 'close') };
    begun.ended.catch(() => undefined);
    const listen = (bytes: Buffer): void => {
      begun.said = (begun.said + bytes.toString('utf8')).slice(-MAX_SAID);
    };
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
    child.once('close', () => children.delete(child));
    return begun;
  };
  const toolOf = (family: WildFamily): Promise<string> => {
    const tool = tools.get(family) ?? WILD_TOOLS[family].prepare(folder(), ending.signal);
    tools.set(family, tool);
    return tool;
  };

  return {
    folder,
    start: async (limiter) => {
      const tool = await toolOf(limiter.family);
      const port = await freePort();
      const {
        program,
        args,
        writesUrl = false,
      } = limiter.command({ folder: folder(), port, tool });
      const begun = begin(program, args);
      const stop = async (): Promise<void> => {
        begun.child.kill('SIGKILL');
        await begun.ended.catch(() => undefined);
      };
      try {
        const url = await Promise.race([
          writesUrl ? reportedUrl(begun) : listening(port),
          begun.ended.then(() => null),
        ]);
        if (url === null) throw new WildNotStarted(`it ended: ${begun.said.trim()}`);
        return { url, stop };
      } catch (error) {
        await stop();
        throw error;
      }
    },
    run: async (program, args, mostMs) => {
      const begun = begin(program, args);
      const timer = setTimeout(() => begun.child.kill('SIGKILL'), mostMs);
      await begun.ended;
      clearTimeout(timer);
      return { code: begun.child.exitCode, said: begun.said };
    },
    close: () => {
      ending.abort();
      for (const child of children) child.kill('SIGKILL');
      rmSync(root, { recursive: true, force: true });
    },
  };
}

interface Begun {
  readonly child: ChildProcess;
  said: string;
  readonly ended: Promise<unknown>;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Once it takes connections; a request would count. */
async function listening(port: number): Promise<string> {
  const endMs = performance.now() + LISTENS_WITHIN_MS;
  while (performance.now() < endMs) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return `http://127.0.0.1:${port}`;
    await sleep(POLL_MS);
  }
  throw new WildNotStarted(`it does not listen after ${LISTENS_WITHIN_MS / 1000} s`);
}

async function reportedUrl(begun: Begun): Promise<string> {
  const endMs = performance.now() + LISTENS_WITHIN_MS;
  while (performance.now() < endMs) {
    const [, url] = /^(http:\/\/127\.0\.0\.1:\d+)\n/m.exec(begun.said) ?? [];
    if (url !== undefined) return url;
    await sleep(POLL_MS);
  }
  throw new WildNotStarted(`it wrote no URL within ${LISTENS_WITHIN_MS / 1000} s`);
}
