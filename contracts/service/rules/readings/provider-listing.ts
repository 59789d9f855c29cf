import { isObject, listOf, member } from '../../../wire/json.ts';

/** Providers of a target as rules see them (document, sections 2.6 and 4.1). */

/** Where a provider is listed, and as what. */
interface Listed {
  readonly chains: Set<string>;
  readonly types: Set<string>;
}

/** The providers of a target by their ids. */
export type Listing = ReadonlyMap<string, Listed>;

/** Whether a provider is listed on one of the chains. */
export function isListed(
  listings: readonly Listing[],
  id: string,
  chains: readonly string[],
): boolean {
  for (const listing of listings) {
    const listed = listing.get(id);
    if (listed === undefined) continue;
    for (const chain of chains) if (listed.chains.has(chain)) return true;
  }
  return false;
}

/** Whether a provider is of this type wherever it is listed. */
export function isOnly(listings: readonly Listing[], type: string, id: string): boolean {
  const all = listings.flatMap((listing) => listing.get(id) ?? []);
  return all.length > 0 && all.every(({ types }) => types.size === 1 && types.has(type));
}

/** A listing of more entries is not kept, nor are ids that are longer. */
const MAX_ENTRIES = 20_000;
const MAX_CHARACTERS = 300;

/**
 * The providers in a parsed body of the provider configuration; null when it holds none, or more than
 * any service has.
 */
export function listingOf(json: unknown): Listing | null {
  const data = member(json, 'data');
  if (!isObject(data)) return null;
  const listing = new Map<string, Listed>();
  let entries = 0;
  for (const [chain, list] of Object.entries(data)) {
    for (const provider of listOf(list)) {
      const [id, type] = [member(provider, 'id'), member(provider, 'type')];
      if (typeof id !== 'string' || id.length > MAX_CHARACTERS) continue;
      entries += 1;
      if (entries > MAX_ENTRIES) return null;
      let listed = listing.get(id);
      if (listed === undefined) listing.set(id, (listed = { chains: new Set(), types: new Set() }));
      listed.chains.add(chain);
      listed.types.add(
        typeof type === 'string' && type.length <= MAX_CHARACTERS ? type : typeof type,
      );
    }
  }
  return listing;
}
