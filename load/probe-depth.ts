/**
 * How much is asked of a bucket. `quick`: its limit alone · `normal`: also whose it is, and whether announced waits are
 * true · `thorough`: also whether a client that paces itself gets through.
 */
export type ProbeDepth = (typeof DEPTHS)[number];

/** Each asks all that the one before asks. */
export const DEPTHS = ['quick', 'normal', 'thorough'] as const;
