import type { LimiterClass } from '../../limits/index.ts';

/** The name of a class in reports, which is that of the algorithm on the command line of `serve`. */
export function nameOf(name: LimiterClass): string {
  return name === 'penalty' ? 'penalty-block' : name;
}
