/**
 * Fields that make sense only together: a token belongs to a chain, an amount to a token, a provider
 * to a route. They are put back to the plain request together before each alone.
 */
const ROUTE: readonly RegExp[] = [
  /^body\/(srcToken|srcChainId|destToken|destChainId|amount|fromChain|chainId|poolAddress)$/,
  /^body\/data\/\d+\/(srcToken|destToken|toChain|protocol|amount|recipient)$/,
];

/** The ends of a route: each changes its token with its chain. */
const ENDS: readonly RegExp[] = [
  /^body\/(srcToken|srcChainId|amount)$/,
  /^body\/(destToken|destChainId)$/,
  /^body\/data\/\d+\/(destToken|toChain)$/,
];

/** What names providers of the chains of a route. */
const OF_A_ROUTE = /^body\/(allowedDexes|allowedBridges|poolDetails|positionDetails)$/;

/** Whether a field is one of those that make a route. */
export function isOfRoute(field: string): boolean {
  return ROUTE.some((pattern) => pattern.test(field));
}

/** Whether the value of a field makes sense with some routes only. */
export function dependsOnRoute(field: string): boolean {
  return OF_A_ROUTE.test(field);
}

/**
 * The groups of fields to put back to their plain values, the largest first: all, all but the route,
 * the route, its ends, and each field alone.
 *
 * @param fields names of the fields that differ from the plain request
 */
export function unitsOf(fields: readonly string[]): string[][] {
  const route = fields.filter(isOfRoute);
  const rest = fields.filter((field) => !route.includes(field));
  const ends = ENDS.map((pattern) => fields.filter((field) => pattern.test(field)));
  const units = [[...fields], rest, route, ...rest.map((field) => [field]), ...ends];
  units.push(...route.map((field) => [field]));
  const seen = new Set<string>();
  return units.filter((unit) => {
    const key = unit.join();
    if (unit.length === 0 || seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
