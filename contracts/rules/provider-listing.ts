import { isObject, listOf, member } from '../json.ts';

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

/** The providers in a parsed body of the provider configuration; null when it holds none. */
export function listingOf(json: unknown): Listing | null {
  const data = member(json, 'data');
  if (!isObject(data)) return null;
  const listing = new Map<string, Listed>();
  for (const [chain, list] of Object.entries(data)) {
    for (const provider of listOf(list)) {
      const [id, type] = [member(provider, 'id'), member(provider, 'type')];
      if (typeof id !== 'string') continue;
      let listed = listing.get(id);
      if (listed === undefined) listing.set(id, (listed = { chains: new Set(), types: new Set() }));
      listed.chains.add(chain);
      listed.types.add(String(type));
    }
  }
  return listing;
}
