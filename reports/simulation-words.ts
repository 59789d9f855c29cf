import { MOST_NODE_REQUESTS } from '../contracts/run/nodes.ts';
import type { RunJson } from '../contracts/run/run.ts';
import { plural } from './text.ts';

/** What was executed on whose nodes, and what it took, in a few sentences; empty if no node was asked. */
export function simulationWords({
  simulations: rows = [],
  counts,
}: Pick<RunJson, 'simulations' | 'counts'>): string {
  if (rows.length === 0 && (counts.nodes ?? 0) === 0) return '';
  const budget = `${counts.nodes ?? 0} of at most ${MOST_NODE_REQUESTS} requests to nodes.`;
  if (rows.length === 0) return `no build as far as a node simulates it, by ${budget}`;
  const chains = new Set(rows.map(({ chainId }) => chainId)).size;
  const ofService = rows.filter(({ node }) => node === 'service').length;
  const failed = rows.filter(({ why }) => why !== undefined).length;
  const builds = `${plural(rows.length, 'build')}${failed === 0 ? '' : ` (${failed} failed)`}`;
  const all = `${builds} on ${plural(chains, 'chain')} as far as a node simulates it, by ${budget}`;
  if (ofService === 0) return `${all} The nodes are those that the run names.`;
  const which = ofService === rows.length ? 'The nodes are those' : `${ofService} of them on nodes`;
  return `${all} ${which} that the service itself names, which might flatter it.`;
}
