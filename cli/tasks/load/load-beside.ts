import { randomUUID } from 'node:crypto';
import type { LoadViolation } from '../../../contracts/run/load/load-run.ts';
import type { Rule } from '../../../contracts/judging/rule.ts';
import { createClient } from '../../../fixtures/target/transport/client.ts';
import { createGovernor } from '../../../fixtures/target/budget/governor.ts';
import { createUndiciTransport } from '../../../fixtures/target/transport/undici-transport.ts';
import type { PreparedRequest } from '../../../load/engines/engine.ts';
import type { Schedule } from '../../../load/scenarios/schedule.ts';
import { type KeyTwinsOptions, startKeyTwins } from '../../../suites/service/load-mix/key-twins.ts';
import type { PreparationInput } from './load-preparation.ts';

/** What the target is asked beside a load, with what. */
export interface BesideInput
  extends
    Pick<
      PreparationInput,
      'outgoing' | 'connecting' | 'contract' | 'clock' | 'signal' | 'scenario'
    >,
    Pick<KeyTwinsOptions, 'keep'> {
  readonly rules: readonly Rule[];
  readonly requests: readonly PreparedRequest[];
  readonly schedule: Schedule;
}

/** Throttled answers, after which nothing more is asked: there is no room for it. */
const MAX_REJECTS = 5;

/**
 * Asks the target meanwhile what shows only under load and is no part of it. A scenario about limits is
 * left alone: it counts on each request.
 */
export function askBeside(
  input: BesideInput,
): { readonly end: () => Promise<readonly LoadViolation[]> } | undefined {
  const { outgoing, connecting, clock, signal, scenario, schedule } = input;
  if (scenario.clients.kind !== 'one') return undefined;
  const budget = {
    maxRequests: schedule.slots,
    maxSeconds: scenario.ceilings.seconds,
    maxRejects: MAX_REJECTS,
  };
  const { errors } = input.contract;
  const transport = createUndiciTransport(connecting);
  const governor = createGovernor({ budget, clock, waitIn: errors.waitIn, signal });
  const client = createClient({
    isThrottled: errors.isThrottled,
    ...outgoing,
    transport,
    governor,
    clock,
    attempts: 1,
  });
  const twins = startKeyTwins({ ...input, client, newKey: randomUUID });
  return {
    end: async () => {
      try {
        return await twins.end();
      } finally {
        await transport.close();
      }
    },
  };
}
