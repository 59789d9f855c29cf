import { MendableError } from '../../../contracts/wire/mendable-error.ts';
import { given, omit } from '../../../contracts/wire/json.ts';
import { outgoingOf, type OutgoingOptions } from '../../../target/transport/outgoing.ts';
import type { Redactor } from '../../../target/redaction/redactor.ts';
import type { K6Plan, PlannedHeader, PlannedRequest } from '../../k6/plan.ts';
import { MAX_REQUESTS, packedChoices } from '../../k6/plan.ts';
import { total } from '../../sums.ts';
import type { LoadJob, PreparedRequest } from '../../engine.ts';
import { countsErrors, type K6Demands, k6Options } from './k6-options.ts';

/** Thrown when a run cannot be handed to k6; the message says why, and what to do. */
export class UnfitPlan extends MendableError {
  override readonly name = 'UnfitPlan';
}

/** What a plan depends on besides the job. */
export interface K6PlanOptions extends Pick<K6Demands, 'vus' | 'thresholds'> {
  /** What requests are sent with, as by the ordinary client. */
  readonly sender: OutgoingOptions;
  /** From 0 to 1. */
  readonly judgeShare: number;
  /** Of the machine that k6 runs on; absent if nobody knows. */
  readonly cores?: number;
  /** Ids of the rules that judge, of those that k6 has; all when absent. They go by the built-in contract. */
  readonly rules?: readonly string[];
}

/** What k6 is given: files beside its script, and variables of its environment. */
export interface PlannedRun {
  /** JSON texts by the names of their files; they hold no secret. */
  readonly files: Readonly<Record<'plan.json' | 'requests.json' | 'choices.json', string>>;
  /** The secrets, by the names that stand for them. */
  readonly secrets: Readonly<Record<string, string>>;
}

const KEPT_PER_RULE = 2;
const MAX_EXCHANGE_CHARACTERS = 262_144;
/** Variables that are made up for values of which no variable of the user's is the whole. */
const OWN_SECRET = 'ASSAY_K6_SECRET_';

/**
 * Lays a job out for k6.
 *
 * @throws {UnfitPlan} when there are too many requests, or one carries a secret elsewhere than in a field
 * @throws {CredentialMissing} when a request needs one that is not set
 * @throws {ApiNotConfigured}
 */
export function planForK6(job: LoadJob, options: K6PlanOptions): PlannedRun {
  const { requests, schedule, scenario, timeoutMs } = job;
  if (requests.length > MAX_REQUESTS) {
    throw new UnfitPlan(
      `k6 takes ${MAX_REQUESTS} prepared requests at most, and there are ${requests.length}. Prepare fewer.`,
    );
  }
  const places = new Map<PreparedRequest, number>();
  const planned: PlannedRequest[] = [];
  const secrets: Record<string, string> = {};
  const placeOf = (request: PreparedRequest): number => {
    let place = places.get(request);
    if (place === undefined) {
      place = planned.push(plannedRequest(request, options.sender, secrets)) - 1;
      if (place >= MAX_REQUESTS) throw new UnfitPlan('the mix gives ever new requests to k6.');
      places.set(request, place);
    }
    return place;
  };
  // As they were prepared, those first that come first in the mix.
  for (const request of requests) placeOf(request);
  const choices = packedChoices(schedule.slots, (slot) => placeOf(job.choose(slot)));
  const plan: K6Plan = {
    scenario,
    options: k6Options(scenario, schedule, { ...options, timeoutMs }),
    firstSlots: schedule.steps.map(({ first }) => first),
    judgeShare: options.judgeShare,
    ...given({ cores: options.cores }),
    readyVus: total(options.vus.ready),
    rules: options.rules ?? null,
    keptPerRule: KEPT_PER_RULE,
    mostExchangeCharacters: MAX_EXCHANGE_CHARACTERS,
    timeoutMs,
    run: options.sender.run ?? '',
    countsErrors: countsErrors(options.thresholds ?? []),
  };
  return {
    files: {
      'plan.json': JSON.stringify(plan),
      'requests.json': JSON.stringify(planned),
      'choices.json': JSON.stringify(choices),
    },
    secrets,
  };
}

function plannedRequest(
  { operation, request }: PreparedRequest,
  sender: OutgoingOptions,
  secrets: Record<string, string>,
): PlannedRequest {
  // Each slot has an Idempotency-Key of its own: the script makes it from the one that was prepared.
  const outgoing = outgoingOf(request, omit(sender, 'run'));
  const { redactor } = sender;
  const { method, url, body } = outgoing;
  const text = body === null ? null : Buffer.from(body).toString('utf8');
  if (body !== null && !Buffer.from(text ?? '', 'utf8').equals(body)) {
    throw new UnfitPlan(
      `a request of ${operation} has a body that is no text, which k6 cannot send.`,
    );
  }
  if (redactor.text(url) !== url || (text !== null && redactor.text(text) !== text)) {
    throw new UnfitPlan(
      `a request of ${operation} carries a secret in its URL or body, which would stand in a file for k6. Use the open-loop engine.`,
    );
  }
  const headers = outgoing.headers.map(([name, value]) =>
    plannedHeader(name, value, redactor, secrets),
  );
  const { api, path, purpose } = request;
  return { operation, api, method, url, path, headers, body: text, purpose };
}

/** A field whose secret, if it has one, stands in the environment alone. */
function plannedHeader(
  name: string,
  value: string,
  redactor: Redactor,
  secrets: Record<string, string>,
): PlannedHeader {
  const shown = redactor.headers([[name, value]])[0]?.[1] ?? '';
  if (shown === value) return { name, value };
  const [placeholder = '', variable = ''] = /\$([A-Z][A-Z0-9_]*)/.exec(shown) ?? [];
  const known = redactor.reveal(variable);
  // Of several values under one name, only the newest is known by it.
  const isFree = (secrets[variable] ?? known) === known;
  if (isFree && known !== undefined && shown.split(placeholder).join(known) === value) {
    secrets[variable] = known;
    return { name, value: shown, secret: variable };
  }
  const same = Object.entries(secrets).find(([, secret]) => secret === value)?.[0];
  const own = same ?? `${OWN_SECRET}${Object.keys(secrets).length + 1}`;
  secrets[own] = value;
  return { name, value: `$${own}`, secret: own };
}
