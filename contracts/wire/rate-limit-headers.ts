/** What the rate-limit fields of a response say, whichever of the families in use it speaks. */

import { type HeaderList, headersOf } from './exchange.ts';
import { type FieldMember, parseFieldList } from './http/field-list.ts';
import {
  type MalformedField,
  type Note,
  present,
  type RateLimitPolicy,
  type RateLimitReading,
  readNumber,
} from './rate-limit-reading.ts';
import { mergePolicies, readQuota, readSeparateFields } from './rate-limit-separate.ts';

export type { MalformedField, RateLimitReading } from './rate-limit-reading.ts';

/** All that the rate-limit fields of a response say. */
export interface RateLimitReport {
  readonly readings: readonly RateLimitReading[];
  readonly malformed: readonly MalformedField[];
}

/** Several rules read the same answer. */
const known = new WeakMap<HeaderList, RateLimitReport>();

/**
 * Reads the fields of all families, of one list once. What departs from its grammar is reported under
 * `malformed`, and read as well if a number can be made out (a negative one, or a decimal). Other fields
 * with a rate-limit name are left alone.
 */
export function readRateLimitHeaders(headers: HeaderList): RateLimitReport {
  const report = known.get(headers) ?? reportOf(headers);
  known.set(headers, report);
  return report;
}

function reportOf(headers: HeaderList): RateLimitReport {
  const malformed: MalformedField[] = [];
  const noteFor =
    (name: string, value: string): Note =>
    (why) =>
      malformed.push({ name, value, why });

  const state = headersOf(headers, 'ratelimit').join(', ');
  const policy = headersOf(headers, 'ratelimit-policy').join(', ');
  const { dictionary, named } = sortMembers(parseFieldList(state));
  const { plain, named: namedPolicies } = sortMembers(parseFieldList(policy));
  const noteState = noteFor('ratelimit', state);
  const notePolicy = noteFor('ratelimit-policy', policy);

  const readings = [
    ...readSeparateFields(headers, noteFor),
    ...readCombined(dictionary, noteState),
  ];
  const quotas = plain.flatMap((member) => readQuota(member, notePolicy));
  return {
    readings: [
      ...withQuotas(readings, quotas),
      ...readStructured(named, namedPolicies, noteState, notePolicy),
    ],
    malformed,
  };
}

/** Members by their grammar: `key=value`, a number, or a name. */
function sortMembers(
  members: readonly FieldMember[],
): Record<'dictionary' | 'plain' | 'named', FieldMember[]> {
  const sorted = { dictionary: [], plain: [], named: [] } as ReturnType<typeof sortMembers>;
  for (const member of members) {
    if (member.key !== undefined) sorted.dictionary.push(member);
    else sorted[member.value.kind === 'number' ? 'plain' : 'named'].push(member);
  }
  return sorted;
}

/** `limit=100, remaining=50, reset=5`, the dictionary of -07. */
function readCombined(members: readonly FieldMember[], note: Note): RateLimitReading[] {
  if (members.length === 0) return [];
  const memberOf = (key: string): FieldMember | undefined =>
    members.filter((member) => member.key === key).at(-1);
  const limit = readNumber(memberOf('limit')?.value, 'limit', note);
  if (memberOf('limit') === undefined) note('the limit is missing');
  const reset = memberOf('reset')?.value;
  const raw = readNumber(reset, 'reset', note);
  return [
    present({
      family: 'combined' as const,
      policies: limit === undefined ? [] : [{ limit }],
      remaining: readNumber(memberOf('remaining')?.value, 'remaining', note),
      reset: raw === undefined || reset === undefined ? undefined : { raw, text: reset.text },
    }),
  ];
}

/** The policy field of -04 to -07, `100;w=60`, speaks of the draft's own fields beside it. */
function withQuotas(
  readings: readonly RateLimitReading[],
  quotas: readonly RateLimitPolicy[],
): RateLimitReading[] {
  if (quotas.length === 0) return [...readings];
  const isDraft = ({ family }: RateLimitReading): boolean =>
    family === 'separate' || family === 'combined';
  if (!readings.some(isDraft)) return [...readings, { family: 'separate', policies: quotas }];
  return readings.map((reading) =>
    isDraft(reading)
      ? { ...reading, policies: mergePolicies([...reading.policies, ...quotas]) }
      : reading,
  );
}

/** The unit of a quota that states none (draft-ietf-httpapi-ratelimit-headers-10, section 3.1). */
const REQUESTS = 'requests';
/** No service states more policies under one name. */
const MAX_OF_ONE_NAME = 50;

/** `"burst";r=50;t=30` of the state and `"burst";q=100;w=60` of the policy, one reading a name. */
function readStructured(
  states: readonly FieldMember[],
  policies: readonly FieldMember[],
  noteState: Note,
  notePolicy: Note,
): RateLimitReading[] {
  const byName = new Map<string, RateLimitReading>();
  // Of what is counted in bytes, or at once, nothing is known of requests.
  const ofOtherUnits = new Set<string>();
  const readingOf = (name: string): RateLimitReading =>
    byName.get(name) ?? { family: 'structured', name, policies: [] };

  for (const { value, parameters } of policies) {
    const name = nameOf(value, notePolicy);
    if ((parameters.get('qu')?.text ?? REQUESTS) !== REQUESTS) ofOtherUnits.add(name);
    const limit = readNumber(parameters.get('q'), `q of ${name}`, notePolicy);
    if (!parameters.has('q')) notePolicy(`q of ${name} is missing`);
    if (limit === undefined) continue;
    const windowSeconds = readNumber(parameters.get('w'), `w of ${name}`, notePolicy);
    const partitionKey = parameters.get('pk')?.text;
    const policy = present({ name, limit, windowSeconds, partitionKey });
    const reading = readingOf(name);
    // A name that comes again and again says no more than at first.
    if (reading.policies.length >= MAX_OF_ONE_NAME) continue;
    byName.set(name, { ...reading, policies: [...reading.policies, policy] });
  }
  for (const { value, parameters } of states) {
    const name = nameOf(value, noteState);
    const remaining = readNumber(parameters.get('r'), `r of ${name}`, noteState);
    if (!parameters.has('r')) noteState(`r of ${name} is missing`);
    const reset = parameters.get('t');
    const raw = readNumber(reset, `t of ${name}`, noteState);
    byName.set(
      name,
      present({
        ...readingOf(name),
        remaining,
        reset: raw === undefined || reset === undefined ? undefined : { raw, text: reset.text },
      }),
    );
  }
  return [...byName].flatMap(([name, reading]) => (ofOtherUnits.has(name) ? [] : [reading]));
}

function nameOf(value: FieldMember['value'], note: Note): string {
  if (value.kind !== 'string') note(`the name is no quoted string: ${value.text}`);
  return value.text;
}
