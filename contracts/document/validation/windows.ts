import { isObject, pointerStep } from '../../wire/json.ts';

/** A part of a body, small enough to look for all errors in it. */
export interface Window {
  readonly value: unknown;
  /** Lists and objects that hold only a part of their items here, by their JSON pointers in the window. */
  readonly cuts: ReadonlyMap<string, Cut>;
}

/** A list or an object of which a window holds a part. */
export interface Cut {
  /** How many items of the list stand before those in the window; 0 for an object. */
  readonly offset: number;
  /** As it stands in the body. */
  readonly whole: object;
}

/** Up to here an object is taken for a record, whose small members stand in each window. */
const MAX_RECORD_MEMBERS = 100;
/** So many characters of a key weigh as much as a value: each error below it repeats the key. */
const KEY_CHARACTERS = 32;

/**
 * Windows of a body that together hold all of it, but for what stands under a very long key.
 *
 * @param most how many values a window holds, keys weighed as well
 * @returns at its end, whether all of the body stood in some window
 */
export function* windowsOf(body: unknown, most: number): Generator<Window, boolean> {
  const weights = new Map<object, number>();
  let isWhole = true;

  function weightOf(value: unknown): number {
    if (typeof value !== 'object' || value === null) return 1;
    const known = weights.get(value);
    if (known !== undefined) return known;
    let weight = 1;
    if (Array.isArray(value)) for (const item of value) weight += weightOf(item);
    else for (const [key, inner] of Object.entries(value)) weight += memberWeight(key, inner);
    weights.set(value, weight);
    return weight;
  }

  function memberWeight(key: string, value: unknown): number {
    return Math.floor(key.length / KEY_CHARACTERS) + weightOf(value);
  }

  function* partsOf(value: unknown, room: number): Generator<Window> {
    if (typeof value !== 'object' || value === null || weightOf(value) <= room) {
      yield { value, cuts: new Map() };
    } else if (Array.isArray(value)) {
      yield* listParts(value, room);
    } else if (isObject(value)) {
      yield* objectParts(value, room);
    }
  }

  function* listParts(list: readonly unknown[], room: number): Generator<Window> {
    const from = { whole: list, offset: 0 };
    let items: unknown[] = [];
    let taken = 1;
    for (const [index, item] of list.entries()) {
      const weight = weightOf(item);
      if (taken + weight > room && items.length > 0) {
        yield { value: items, cuts: new Map([['', { ...from, offset: index - items.length }]]) };
        items = [];
        taken = 1;
      }
      if (1 + weight > room) {
        for (const part of partsOf(item, room - 1)) {
          yield within([part.value], '0', part, { ...from, offset: index });
        }
      } else {
        items.push(item);
        taken += weight;
      }
    }
    if (items.length > 0) {
      yield {
        value: items,
        cuts: new Map([['', { ...from, offset: list.length - items.length }]]),
      };
    }
  }

  function* objectParts(whole: Readonly<Record<string, unknown>>, room: number): Generator<Window> {
    const members = Object.entries(whole);
    const light = members.length > MAX_RECORD_MEMBERS ? 0 : room / (2 * MAX_RECORD_MEMBERS);
    const isLight = ([key, value]: readonly [string, unknown]): boolean =>
      memberWeight(key, value) <= light;
    const kept = members.filter(isLight);
    const base = kept.reduce((sum, [key, value]) => sum + memberWeight(key, value), 1);
    const cut = { whole, offset: 0 };
    let piece: [string, unknown][] = [];
    let taken = base;
    for (const member of members) {
      if (isLight(member)) continue;
      const [key, value] = member;
      const weight = memberWeight(key, value);
      if (taken + weight > room && piece.length > 0) {
        yield { value: objectOf(kept, piece), cuts: new Map([['', cut]]) };
        piece = [];
        taken = base;
      }
      if (base + weight <= room) {
        piece.push(member);
        taken += weight;
        continue;
      }
      const left = room - base - (weight - weightOf(value));
      if (left < 2) {
        // Nothing below a key that is too long by itself is looked at.
        isWhole = false;
        continue;
      }
      for (const part of partsOf(value, left)) {
        yield within(objectOf(kept, [[key, part.value]]), key, part, cut);
      }
    }
    if (piece.length > 0) yield { value: objectOf(kept, piece), cuts: new Map([['', cut]]) };
  }

  yield* partsOf(body, most);
  return isWhole;
}

/** A part of a member as a part of its holder. */
function within(value: object, key: string, part: Window, cut: Cut): Window {
  const cuts = new Map<string, Cut>([['', cut]]);
  for (const [pointer, inner] of part.cuts) cuts.set(pointerStep(key) + pointer, inner);
  return { value, cuts };
}

function objectOf(...members: readonly (readonly (readonly [string, unknown])[])[]): object {
  return Object.fromEntries(members.flat());
}

/** Where a pointer into a window leads in the body. */
export function pointerInBody(pointer: string, { cuts }: Window): string {
  let known = '';
  let inBody = '';
  for (const step of pointer.split('/').slice(1)) {
    const offset = cuts.get(known)?.offset ?? 0;
    known += `/${step}`;
    inBody += offset === 0 ? `/${step}` : `/${Number(step) + offset}`;
  }
  return inBody;
}
