/** Long because it is one walk over a document, and each step of it fills the same tables. */

import { progressed } from '../large/progress.ts';
import { isDeepStrictEqual } from 'node:util';
import { ContractError } from '../contract-error.ts';
import { isObject, type JsonObject } from '../../wire/json.ts';
import { dialectOf, kindOf } from './file-kinds.ts';
import { type Dialect, type Kind, mayRefer, partsOf } from './openapi-objects.ts';
import { memberOf, type Place, placeAt, pointerIn } from './openapi-place.ts';
import { type Reference, resourceOf, wanted, type WantedFile } from './wanted-file.ts';

/** A schema of a document. */
export interface SurveyedSchema {
  readonly place: Place;
  readonly dialect: Dialect;
  /** Its reference; undefined without one. */
  readonly ref: string | undefined;
  /** What relative references in it are relative to: the file, or the `$id` around. */
  readonly base: string;
  /** Where its reference leads; undefined if that is nowhere. */
  readonly target: Place | undefined;
  /** Where its dynamic reference leads; undefined if that depends on the way to it, or without one. */
  readonly dynamicTarget: Place | undefined;
}

/**
 * Goes over a document and its files, and says which objects are schemas, in which dialect, and where
 * references lead: by a JSON pointer, an `$id` or an anchor (JSON Schema 2020-12 core, section 8.2). It
 * looks at what OpenAPI, or a reference, says to be a schema; examples and other data are never taken
 * for one. Time and memory are linear in the files.
 */
export class Survey {
  readonly #source: string;
  readonly #root: string;
  readonly #files = new Map<string, unknown>();
  /** Schemas by `$id`, and by `$id` with an anchor as fragment. */
  readonly #names = new Map<string, Place>();
  /** Schemas by their dynamic anchors. */
  readonly #dynamicAnchors = new Map<string, Set<object>>();
  readonly #seen = new WeakMap<object, Set<string>>();
  readonly #visits: (readonly [kind: Kind, place: Place, base: string])[] = [];
  readonly #references: Reference[] = [];
  /** References that lead nowhere so far, by the name that is missing. */
  readonly #unresolved = new Map<string, Reference[]>();
  readonly #schemas = new Map<object, Omit<SurveyedSchema, 'target' | 'dynamicTarget'>>();

  /** @param root URL of the first file */
  constructor(source: string, root: string) {
    this.#source = source;
    this.#root = root;
  }

