import { MendableError } from '../../contracts/wire/mendable-error.ts';
import { wantsTraces } from '../../target/budget/thread-options.ts';
import type { ExitCode } from '../exit-code.ts';

/** What a task threw, as it passes between threads. */
export interface Thrown {
  readonly message: string;
  readonly stack?: string;
  readonly exit?: ExitCode;
}

/** Thrown in place of what a task threw, which cannot pass from one thread to another as it is. */
export class TaskFailed extends Error {
  override readonly name = 'TaskFailed';
  /** The exit code that a person can do something about; undefined for a fault of Assay itself. */
  readonly exit: ExitCode | undefined;

  constructor({ message, stack, exit }: Thrown) {
    super(message);
    this.exit = exit;
    if (stack !== undefined) this.stack = stack;
  }
}

/** Thrown when the thread of a task came to its end before the task did. */
export class ThreadEnded extends TaskFailed {}

/** The exit code of an error whose message says enough; undefined for faults of Assay. */
export function exitOf(error: unknown): ExitCode | undefined {
  if (error instanceof MendableError) return error.exitCode;
  return error instanceof TaskFailed ? error.exit : undefined;
}

/** Where an error was thrown, for whoever asks for that by setting DEBUG. */
export function traceOf(error: unknown): string | undefined {
  return wantsTraces() && error instanceof Error ? error.stack : undefined;
}

/** An error as it passes from one thread to another. */
export function thrownOf(error: unknown): Thrown {
  const exit = exitOf(error);
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  return {
    message,
    ...(stack === undefined ? {} : { stack }),
    ...(exit === undefined ? {} : { exit }),
  };
}
