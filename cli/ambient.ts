import { randomBytes } from 'node:crypto';
import type { Ambient } from '../fixtures/reference/model.ts';

/** The clock and randomness of this machine, for the reference service. */
export function systemAmbient(): Ambient {
  return { now: () => Date.now(), randomUint32: () => randomBytes(4).readUInt32BE() };
}
