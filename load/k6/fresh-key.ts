import type { PlannedHeader } from './plan.ts';

const NAME = 'idempotency-key';
/** Shorter keys are about their form. */
const MIN_CHARACTERS = 16;
/** Where a UUID says which kind it is (RFC 9562 section 4). */
const KIND_OF_UUID: readonly number[] = [14, 19];
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/**
 * Fields with an Idempotency-Key of this slot's own: a prepared request is sent many times, and a
 * service that remembers keys would answer all but the first with what it said before. A key keeps its
 * form.
 *
 * @param digest digest of a text, in 64 hex digits
 */
export function withOwnKey(
  headers: readonly PlannedHeader[],
  about: string,
  digest: (text: string) => string,
): readonly PlannedHeader[] {
  if (!headers.some(({ name }) => name.toLowerCase() === NAME)) return headers;
  return headers.map((header) =>
    header.name.toLowerCase() === NAME
      ? { ...header, value: ownKey(header.value, about, digest) }
      : header,
  );
}

function ownKey(key: string, about: string, digest: (text: string) => string): string {
  if (key.length < MIN_CHARACTERS) return key;
  let digits = '';
  for (let block = 0; digits.length < key.length; block += 1) {
    digits += digest(`${block}\n${about}\n${key}`);
  }
  const kept = UUID.test(key) ? KIND_OF_UUID : [];
  return Array.from(key, (character, at) =>
    /[0-9a-f]/.test(character) && !kept.includes(at) ? (digits[at] ?? character) : character,
  ).join('');
}
