import { createHash } from 'node:crypto';
import type { HeaderList } from '../../contracts/wire/exchange.ts';

const NAME = /^idempotency-key$/i;
/** Shorter keys are about their form, and two of them must not become one. */
const MIN_CHARACTERS = 16;
/** Where a UUID says which kind it is (RFC 9562 section 4). */
const KIND_OF_UUID: readonly number[] = [14, 19];
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/**
 * Makes Idempotency-Keys those of one run: a seed that repeats its choices would else repeat its keys.
 * A service that remembers them would answer a run of today with what it said yesterday. Equal keys
 * stay equal, and a key keeps its form.
 *
 * @param run distinguishes this run from all others
 */
export function withFreshKeys(headers: HeaderList, run: string): HeaderList {
  if (!headers.some(([name]) => NAME.test(name))) return headers;
  return headers.map(([name, value]) => [name, NAME.test(name) ? freshKey(value, run) : value]);
}

function freshKey(key: string, run: string): string {
  if (key.length < MIN_CHARACTERS) return key;
  const digits = digitsOf(`${run}\n${key}`, key.length);
  const kept = UUID.test(key) ? KIND_OF_UUID : [];
  return Array.from(key, (character, at) =>
    /[0-9a-f]/.test(character) && !kept.includes(at) ? (digits[at] ?? character) : character,
  ).join('');
}

function digitsOf(text: string, count: number): string {
  let digits = '';
  for (let block = 0; digits.length < count; block += 1) {
    digits += createHash('sha256').update(`${block}\n${text}`).digest('hex');
  }
  return digits;
}
