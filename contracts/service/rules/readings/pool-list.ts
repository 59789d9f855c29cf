import { isObject, member } from '../../../wire/json.ts';
import { evmKey } from '../../../wire/addresses.ts';

/** Pool lists as their rules see them (document, sections 2.5 and 4.1). */

/** Longer lists are not compared with others: the largest page holds 200 (section 4.1). */
export const MAX_POOLS = 1_000;
/** Longer texts are no addresses and no names. */
export const MAX_CHARACTERS = 300;

/** The pools of a list; undefined when the response holds none in the documented way. */
export function poolsOf(json: unknown): readonly unknown[] | undefined {
  const pools = member(member(json, 'data'), 'pools');
  return Array.isArray(pools) ? (pools as readonly unknown[]) : undefined;
}

/**
 * The value of a parameter of a request for pools. Null if it is not given, or given more than once: which of
 * them counts is open.
 */
export function givenOnce(query: URLSearchParams, name: string): string | null {
  const [value, ...more] = query.getAll(name);
  return value === undefined || more.length > 0 ? null : value;
}

/** The identifier in the `protocol` of a pool, whose type is not shown: itself, or its `id`. */
export function protocolIn(pool: unknown): string | undefined {
  const protocol = member(pool, 'protocol');
  const id = isObject(protocol) ? protocol.id : protocol;
  return typeof id === 'string' ? id : undefined;
}

/** A chain id, as a number or in decimal digits; undefined for anything else. */
export function chainNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : undefined;
  return typeof value === 'string' && /^[1-9][0-9]{0,15}$/.test(value) ? Number(value) : undefined;
}

/** Every EVM address in a JSON value, in lower case: as a string, one of several in it, or a key. */
export function evmAddressesIn(json: unknown): ReadonlySet<string> {
  const found = new Set<string>();
  collect(json, found);
  return found;
}

const EVM_LENGTH = 42;

function collect(json: unknown, found: Set<string>): void {
  if (typeof json === 'string') {
    if (json.length <= EVM_LENGTH) note(evmKey(json), found);
    else for (const part of json.split(',')) note(evmKey(part.trim()), found);
  } else if (Array.isArray(json)) {
    for (const item of json) collect(item, found);
  } else if (isObject(json)) {
    for (const key in json) {
      note(evmKey(key), found);
      collect(json[key], found);
    }
  }
}

function note(key: string, found: Set<string>): void {
  if (key !== '') found.add(key);
}
