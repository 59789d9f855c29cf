import type { ContractBase } from './document/load-contract.ts';
import type { Clause } from './judging/clause.ts';
import type { Observation, Observer } from './judging/ledger.ts';
import type { RuleRegistry } from './rules/registry.ts';
import type { LimitMeasurement } from './run/load/limit-measurement.ts';
import type { SimulationReader } from './run/run-simulation.ts';
import type { ApiName } from './wire/exchange.ts';

/**
 * What a service brings to be judged: its documents, its rules, and what is only observed of it. The
 * other rooms ask for more of their own: `suites/` for what drives it, `load/` for what loads it.
 * `cli/service.ts` composes the one that Assay brings along.
 */
export interface Service extends ContractBase {
  /** Its APIs, in the order in which reports list them. */
  readonly apis: readonly ApiName[];
  /** The variables of the environment that hold a credential of an API, if it knows one. */
  readonly keyVariables?: Readonly<Partial<Record<ApiName, string>>>;
  /** All rules by section, those on measured limits and on load included. */
  readonly rules: RuleRegistry;
  /** What watches what the documents leave unspecified; read from their marks, most of it. */
  readonly loadObservers: () => Promise<readonly Observer[]>;
  /** The rows of the ledger that follow from measured limits. */
  readonly limitLedger: (measurements: readonly LimitMeasurement[]) => readonly Observation[];
  /** What reads of a run what nodes have executed; nothing is executed when absent. */
  readonly createSimulations?: () => SimulationReader;
  /** Every promise of the documents and all that they leave unspecified, in their order. */
  readonly loadClauses: () => readonly Clause[];
}
