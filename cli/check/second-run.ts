/**
 * The run of a second target: a process of its own, so that it has an environment of its own, and nothing
 * that goes wrong there touches the first. It is given its flags by the process that started it, then how
 * far the other drive is, and ends with the record.
 */

import type { StepWire } from '../threads/step-wire.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { endedWith, notify } from '../output.ts';
import { type SecondRunOrder, STOP } from './second-run-order.ts';

/** As Ctrl-C does, which this process does not get: it is in no terminal. */
function stop(): void {
  // Where nobody listens yet there is no record that could say anything.
  if (!process.emit('SIGINT')) process.exit(EXIT.undecided);
}

/** How far the other drive is, which it may announce before anyone here listens. */
let theirs: number | undefined;
let hear: (theirs: number) => void = () => undefined;

const wire: StepWire = {
  announce: (mine) => {
    // The other one may be gone already.
    if (process.connected) process.send?.(mine, undefined, {}, () => undefined);
  },
  listen: (heard) => {
    hear = heard;
    if (theirs !== undefined) hear(theirs);
  },
};

async function run({ flags, entry }: SecondRunOrder): Promise<ExitCode> {
  process.argv[1] = entry;
  const { exitOf } = await import('../threads/task-failed.ts');
  const { check } = await import('./run-check.ts');
  try {
    return await check(flags, wire);
  } catch (error) {
    notify(`assay: ${error instanceof Error ? error.message : String(error)}`);
    return exitOf(error) ?? EXIT.failed;
  }
}

process.on('message', (message) => {
  if (message === STOP) stop();
  else if (typeof message === 'number') hear((theirs = message));
  else if (typeof message === 'object' && message !== null) {
    void run(message as SecondRunOrder).then((code) => process.exit(endedWith(code)));
  }
});
// Whoever started it is gone: what was recorded is kept.
process.on('disconnect', stop);
