import { given } from '../../../contracts/wire/json.ts';
import { createRedactor } from '../../../target/redaction/redactor.ts';
import type { LoadJob, PreparedRequest } from '../../../load/engines/engine.ts';
import { createOpenLoopEngine } from '../../../load/engines/open-loop/open-loop.ts';
import type { RoundsDescription } from '../../../load/run/run-description.ts';

/** It has but one API, whatever that of the target is called. */
const CONTROL = 'control';

/**
 * What is sent to the control beside a target: the same methods, paths and bodies at the same times, by
 * one client, without credentials, without the user's fields, and by no proxy.
 *
 * @param url of the control on this machine
 */
export function controlOf(
  url: string,
  job: Pick<LoadJob, 'scenario' | 'requests' | 'choose' | 'timeoutMs' | 'maxBodyBytes'>,
): RoundsDescription['control'] {
  const plain = new Map(job.requests.map((one) => [one, plainOf(one)]));
  const { timeoutMs, maxBodyBytes } = job;
  return {
    engine: createOpenLoopEngine({
      outgoing: {
        config: { [`${CONTROL}Url`]: url, timeoutMs, maxBodyBytes },
        redactor: createRedactor({}),
      },
    }),
    scenario: { ...job.scenario, clients: { kind: 'one', count: 1 } },
    requests: [...plain.values()],
    choose: (slot) => {
      const chosen = job.choose(slot);
      return plain.get(chosen) ?? plainOf(chosen);
    },
  };
}

function plainOf({ operation, request }: PreparedRequest): PreparedRequest {
  const { method, path, json, rawBody } = request;
  return {
    operation,
    request: {
      ...{ api: CONTROL, method, path, purpose: { kind: 'unknown' } },
      ...given({ json, rawBody }),
    },
  };
}
