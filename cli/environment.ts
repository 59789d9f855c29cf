import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '../fixtures/service/reference/model.ts';

/** The clock, the waiting and the randomness of this machine, for the reference service. */
export function systemEnvironment(): Environment {
  return {
    now: () => Date.now(),
    randomUint32: () => randomBytes(4).readUInt32BE(),
    sleep: (ms) => sleep(ms),
  };
}
