import { randomUUID } from 'node:crypto';
import type { LoadViolation } from '../../../contracts/run/load/load-run.ts';
import { type KeyTwinsOptions, startKeyTwins } from '../../../suites/service/load-mix/key-twins.ts';
import { openClient, type PreparationInput } from './load-preparation.ts';

/** What the target is asked beside a load, with what. */
export type BesideInput = Omit<KeyTwinsOptions, 'client' | 'newKey'> &
  Pick<PreparationInput, 'outgoing' | 'connecting' | 'clock'>;

/** Throttled answers, after which nothing more is asked: there is no room for it. */
const MAX_REJECTS = 5;

/**
 * Asks the target meanwhile what shows only under load and is no part of it. A scenario about limits is
 * left alone: it counts on each request.
 */
export function askBeside(
  input: BesideInput,
): { readonly end: () => Promise<readonly LoadViolation[]> } | undefined {
  const { scenario, schedule } = input;
  if (scenario.clients.kind !== 'one') return undefined;
  const budget = {
    maxRequests: schedule.slots,
    maxSeconds: scenario.ceilings.seconds,
    maxRejects: MAX_REJECTS,
  };
  const { client, close } = openClient(input, budget, { attempts: 1 });
  const twins = startKeyTwins({ ...input, client, newKey: randomUUID });
  return { end: () => twins.end().finally(close) };
}
