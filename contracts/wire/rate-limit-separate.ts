/** The families with one field for each number: `X-RateLimit-*`, and `RateLimit-*` of -03 to -06. */

import type { HeaderList } from './exchange.ts';
import { type FieldMember, type FieldValue, parseFieldList } from './http/field-list.ts';
import {
  type Note,
  present,
  type RateLimitFamily,
  type RateLimitPolicy,
  type RateLimitReading,
  readNumber,
} from './rate-limit-reading.ts';

const NAME = /^(x-ratelimit|x-rate-limit|ratelimit)-(limit|remaining|reset)(?:-(.+))?$/;

/** Endings by which some gateways distinguish windows: `X-RateLimit-Limit-Minute`. */
const WINDOW_SECONDS = new Map([
  ['second', 1],
  ['minute', 60],
  ['hour', 3600],
  ['day', 86_400],
]);

interface Group {
  readonly family: RateLimitFamily;
  readonly name: string | undefined;
  /** Field values by `limit`, `remaining`, `reset`; repeated fields joined by commas. */
  readonly values: Map<string, string>;
}

/** Reads these families; names with an ending of their own, as `-Minute`, are limits of their own. */
export function readSeparateFields(
  headers: HeaderList,
  noteFor: (name: string, value: string) => Note,
): RateLimitReading[] {
  const groups = new Map<string, Group>();
  for (const [field, value] of headers) {
    const [, prefix, part = '', name] = NAME.exec(field.toLowerCase()) ?? [];
    if (prefix === undefined) continue;
    const family = prefix === 'ratelimit' ? 'separate' : (prefix as RateLimitFamily);
    const id = `${family} ${name ?? ''}`;
    const group = groups.get(id) ?? { family, name, values: new Map<string, string>() };
    groups.set(id, group);
    const before = group.values.get(part);
    group.values.set(part, before === undefined ? value : `${before}, ${value}`);
  }
  return [...groups.values()].map((group) => readGroup(group, noteFor));
}

function readGroup(
  { family, name, values }: Group,
  noteFor: (name: string, value: string) => Note,
): RateLimitReading {
  const prefix = family === 'separate' ? 'ratelimit' : family;
  const noteOf = (part: string): Note =>
    noteFor(
      [prefix, part, ...(name === undefined ? [] : [name])].join('-'),
      values.get(part) ?? '',
    );
  const single = (part: string): FieldValue | undefined => {
    const text = values.get(part)?.trim();
    if (text === undefined) return undefined;
    const [member, ...more] = parseFieldList(text);
    if (member !== undefined && more.length === 0) return member.value;
    return { kind: 'other', text };
  };

  const windowSeconds = WINDOW_SECONDS.get(name ?? '');
  const policies = readPolicies(values.get('limit'), noteOf('limit')).map((policy) =>
    present({ name, windowSeconds, ...policy }),
  );
  const remaining = readNumber(single('remaining'), 'the value', noteOf('remaining'));
  const reset = single('reset');
  // Only the drafts say what a reset is: a whole number of seconds.
  const raw = readNumber(reset, 'the value', noteOf('reset'), family !== 'separate');
  return present({
    family,
    name,
    policies,
    remaining,
    reset: raw === undefined || reset === undefined ? undefined : { raw, text: reset.text },
  });
}

/** `100`, or with the policies that it comes from, `10, 10;w=1, 50;w=60`. */
function readPolicies(text: string | undefined, note: Note): RateLimitPolicy[] {
  if (text === undefined) return [];
  const members = parseFieldList(text);
  if (members.length === 0) note('the field states no limit');
  return mergePolicies(members.flatMap((member) => readQuota(member, note)));
}

/** The policy that an item such as `100;w=60` states, in the grammar of -03 to -07. */
export function readQuota(member: FieldMember, note: Note): RateLimitPolicy[] {
  const limit = readNumber(member.value, 'the limit', note);
  if (limit === undefined) return [];
  const window = member.parameters.get('w') ?? member.parameters.get('window');
  return [present({ limit, windowSeconds: readNumber(window, 'the window', note) })];
}

/** The policies without those that another one states along with its window. */
export function mergePolicies(policies: readonly RateLimitPolicy[]): RateLimitPolicy[] {
  const withWindow = new Set<number>();
  for (const { limit, windowSeconds } of policies) {
    if (windowSeconds !== undefined) withWindow.add(limit);
  }
  const stated = new Set<string>();
  return policies.filter(({ limit, windowSeconds }) => {
    const one = `${limit} ${windowSeconds}`;
    const isRepeated = stated.has(one);
    stated.add(one);
    return !isRepeated && (windowSeconds !== undefined || !withWindow.has(limit));
  });
}
