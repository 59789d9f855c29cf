import { MessageChannel, type MessagePort } from 'node:worker_threads';

/** The way to the drive of another target: how many requests each has begun. */
export interface StepWire {
  readonly announce: (mine: number) => void;
  readonly listen: (hear: (theirs: number) => void) => void;
}

/** What a thread takes to speak through a wire of this one. */
export function portTo(wire: StepWire): MessagePort {
  const { port1, port2 } = new MessageChannel();
  port1.on('message', (mine: number) => {
    wire.announce(mine);
  });
  wire.listen((theirs) => {
    port1.postMessage(theirs);
  });
  port1.unref();
  return port2;
}
