/** What stands in records for the URL of a node, whose own may hold a key: who names it, then its chain. */
export const NODE_URL = { user: 'rpc:', service: 'rpc-of-service:' } as const;

/** All requests of a run to nodes, beside its budget for the target. */
export const MOST_NODE_REQUESTS = 400;

/** Whether a URL of a record is what stands there for that of a node. */
export function isNodeUrl(url: string): boolean {
  return /^rpc(?:-of-service)?:\/[0-9]{1,20}$/.test(url);
}
