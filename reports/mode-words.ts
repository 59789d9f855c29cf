import type { RunJson } from '../contracts/run/run.ts';

/** How a run asked: by a profile, which a load has none of. */
export function modeWords({ load, profile }: Pick<RunJson, 'load' | 'profile'>): string {
  return load === undefined ? profile : 'load';
}
