import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { packageRoot } from '../../contracts/document/package-root.ts';
import type {
  ServerAnswer,
  ServerQuestion,
  HostileReport,
  HostileSpec,
  HostileUrls,
} from './service/hostile.ts';

type Unnumbered<T> = T extends unknown ? Omit<T, 'id'> : never;

const ENTRY = join(
  packageRoot(import.meta.url),
  'build',
  'tools',
  'hostile',
  'service',
  'hostile-server.js',
);
/** A process that does not answer in time is ended, and another one started. */
const PATIENCE_MS = 60_000;

/** Hostile services in a process of their own. */
export class HostileServer {
  #process: ChildProcess | undefined;
  #next = 1;
  readonly #waiting = new Map<number, (answer: ServerAnswer) => void>();

  /** @throws Error when the specification cannot be served */
  async open(spec: HostileSpec): Promise<{ readonly service: number; readonly urls: HostileUrls }> {
    const answer = await this.#ask({ ask: 'open', spec });
    if (!('urls' in answer)) throw new Error('failed' in answer ? answer.failed : 'no URLs');
    return { service: answer.id, urls: answer.urls };
  }

  /** @throws Error when the hostile service itself went wrong */
  async report(service: number): Promise<HostileReport> {
    const answer = await this.#ask({ ask: 'seen', service });
    if (!('report' in answer)) throw new Error('failed' in answer ? answer.failed : 'no report');
    const [fault] = answer.report.faults;
    if (fault !== undefined) throw new Error(`the hostile service failed: ${fault}`);
    return answer.report;
  }

  async close(service: number): Promise<void> {
    await this.#ask({ ask: 'close', service });
  }

  end(): void {
    this.#process?.kill('SIGKILL');
    this.#process = undefined;
  }

  async #ask(question: Unnumbered<ServerQuestion>): Promise<ServerAnswer> {
    const id = this.#next;
    this.#next += 1;
    const hostileServer = (this.#process ??= this.#start());
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(id);
        this.end();
        reject(new Error(`the hostile service did not answer to "${question.ask}"`));
      }, PATIENCE_MS);
      this.#waiting.set(id, (answer) => {
        clearTimeout(timer);
        resolve(answer);
      });
      hostileServer.send({ ...question, id });
    });
  }

  #start(): ChildProcess {
    const hostileServer = fork(ENTRY, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    hostileServer.on('message', (answer: ServerAnswer) => {
      this.#waiting.get(answer.id)?.(answer);
      this.#waiting.delete(answer.id);
    });
    hostileServer.once('exit', () => {
      if (this.#process === hostileServer) this.#process = undefined;
    });
    return hostileServer;
  }
}
