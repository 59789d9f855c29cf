import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { loaderEnvironment } from './loader-options.ts';

const STARTS_WITHIN_MS = 10_000;

/** Thrown when the control server does not start; the message says why. */
export class ControlNotStarted extends Error {
  override readonly name = 'ControlNotStarted';
}

/** A control server under way. */
export interface Control {
  readonly url: string;
  /** Ends it; resolves once it is gone. */
  stop(): Promise<void>;
}

/**
 * Starts the plain control server in a process of its own, which shares no thread with the generator
 * and ends with this one, however that ends. Of the environment it is given what Node finds packages by alone: nothing
 * else in it is its business.
 *
 * @param entry the compiled file of the server
 * @throws ControlNotStarted when it ends, or says nothing for ten seconds
 */
export async function startControl(
  entry: URL = new URL('./control-server.js', import.meta.url),
): Promise<Control> {
  const child = fork(fileURLToPath(entry), {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: loaderEnvironment(process.env),
    execArgv: [],
  });
  const gone = new Promise((resolve) => child.once('exit', resolve));
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL');
    await gone;
  };
  try {
    const url = await new Promise<string>((resolve, reject) => {
      const refuse = (why: string): void => {
        reject(new ControlNotStarted(`The control server did not start: ${why}.`));
      };
      // Of no effect once something else happened.
      setTimeout(refuse, STARTS_WITHIN_MS, 'it said nothing for ten seconds').unref();
      child.once('message', (message: { readonly url: string }) => {
        resolve(message.url);
      });
      child.once('error', (error) => {
        refuse(error.message);
      });
      child.once('exit', (code, signal) => {
        refuse(`it ended with ${signal ?? `exit code ${String(code)}`}`);
      });
    });
    return { url, stop };
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
}
