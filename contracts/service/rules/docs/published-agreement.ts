import type { JsonObject } from '../../../wire/json.ts';
import { isObject, member, pointerStep } from '../../../wire/json.ts';
import type { Broken } from '../../../judging/rule.ts';
import { METHODS } from './published-openapi.ts';
import { followed, nameOf, objectOf, parametersOf } from './published-operations.ts';

/** What may be reported differently, or left out, without another meaning for a client. */
const WORDS: ReadonlySet<string> = new Set([
  'description',
  'summary',
  'title',
  'tags',
  'operationId',
  'externalDocs',
  'example',
  'examples',
  'servers',
  'security',
  'deprecated',
]);

/** More pairs of schemas, or deeper ones, are not compared. */
const MAX_PAIRS = 100_000;
const MAX_DEPTH = 1_000;

/** Thrown inside if two contracts are too much to compare. */
class TooMuch extends Error {
  override readonly name = 'TooMuch';
}

/**
 * Where two contracts that both state an operation state it differently. References are followed, the
 * order of keys, of parameters and of lists of words does not count. An operation that only one of
 * them has is no difference, since the mirror is scoped.
 *
 * @returns undefined if they are too much to compare
 */
export function disagreements(
  contract: JsonObject,
  mirror: JsonObject,
): readonly Broken[] | undefined {
  try {
    return differences(contract, mirror);
  } catch (error) {
    if (error instanceof TooMuch) return undefined;
    throw error;
  }
}

function differences(contract: JsonObject, mirror: JsonObject): readonly Broken[] {
  // Different versions of OpenAPI write the same thing differently.
  if (versionOf(contract) !== versionOf(mirror)) return [];
  const compare = new Comparison(contract, mirror);
  const ours = objectOf(contract.paths);
  return Object.entries(objectOf(mirror.paths)).flatMap(([path, theirItem]) => {
    const [our, their] = [followed(contract, ours[path]), followed(mirror, theirItem)];
    if (our === undefined || their === undefined) return [];
    return METHODS.filter((method) => isObject(our[method]) && isObject(their[method])).flatMap(
      (method) => {
        const difference = compare.operations(our, their, method);
        if (difference === undefined) return [];
        const pointer = `/paths${pointerStep(path)}/${method}`;
        return [{ pointer, expected: 'the same as in /openapi.yaml', actual: difference }];
      },
    );
  });
}

function versionOf({ openapi, swagger }: JsonObject): string {
  return String(openapi ?? swagger)
    .split('.')
    .slice(0, 2)
    .join('.');
}

class Comparison {
  readonly #contract: JsonObject;
  readonly #mirror: JsonObject;
  /** Pairs that are being compared or were found the same, so that recursive schemas end. */
  readonly #met = new Map<unknown, Set<unknown>>();
  #pairs = 0;
  #depth = 0;

  constructor(contract: JsonObject, mirror: JsonObject) {
    this.#contract = contract;
    this.#mirror = mirror;
  }

  /** Where an operation differs, in words; undefined when it does not. */
  operations(our: JsonObject, their: JsonObject, method: string): string | undefined {
    this.#depth = 0;
    const [ourOperation, theirOperation] = [objectOf(our[method]), objectOf(their[method])];
    return (
      this.#differs(
        parametersOf(this.#contract, our, ourOperation),
        parametersOf(this.#mirror, their, theirOperation),
        'parameters',
      ) ??
      this.#differs(ourOperation.requestBody, theirOperation.requestBody, 'requestBody') ??
      this.#differs(ourOperation.responses, theirOperation.responses, 'responses')
    );
  }

  #differs(ours: unknown, theirs: unknown, place: string): string | undefined {
    if (isObject(ours) && isObject(theirs)) return this.#objectsDiffer(ours, theirs, place);
    if (Array.isArray(ours) && Array.isArray(theirs)) {
      const [left, right] = [inOrder(ours), inOrder(theirs)];
      if (left.length !== right.length)
        return `${place}: ${right.length} items, not ${left.length}`;
      for (const [index, item] of left.entries()) {
        const difference = this.#differs(item, right[index], `${place}/${index}`);
        if (difference !== undefined) return difference;
      }
      return undefined;
    }
    return ours === theirs ? undefined : `${place}: ${shown(theirs)}, not ${shown(ours)}`;
  }

  #objectsDiffer(left: JsonObject, right: JsonObject, place: string): string | undefined {
    const [ours, theirs] = [followed(this.#contract, left), followed(this.#mirror, right)];
    if (ours === undefined || theirs === undefined || this.#haveMet(ours, theirs)) return undefined;
    this.#pairs += 1;
    this.#depth += 1;
    if (this.#pairs > MAX_PAIRS || this.#depth > MAX_DEPTH) throw new TooMuch();
    for (const key of new Set([...Object.keys(ours), ...Object.keys(theirs)])) {
      if (WORDS.has(key) || key.startsWith('x-')) continue;
      const difference = this.#differs(ours[key], theirs[key], `${place}/${key}`);
      if (difference !== undefined) return difference;
    }
    this.#depth -= 1;
    return undefined;
  }

  #haveMet(ours: JsonObject, theirs: JsonObject): boolean {
    const met = this.#met.get(ours) ?? new Set();
    this.#met.set(ours, met);
    if (met.has(theirs)) return true;
    met.add(theirs);
    return false;
  }
}

/** Lists of words, and of parameters, in one order; others as they are. */
function inOrder(items: readonly unknown[]): readonly unknown[] {
  if (items.every((item) => typeof item === 'string')) return [...items].sort();
  if (!items.every((item) => typeof member(item, 'name') === 'string')) return items;
  return [...items].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 80);
}
