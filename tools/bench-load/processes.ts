import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** The answer of a process to what it is sent. */
export async function ask(child: ChildProcess, message: object): Promise<unknown> {
  child.send(message);
  const exited = once(child, 'exit').then(([code]) => {
    throw new Error(`a process of the benchmark ended with ${String(code)}`);
  });
  const [answer] = (await Promise.race([once(child, 'message'), exited])) as [unknown];
  exited.catch(() => undefined);
  return answer;
}

/** What a process of its own comes to: the module of that name beside this one, with a job. */
export async function inProcess<T>(file: string, job: object): Promise<T> {
  const child = fork(new URL(file, import.meta.url));
  try {
    return (await ask(child, job)) as T;
  } finally {
    child.kill();
  }
}
