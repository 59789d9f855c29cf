import type { LoadMachine, LoadViolation, RunLoad } from '../../contracts/run/load/load-run.ts';
import type { Threshold } from '../../contracts/run/load/threshold.ts';
import type { Exchange } from '../../contracts/wire/exchange.ts';
import type { LoadEngine, LoadJob } from '../engine.ts';
import type { Sample } from '../load-sink.ts';

/** All that a load run is made of: stated once, and each part of it reads what it needs. */
export interface RunDescription {
  /** What is sent, and the signal that ends the run. */
  readonly job: Omit<LoadJob, 'sink'>;
  /** What sends to the target, in a round from 0 on; a run without rounds is one. */
  readonly engine: (round: number) => LoadEngine;
  /** Of the engine, for the record. */
  readonly version: string;
  /** Keeps an exchange in the record; false when that takes no more. */
  readonly keep: (exchange: Exchange) => boolean;
  readonly thresholds: readonly Threshold[];
  /** Whether a broken rule fails the run. */
  readonly failsRun: (rule: string) => boolean;
  /** Something else that the target is asked meanwhile; says what was broken, once all has ended. */
  readonly beside?: { readonly end: () => Promise<readonly LoadViolation[]> };
  /** Sees each request of the target go by; it must cost little. */
  readonly onSample?: (sample: Sample) => void;
  /** Absent if nothing is known of it. */
  readonly machine?: LoadMachine;
  /** The part of the run that this machine does, and what shows that the parts are of one run. */
  readonly part?: NonNullable<RunLoad['part']>;
}

/** How often a schedule is sent, each time beside a control. */
export interface RoundsDescription {
  /** From 1 to 50. */
  readonly count: number;
  /** What is sent to the control, at the times of the same schedule, and by what. */
  readonly control: Pick<LoadJob, 'requests' | 'choose' | 'scenario'> & {
    readonly engine: LoadEngine;
  };
}
