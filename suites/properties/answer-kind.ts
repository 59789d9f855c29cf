import { isObject, listOf } from '../../contracts/wire/json.ts';
import type { Exchange } from '../../contracts/wire/exchange.ts';
import { jsonOrUndefined } from '../../contracts/wire/parse-json.ts';
import { hashOf } from './hash.ts';

/** Longer answers are reported by their length in powers of two. */
const LONGEST = 32_768;
/** More places of an answer are not looked at. */
const MAX_PLACES = 400;
/** Of a list so many entries are looked at. */
const MAX_ENTRIES = 3;
const MAX_CHARACTERS = 40;
/** Members whose text says what kind of thing an answer is. */
const KIND_MEMBERS: readonly string[] = ['action', 'type', 'code', 'status'];
/** Names that are data: numbers, addresses, pairs of them. */
const DATA = /\d|^0x/i;

/**
 * What kind of answer an exchange had: its operation, its status, which members it has, what type
 * each is of, and the few texts that name kinds. Two answers that differ in values alone are of one
 * kind. A short text, whatever the answer.
 */
export function answerKindOf({ outcome }: Exchange, operation: string): string {
  if (outcome.kind === 'failure') return `${operation} ${outcome.failure}`;
  const { status, body } = outcome.response;
  if (body.text.length > LONGEST) {
    return `${operation} ${status} long ${Math.ceil(Math.log2(body.text.length))}`;
  }
  const places = new Set<string>();
  note(places, '', jsonOrUndefined(body.text));
  return `${operation} ${status} ${hashOf([...places].sort().join('\n'))}`;
}

function note(places: Set<string>, at: string, value: unknown): void {
  if (places.size >= MAX_PLACES) return;
  if (Array.isArray(value)) {
    places.add(`${at} ${value.length === 0 ? 'empty' : 'list'}`);
    // The order of steps is part of what a route is.
    const actions = listOf(value).map((item) => (isObject(item) ? item.action : undefined));
    if (actions.some((action) => typeof action === 'string')) {
      places.add(`${at} ${JSON.stringify(actions.slice(0, MAX_ENTRIES * 3)).slice(0, 200)}`);
    }
    for (const item of listOf(value).slice(0, MAX_ENTRIES)) note(places, `${at}/*`, item);
    return;
  }
  if (!isObject(value)) {
    places.add(`${at} ${value === null ? 'null' : typeof value}`);
    return;
  }
  for (const [name, inner] of Object.entries(value)) {
    if (KIND_MEMBERS.includes(name) && typeof inner === 'string') {
      places.add(`${at}/${name} ${inner.slice(0, MAX_CHARACTERS)}`);
    } else {
      note(places, `${at}/${DATA.test(name) ? '*' : name.slice(0, MAX_CHARACTERS)}`, inner);
    }
  }
}
