/** The limits that the bench probes. */

import type { LimitAlgorithm } from '../../../../fixtures/service/reference/limits.ts';
import type { RealLimiterOptions } from '../../real/index.ts';

const WINDOWS = [
  'limit=5,window=1s',
  'limit=15,window=2s',
  'limit=30,window=10s',
  'limit=100,window=60s',
  'limit=300,window=300s',
];
const BUCKETS = [
  'burst=5,refill=2/s',
  'burst=10,refill=10/s',
  'burst=40,refill=1/s',
  'burst=100,refill=1/2s',
  'burst=300,refill=5/s',
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
    'burst=6,refill=2/s',
    'burst=20,refill=5/2s',
    'burst=50,refill=10/5s',
    'burst=100,refill=10/10s',
    'burst=240,refill=60/30s',
  ],
  'penalty-block': [
    'limit=5,window=1s,block=5s',
    'limit=12,window=2s,block=10s',
    'limit=30,window=10s,block=60s',
    'limit=100,window=60s,block=30s',
    'limit=300,window=10s,block=120s',
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
