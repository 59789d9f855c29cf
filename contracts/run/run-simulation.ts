import type { Contract } from '../document/schema.ts';
import type { ApiName, Exchange } from '../wire/exchange.ts';

/** By how much a balance changed in a simulation. */
export interface BalanceChange {
  readonly who: 'account' | 'recipient';
  readonly holder: string;
  /** Its address. */
  readonly token: string;
  /** What the answer promises, e.g. `at least 450`. */
  readonly promised: string;
  /** Base units, with a sign. */
  readonly changed: string;
  /** Absent where it is not judged. */
  readonly isKept?: boolean;
}

/** A build that a node has executed. */
export interface RunSimulation {
  readonly api: ApiName;
  readonly chainId: number;
  /** Who names the node: the user of the run, or the service, whom it may flatter. */
  readonly node: 'user' | 'service';
  /** Executed as the answer says; not known where it fails for a reason that may be of the node or the tokens. */
  readonly result: 'succeeded' | 'failed' | 'not known';
  /** What is wrong with it does not count, since fewer than two of up to three builds of its request show it. */
  readonly isDismissed?: true;
  /** Why it failed, as the node says. */
  readonly why?: string;
  /** The build, and its simulations. */
  readonly exchanges: readonly string[];
  readonly changes: readonly BalanceChange[];
}

/** Takes the exchanges of a run, and gives what was simulated in it. */
export interface SimulationReader {
  readonly see: (exchange: Exchange, contract: Contract) => void;
  readonly rows: () => RunSimulation[];
}
