import type { Kind } from './openapi-objects.ts';
import type { Place } from './openapi-place.ts';

/** A reference to what is not known yet. */
export interface WantedFile {
  readonly ref: string;
  /** The object that has the reference. */
  readonly place: Place;
  /** URLs under which it may be read, the one that the reference means first; none if it is no URL. */
  readonly urls: readonly string[];
}

/** A reference of a document, and where it stands. */
export interface Reference {
  readonly ref: string;
  readonly place: Place;
  readonly base: string;
  readonly kind: Kind;
}

/** A URL without its fragment. */
export function resourceOf(url: string): string {
  return url.replace(/#.*/s, '');
}

/** What is missing where a reference leads nowhere. */
export function wanted({ ref, place, base }: Reference): WantedFile {
  const urls = [base, place.file].flatMap((from) =>
    URL.canParse(ref, from) ? [resourceOf(new URL(ref, from).href)] : [],
  );
  return { ref, place, urls: [...new Set(urls)] };
}
