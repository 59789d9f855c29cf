import type { RunFinding } from '../../contracts/run/run.ts';

/** A line of a file of the user's checkout. */
export interface SourceLine {
  /** From the root of the checkout, with `/` and without `./`. */
  readonly path: string;
  /** From 1. */
  readonly line: number;
}

/** Where findings stand in the user's checkout: a service's answers stand in no file. */
export interface Placing {
  /** Lines of operations, by id, in contracts that are files of the checkout. */
  readonly operations: ReadonlyMap<string, SourceLine>;
  /** The configuration or CI file of the checkout, for all others; absent if neither is known. */
  readonly otherwise?: SourceLine;
}

/** Nothing is known of the checkout. */
export const NOWHERE: Placing = { operations: new Map() };

/** Where a finding, or whatever else is reported of a run, stands. */
export function placeOf(
  { operations, otherwise }: Placing,
  finding?: Pick<RunFinding, 'operation'>,
): SourceLine | undefined {
  return operations.get(finding?.operation ?? '') ?? otherwise;
}

/** For formats that want a file of everything: the one that would name the service. */
export const USUAL_FILE: SourceLine = { path: 'assay.config.yaml', line: 1 };
