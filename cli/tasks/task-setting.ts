import type { MessagePort } from 'node:worker_threads';

/** What the watching thread lets a task have besides its input. */
export interface TaskSetting {
  /** Called with what the judge has in hand. */
  readonly inHand: Int32Array;
  /** Asks the task to stop by itself. */
  readonly signal: AbortSignal;
  /** To the drive of another target; see `StepWire`. */
  readonly beside?: MessagePort;
}
