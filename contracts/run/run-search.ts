/** The part of `run.json` that states what generating until the budget was spent has reached: `search`. */

/** How many different things of one sort a run has met. */
export interface SearchReach {
  /**
   * `values of fields`, `pairs` and `triples of them`: combinations of what generated requests
   * depart in from plain ones, by operation · `kinds of answers` · others, in words of the service, by
   * what was asked for and served.
   */
  readonly what: string;
  /** When as much had been generated as a gate sends as well. */
  readonly before: number;
  /** At the end. */
  readonly now: number;
  /** Requests that were sent since the last new one was met; many say that more will show little. */
  readonly newestRequestsAgo: number;
}

/** What a run that went on generating until its budget was spent has reached beyond a gate. */
export interface RunSearch {
  /** Requests that were sent beyond those that a gate sends as well. */
  readonly requests: number;
  readonly reached: readonly SearchReach[];
}
