/** A real k6 for tests, and what they send with it. */

import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import type { Exchange } from '../../../contracts/wire/exchange.ts';
import { createRedactor } from '../../../target/redaction/redactor.ts';
import type { OutgoingOptions } from '../../../target/transport/outgoing.ts';
import type { Secrets } from '../../../target/config/secrets.ts';
import type { LoadStep, Scenario } from '../../scenarios/scenario.ts';
import { scheduleOf } from '../../scenarios/schedule.ts';
import type { LoadJob, PreparedRequest } from '../../engine.ts';
import type { EngineViolation, Sample } from '../../load-sink.ts';
import { findK6, INSTALL_K6, type K6Binary } from './k6-binary.ts';
import { TYPED_ERRORS } from '../../../contracts/service/wire/error-body.ts';

/** Where `go install` puts it, beside the PATH. */
const IN_GO = path.join(homedir(), 'go', 'bin', 'k6');

/** The k6 that is there; undefined if there is none, which is reported, and is a failure in CI. */
export async function k6ForTests(): Promise<K6Binary | undefined> {
  const given = process.env.ASSAY_TEST_K6 ?? (existsSync(IN_GO) ? IN_GO : undefined);
  try {
    return await findK6(given, process.env);
  } catch (error) {
    const how = `Install it with \`${INSTALL_K6}\`, or say where it is with ASSAY_TEST_K6.`;
    if (process.env.CI !== undefined && process.env.CI !== '') {
      throw new Error(`CI must have k6, so that its tests run. ${how}`, { cause: error });
    }
    console.warn(`No k6 is there: the tests that run it are left out. ${how}`);
    return undefined;
  }
}

/** A scenario of the given steps. */
export function scenarioOf(steps: readonly LoadStep[], own: Partial<Scenario> = {}): Scenario {
  return {
    name: 'test',
    purpose: 'Tries k6.',
    steps,
    mix: {},
    clients: { kind: 'one', count: 1 },
    onThrottle: 'go-on',
    endsWhenBroken: false,
    ceilings: { requests: 10_000, seconds: 60 },
    ...own,
  };
}

/** What a sink was given. */
export interface Heard {
  readonly samples: Sample[];
  readonly judged: { readonly step: number; readonly extent: 'card' | 'all' }[];
  readonly violations: EngineViolation[];
}

/** A job and what its sink was given; slot k sends the prepared request k mod their number. */
export function jobOf(
  scenario: Scenario,
  requests: readonly PreparedRequest[],
  own: Partial<LoadJob> = {},
): { readonly job: LoadJob; readonly heard: Heard } {
  const heard: Heard = { samples: [], judged: [], violations: [] };
  const job: LoadJob = {
    scenario,
    schedule: scheduleOf(scenario),
    requests,
    choose: (slot) => {
      const request = requests[slot % requests.length];
      if (request === undefined) throw new Error('a test has to prepare requests');
      return request;
    },
    sink: {
      sample: (sample) => heard.samples.push(sample),
      judged: (step, extent) => heard.judged.push({ step, extent }),
      violated: (violation) => heard.violations.push(violation),
    },
    isThrottled: TYPED_ERRORS.isThrottled,
    waitIn: TYPED_ERRORS.waitIn,
    timeoutMs: 5000,
    maxBodyBytes: 1_000_000,
    connections: 50,
    signal: new AbortController().signal,
    ...own,
  };
  return { job, heard };
}

/** What sends to one base URL, for both APIs. */
export function senderTo(url: string, secrets: Secrets = {}): OutgoingOptions {
  const config = { zapUrl: url, tradeUrl: url, timeoutMs: 5000, maxBodyBytes: 1_000_000 };
  return { config, redactor: createRedactor(secrets), version: '0.0.0', run: 'r1' };
}

/** The body of a response that an exchange holds. */
export function bodyIn({ outcome }: Exchange): string {
  return outcome.kind === 'response' ? outcome.response.body.text : '';
}
