/** One bucket's panel. */
export interface LimitPanel {
  /** Whose bucket, e.g. `zap per client address`. */
  readonly title: string;
  /** What was found, in a few words. */
  readonly found: string;
  readonly events: readonly {
    readonly atSeconds: number;
    readonly outcome: 'admitted' | 'rejected' | 'failed';
  }[];
  /** Requests that the model would admit at once, over time; empty if there is no model. */
  readonly levels: readonly { readonly atSeconds: number; readonly left: number }[];
}
