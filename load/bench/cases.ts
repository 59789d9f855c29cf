/** The limits that the bench probes. */

import type { LimitAlgorithm } from '../../fixtures/reference/limits.ts';
import type { RealLimiterOptions } from '../real-limiters/index.ts';

const WINDOWS = [
  'limit=3,window=1s',
  'limit=12,window=2500ms',
  'limit=20,window=10s',
  'limit=60,window=60s',
  'limit=200,window=300s',
];
const BUCKETS = [
  'burst=3,refill=2/s',
  'burst=10,refill=10/s',
  'burst=20,refill=1/s',
  'burst=60,refill=1/2s',
  'burst=100,refill=5/s',
];

/** Five sets of parameters for each algorithm, as `assay serve` takes them. */
export const REFERENCE_CASES: Readonly<Record<LimitAlgorithm, readonly string[]>> = {
  'fixed-window': WINDOWS,
  'clock-window': WINDOWS,
  'sliding-log': WINDOWS,
  'sliding-log-counting-rejects': WINDOWS,
  'sliding-counter': WINDOWS,
  'restart-on-reject': WINDOWS,
  'token-bucket': BUCKETS,
  gcra: BUCKETS,
  'interval-refill': [
    'burst=4,refill=2/s',
    'burst=12,refill=5/2s',
    'burst=20,refill=5/5s',
    'burst=60,refill=10/10s',
    'burst=100,refill=25/30s',
  ],
  'penalty-block': [
    'limit=3,window=1s,block=5s',
    'limit=10,window=2s,block=10s',
    'limit=20,window=10s,block=60s',
    'limit=60,window=60s,block=30s',
    'limit=100,window=10s,block=120s',
  ],
  concurrency: [
    'limit=1,hold=100ms',
    'limit=2,hold=50ms',
    'limit=3,hold=200ms',
    'limit=4,hold=100ms',
    'limit=5,hold=30ms',
  ],
  shaper: [
    'burst=1,rate=5/s,queue=100',
    'burst=2,rate=20/s,queue=100',
    'burst=10,rate=10/s,queue=50',
    'burst=5,rate=2/s,queue=20',
    'burst=30,rate=8/s,queue=100',
  ],
};

/** What each limiter from npm is set to: short windows, since they pass in real time. */
export const REAL_CASES: readonly RealLimiterOptions[] = [
  { limit: 5, windowSeconds: 1 },
  { limit: 20, windowSeconds: 2 },
  { limit: 50, windowSeconds: 3 },
];
