import { notify } from './output.ts';

/** What a person may ask of a run by Ctrl-C, or a system by a signal to end. */
export interface Interruption {
  /** Whether it was asked for. */
  readonly isAsked: () => boolean;
  /** Listens no longer. */
  readonly end: () => void;
}

/** What is on its way may still come in for this long after the first signal. */
const MAX_ON_THEIR_WAY_MS = 2_000;
/** After the last answer a drive only has to report what it did. */
const FOR_ENDING_MS = 500;

/** How long a drive may go on after the first signal, given the time for one exchange. */
export function endingMs(timeoutMs: number): number {
  return Math.min(timeoutMs, MAX_ON_THEIR_WAY_MS) + FOR_ENDING_MS;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Listens to signals.
 *
 * @param onFirst to stop sending, and judge what was recorded
 * @param onSecond to leave at once
 */
export function onInterruption(onFirst: () => void, onSecond: () => void): Interruption {
  let times = 0;
  const onSignal = (): void => {
    times += 1;
    if (times === 1) {
      notify('Interrupted: judging what was recorded. Ctrl-C again to leave at once.');
      onFirst();
    } else onSecond();
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return {
    isAsked: () => times > 0,
    end: () => {
      for (const signal of SIGNALS) process.removeListener(signal, onSignal);
    },
  };
}
