import type { LoadJob } from '../engine.ts';
import type { Flight, Landing } from '../sending/flight.ts';

/** This part of the time limit, from when a request got a connection, is as good as all of it. */
const ALL_BUT = 0.95;

/**
 * Why this machine did not send a request, or so late that the service had not the time that it may take;
 * undefined where it had, and where the request waited for what the user allows.
 */
export function whyUnsent(
  { sentMs, wireMs }: Flight,
  landing: Landing,
  endMs: number,
  { connections, timeoutMs, whyFewConnections }: LoadJob,
): string | undefined {
  if (landing.kind === 'response') return undefined;
  if (landing.fate === 'unsent') return landing.message;
  const hadTime = wireMs !== undefined && endMs - (sentMs ?? endMs) >= ALL_BUT * timeoutMs;
  if (landing.failure !== 'timeout' || hadTime || whyFewConnections === undefined) return undefined;
  return `none of ${connections} connections came free in time; ${whyFewConnections}`;
}
