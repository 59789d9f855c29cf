import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemNowMs } from '../fixtures/target/budget/clock.ts';
import type { Environment } from '../fixtures/service/reference/model.ts';

/** The clock, the waiting and the randomness of this machine, for the reference service. */
export function systemEnvironment(): Environment {
  return {
    // A window lasts as long as it says, also if the clock is set meanwhile.
    now: () => Math.floor(systemNowMs()),
    randomUint32: () => randomBytes(4).readUInt32BE(),
    sleep: (ms) => sleep(ms),
  };
}
