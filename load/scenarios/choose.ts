import type { PreparedRequest } from './prepared-request.ts';
import { type Scenario, ScenarioError } from './scenario.ts';

interface Share {
  readonly requests: readonly PreparedRequest[];
  /** Sum of the weights up to here, this one's with them. */
  readonly until: number;
}

/**
 * Which prepared request each slot sends: an operation by its weight, then one of its requests; the
 * same seed chooses the same, whatever engine asks, in whatever order. Operations without a prepared
 * request are left out.
 *
 * @throws ScenarioError when there is none for any operation of the mix
 */
export function chooserOf(
  requests: readonly PreparedRequest[],
  mix: Scenario['mix'],
  seed: number,
): (slot: number) => PreparedRequest {
  let sum = 0;
  const shares: Share[] = [];
  for (const [operation, weight] of Object.entries(mix)) {
    const own = requests.filter((one) => one.operation === operation);
    if (own.length === 0) continue;
    sum += weight;
    shares.push({ requests: own, until: sum });
  }
  const last = shares.at(-1);
  if (last === undefined) throw new ScenarioError('there is no request to send for any operation');
  return (slot) => {
    const point = unit(seed, 2 * slot) * sum;
    const share = shares.find(({ until }) => point < until) ?? last;
    const at = Math.floor(unit(seed, 2 * slot + 1) * share.requests.length);
    const chosen = share.requests[at];
    if (chosen === undefined) throw new Error(`there is no request number ${at}`);
    return chosen;
  };
}

/** A number from 0 up to 1 for a place; neighbours have nothing to do with each other (SplitMix32). */
function unit(seed: number, place: number): number {
  let mixed = (Math.imul(seed | 0, 0x9e3779b1) ^ Math.imul(place + 1, 0x85ebca77)) | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 0x1_0000_0000;
}
