/**
 * The public face of the estimator, which knows no word of a service: what a transcript of requests and answers says of
 * a limit, and how to ask for more. Everything outside this folder imports this file alone.
 */

export { announcedBy, readWait } from './claims/announced-waits.ts';
export { headerClaims } from './claims/header-claims.ts';
export type { MeasuredRejection } from './claims/held-waits.ts';
export { readReport } from './claims/read-report.ts';
export { remainingTruth } from './claims/remaining-truth.ts';
export { reportsHold } from './claims/reported-left.ts';
export { recoveriesOf } from './claims/recoveries.ts';
export { waitTruths } from './claims/retry-after-truth.ts';
export {
  estimate,
  type ClassEstimate,
  type LimitEstimate,
  type OpenReason,
  type Parameter,
} from './estimate/estimate.ts';
export type { Shaping } from './estimate/shaping.ts';
export { stackOf } from './estimate/stacked.ts';
export { withStack } from './estimate/two-limits.ts';
export type { LimiterClass } from './models/index.ts';
export { MAX_WINDOW_MS, PUT_OFF } from './models/model.ts';
export { DEFAULT_BUDGET, type ProbeBudget } from './planner/plan.ts';
export { runProbe, type NotSent, type ProbeResult, type ProbeWorld } from './planner/run-probe.ts';
export {
  mostAdmittedWithin,
  roundTripMs,
  slowRoundTripMs,
  type LimitReport,
  type ProbeEvent,
  type WallClock,
} from './transcript.ts';
