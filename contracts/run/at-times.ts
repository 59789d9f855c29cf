/** What an operation that serves did not serve at times, as `run.json` has it. */

import type { ApiName } from '../wire/exchange.ts';

/** An operation, and how often it did not serve. */
export interface AtTimesRow {
  readonly api: ApiName;
  readonly operation: string;
  /** `failed`: an error of the service · `refused`: 4xx, though the same request was served with nothing changed between. */
  readonly kind: 'failed' | 'refused';
  readonly count: number;
  /** Of so many answers: all of the operation; of what was refused, those to requests asked again and served at some time. */
  readonly of: number;
  /** Of the last that was refused: status and beginning of its body. */
  readonly said?: string;
}
