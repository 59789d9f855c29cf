import { createHash } from 'node:crypto';
import type { LoadJob } from '../engine.ts';

/** Slots that are hashed together. */
const BLOCK = 10_000;

/**
 * Digest, in hex, of what a run is to send and when: parts of one run have the same. Operations count,
 * not the requests themselves: those follow from what a target lists, which may have moved between two
 * machines' looks at it.
 */
export function planDigest({
  scenario,
  schedule,
  choose,
}: Pick<LoadJob, 'scenario' | 'schedule' | 'choose'>): string {
  const hash = createHash('sha256');
  hash.update(JSON.stringify([scenario, schedule.slots]));
  for (let first = 0; first < schedule.slots; first += BLOCK) {
    const slots = Math.min(BLOCK, schedule.slots - first);
    const operations = Array.from({ length: slots }, (_, at) => choose(first + at).operation);
    hash.update(`\n${operations.join(' ')}`);
  }
  return hash.digest('hex');
}