  /** Adds a file; the first one first. */
  add(url: string, value: unknown): void {
    this.#files.set(url, value);
    const kind = kindOf(value, url === this.#root);
    if (kind !== undefined) this.#visits.push([kind, { file: url, pointer: [], value }, url]);
    for (const [name, references] of this.#unresolved) {
      if (isObject(value) && '$id' in value)
        references.forEach((one) => {
          this.#visitWanted(one);
        });
      if (resourceOf(name) === url) this.#retry(name);
    }
  }

  /** Whether a file was added. */
  has(url: string): boolean {
    return this.#files.has(url);
  }

  /**
   * Looks at all that is reached by now.
   *
   * @returns references to what no file and no `$id` stands for
   * @throws ContractError when two different schemas have one name
   */
  look(): WantedFile[] {
    for (;;) {
      // What stands around a place is seen before references lead into the middle of it.
      const visit = this.#visits.pop();
      const reference = visit === undefined ? this.#references.pop() : undefined;
      if (visit !== undefined) this.#visit(...visit);
      else if (reference !== undefined) this.#follow(reference);
      else break;
    }
    return [...this.#unresolved].flatMap(([name, [first]]) =>
      first === undefined || this.#resource(resourceOf(name)) !== undefined ? [] : [wanted(first)],
    );
  }

  /** All schemas that were reached. */
  schemas(): SurveyedSchema[] {
    return [...this.#schemas.values()].map((schema) => {
      const { ref, base } = schema;
      const target = ref === undefined ? undefined : this.#targetOf(ref, base);
      return { ...schema, target, dynamicTarget: this.#dynamicTargetOf(schema) };
    });
  }

  /**
   * Where a `$dynamicRef` leads whatever the way to it. It names no dynamic anchor, or the only one of its
   * name (JSON Schema 2020-12 core, section 8.2.3.2).
   */
  #dynamicTargetOf({
    place,
    dialect,
    base,
  }: Pick<SurveyedSchema, 'place' | 'dialect' | 'base'>): Place | undefined {
    const { $dynamicRef } = place.value as JsonObject;
    if (typeof $dynamicRef !== 'string' || dialect === '3.0') return undefined;
    const target = this.#targetOf($dynamicRef, base);
    const anchor = isObject(target?.value) ? target.value.$dynamicAnchor : undefined;
    if (typeof anchor !== 'string' || !$dynamicRef.endsWith(`#${anchor}`)) return target;
    return this.#dynamicAnchors.get(anchor)?.size === 1 ? target : undefined;
  }

  #visit(kind: Kind, place: Place, around: string): void {
    const { file, pointer, value } = place;
    if (typeof value !== 'object' || value === null) return;
    progressed();
    // Whatever refers to all of a document, it is no schema, and is not to be rewritten as one.
    if (kind === 'schema' && isObject(value) && typeof value.openapi === 'string') return;
    const seen = this.#seen.get(value) ?? new Set<string>();
    // Aliases of YAML are one object, whatever stands around each of them.
    if (seen.has(`${kind} ${around}`)) return;
    this.#seen.set(value, seen.add(kind).add(`${kind} ${around}`));
    const dialect = this.#dialect(file);
    const object = isObject(value) ? value : {};
    const base = kind === 'schema' ? this.#named(place, object, dialect, around) : around;
    const ref = typeof object.$ref === 'string' && mayRefer(kind) ? object.$ref : undefined;
    if (kind === 'schema') this.#schemas.set(value, { place, dialect, ref, base });
    if (ref !== undefined) this.#references.push({ ref, place, base, kind });
    const { $dynamicRef } = object;
    if (typeof $dynamicRef === 'string' && kind === 'schema' && dialect !== '3.0') {
      this.#references.push({ ref: $dynamicRef, place, base, kind });
    }
    for (const [key, inner] of partsOf(kind, value, dialect)) {
      const part = (value as JsonObject)[key];
      this.#visits.push([inner, { file, pointer: [...pointer, key], value: part }, base]);
    }
  }

  /** Takes in the names of a schema. Returns what references in it are relative to. */
  #named(place: Place, schema: JsonObject, dialect: Dialect, around: string): string {
    if (dialect === '3.0') return around;
    const { $id, $anchor, $dynamicAnchor } = schema;
    let base = around;
    const anchors = [$anchor, $dynamicAnchor];
    if (typeof $dynamicAnchor === 'string') {
      const known = this.#dynamicAnchors.get($dynamicAnchor) ?? new Set<object>();
      this.#dynamicAnchors.set($dynamicAnchor, known.add(schema));
    }
    // Older schemas name anchors so.
    if (typeof $id === 'string' && $id.startsWith('#')) anchors.push($id.slice(1));
    else if (typeof $id === 'string' && URL.canParse($id, around)) {
      base = resourceOf(new URL($id, around).href);
      this.#name(base, place);
    }
    for (const anchor of anchors) {
      if (typeof anchor === 'string') this.#name(`${base}#${anchor}`, place);
    }
    return base;
  }

  #name(name: string, place: Place): void {
    const known = this.#names.get(name);
    if (known !== undefined && !isDeepStrictEqual(known.value, place.value)) {
      const problem = `has schemas that cannot be distinguished: two have the name ${name}.`;
      throw new ContractError(this.#source, problem);
    }
    if (known === undefined) this.#names.set(name, place);
    this.#retry(name);
  }

  #follow(reference: Reference): void {
    const { ref, base, kind } = reference;
    // What is no URL has no resource, so that it is wanted.
    const { href, hash } = URL.canParse(ref, base) ? new URL(ref, base) : { href: ref, hash: '' };
    if (kind === 'schema' && this.#visitNamed(resourceOf(href))) {
      this.#references.push(reference);
      return;
    }
    const target = this.#targetOf(ref, base);
    if (target !== undefined) {
      if (!this.#isSeen(target.value, kind))
        this.#visits.push([kind, target, this.#baseAround(target)]);
      return;
    }
    const isAnchor = pointerIn(hash.slice(1)) === undefined;
    const name = isAnchor ? href : resourceOf(href);
    this.#visitWanted(reference);
    const others = this.#unresolved.get(name);
    if (others === undefined) this.#unresolved.set(name, [reference]);
    else others.push(reference);
    const file = isAnchor ? this.#resource(resourceOf(href)) : undefined;
    // What has anchors is a schema as a whole, but OpenAPI 3.0 knows none.
    if (file !== undefined && this.#dialect(file.file) !== '3.0')
      this.#visits.push(['schema', file, file.file]);
  }

  /** What a schema refers to by the name of a file may have the name that it means as its `$id`. */
  #visitWanted(reference: Reference): void {
    if (reference.kind !== 'schema') return;
    for (const url of wanted(reference).urls) this.#visitNamed(url);
  }

  /**
   * A file with an `$id` is a schema as a whole once a schema refers to a part of it. What stands in it is
   * relative to that name.
   *
   * @returns whether it was not looked at before
   */
  #visitNamed(url: string): boolean {
    const value = this.#files.get(url);
    if (!isObject(value) || typeof value.$id !== 'string' || this.#dialect(url) === '3.0')
      return false;
    if (typeof value.openapi === 'string' || this.#isSeen(value, 'schema')) return false;
    this.#visits.push(['schema', { file: url, pointer: [], value }, url]);
    return true;
  }

  #isSeen(value: unknown, kind: Kind): boolean {
    return isObject(value) && this.#seen.get(value)?.has(kind) === true;
  }

  /** What references at a place are relative to: what they are in the innermost schema around it, or its file. */
  #baseAround({ file, pointer }: Place): string {
    let base = file;
    let value = this.#files.get(file);
    for (const step of pointer) {
      base = (isObject(value) ? this.#schemas.get(value)?.base : undefined) ?? base;
      value = memberOf(value, step);
    }
    return base;
  }

  #retry(name: string): void {
    for (const reference of this.#unresolved.get(name) ?? []) this.#references.push(reference);
    this.#unresolved.delete(name);
  }

  #targetOf(ref: string, base: string): Place | undefined {
    if (!URL.canParse(ref, base)) return undefined;
    const { href, hash } = new URL(ref, base);
    const steps = pointerIn(hash.slice(1));
    if (steps === undefined)
      return this.#names.get(href) ?? this.#names.get(this.#own(href) + hash);
    const top = this.#resource(resourceOf(href));
    return top === undefined
      ? undefined
      : placeAt(this.#files, top.file, [...top.pointer, ...steps]);
  }

  /** What a file is called by its `$id`; itself without one. */
  #own(url: string): string {
    const file = this.#files.get(resourceOf(url));
    return (isObject(file) ? this.#schemas.get(file)?.base : undefined) ?? resourceOf(url);
  }

  #dialect(url: string): Dialect {
    return dialectOf(this.#files.get(url), this.#files.get(this.#root));
  }

  /** The schema of an `$id`, or else a file. */
  #resource(url: string): Place | undefined {
    return this.#names.get(url) ?? placeAt(this.#files, url, []);
  }
}
