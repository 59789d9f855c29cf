/** Sentences on a file of known findings. */

import type { KnownFinding, RunKnown } from '../contracts/run/run-known.ts';
import { cut, plural } from './text.ts';

const MAX_CHARACTERS = 300;

/** How many known findings there are, and how many known warnings, which fail no run by themselves. */
export function knownSum(known: readonly Pick<KnownFinding, 'level'>[]): string {
  const musts = known.filter(({ level }) => level === 'must').length;
  const warnings = known.length - musts;
  return [
    ...(musts > 0 || warnings === 0 ? [plural(musts, 'known finding')] : []),
    ...(warnings > 0 ? [plural(warnings, 'known warning')] : []),
  ].join(' and ');
}

/** That a known file is of another target than a run, in words that fit into a sentence. */
export function otherTargetWords(target: NonNullable<RunKnown['otherTarget']>): string {
  const words = Object.entries(target).map(([name, value]) => `${name} ${value}`);
  return `it is of another target (${cut(words.join(', '), MAX_CHARACTERS)}); --label environment=NAME names a target whose URLs differ`;
}
