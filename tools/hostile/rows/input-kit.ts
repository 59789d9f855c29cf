import type { Lab } from '../row.ts';
import { budgetFlags } from './kit.ts';

/** What no output may repeat of a URL. */
export const PASSWORD = 'Passw0rdOfSomebody';

/** A check of the embedded service with a small budget. */
export function check(lab: Lab, ...args: readonly string[]): string[] {
  return ['check', ...budgetFlags(lab), '--out', lab.path('out'), ...args];
}
