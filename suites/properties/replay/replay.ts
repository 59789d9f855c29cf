import { MendableError } from '../../../contracts/wire/mendable-error.ts';
import type { KeptReproducer } from './replay-word.ts';
import { reproducerIn, REQUESTS } from './replay-word.ts';

/** A finding to be shown again: the rule that is broken, and where in a run, or by which requests. */
export interface Replay {
  readonly rule: string;
  /** `requests:…`, `drive:17`, `zap.quote:3` of a generated case, or `regression:NAME`. */
  readonly origin: string;
  /** The requests to send, if the origin holds them: then nothing else is sent. */
  readonly kept?: KeptReproducer;
}

/** Thrown when what a replay is to show cannot be read; the message says why. */
export class ReplayError extends MendableError {
  override readonly name = 'ReplayError';
}

/**
 * Reads `RULE@ORIGIN`, as findings name it; undefined when the text is something else.
 *
 * @throws {ReplayError} when it is meant to hold requests, and does not
 */
export function parseReplay(text: string): Replay | undefined {
  const [, rule, origin] = /^([^@\s]+)@([^@\s]+:[^@\s]+)$/.exec(text) ?? [];
  if (rule === undefined || origin === undefined) return undefined;
  if (!origin.startsWith(REQUESTS)) return { rule, origin };
  const kept = reproducerIn(origin);
  if (typeof kept === 'string') throw new ReplayError(`--replay ${rule}@…: ${kept}`);
  return { rule, origin, kept };
}
