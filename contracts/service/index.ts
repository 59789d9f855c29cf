import type { Service } from '../service-type.ts';
import { API_NAMES } from './wire/apis.ts';
import { loadClauses } from './clauses.ts';
import { BUILT_IN } from './load-contract.ts';
import { limitLedger } from './observers/limit-ledger.ts';
import { REGISTRY } from './registry.ts';
import { simulatedZap } from './rules/zap/response/simulated.ts';
import { simulatedTrade } from './rules/trade/simulated.ts';
import { createSimulations } from './rules/simulated/simulation-rows.ts';

/** What the interface document says of the service that Assay is made for. */
export const DOCUMENT: Service = {
  ...BUILT_IN,
  apis: API_NAMES,
  keyVariables: { trade: 'ASSAY_TRADE_KEY' },
  rules: REGISTRY,
  // They need the documents, as the contract does.
  loadObservers: async () => (await import('./observers/observers.ts')).loadObservers(),
  limitLedger,
  createSimulations: () => createSimulations({ zap: simulatedZap, trade: simulatedTrade }),
  loadClauses,
};

/** The name under which a thread imports it, given its location. */
export const SERVICE: Service = DOCUMENT;
