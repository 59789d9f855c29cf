import type { RunComparison } from '../contracts/run/run-comparison.ts';

/** A comparison with a row of every sort, for the specs of reports. */
export const EXAMPLE_COMPARISON: RunComparison = {
  base: {
    ...{ name: 'main', id: '7a', startedAt: '2026-01-01T03:04:05.000Z', seed: 42 },
    ...{ profile: 'gate', tool: '0.1.0', outcome: 'does-not-conform' },
  },
  reservations: ['The seed is 42, and was 41 in the baseline.'],
  findings: {
    fresh: {
      rows: [
        {
          ...{ rule: 'zap.path.min-return-within-amount', level: 'must', isWaived: false },
          fingerprint: 'ab'.repeat(16),
          ...{ operation: 'zap.quote', pointer: '/data', expected: 'at most 1', actual: '2' },
        },
      ],
      more: 3,
    },
    fixed: {
      rows: [
        {
          ...{ rule: 'zap.asset.decimals', level: 'must', isWaived: false },
          fingerprint: 'cd'.repeat(16),
          ...{ pointer: '', expected: 'a body', actual: 'none' },
        },
      ],
      more: 0,
    },
    still: { rows: [], more: 0 },
    open: {
      rows: [
        {
          ...{ rule: 'zap.errors.duplicate-keys', level: 'should', isWaived: true },
          fingerprint: 'ef'.repeat(16),
          ...{ pointer: '/code', expected: 'once', actual: 'twice' },
          why: 'it was not seen again, but the requests that showed it were not asked again',
        },
      ],
      more: 0,
    },
  },
  notReached: {
    rows: [{ rule: 'zap.throttled.retry-after', then: 'pass', reason: 'nothing shows it' }],
    more: 0,
  },
  answers: {
    ...{ pairs: 40, then: 41, now: 42, more: 0, moreIsCertain: false, unread: 0 },
    changes: [
      {
        ...{ operation: 'zap.pools', aspect: 'field', answer: '200', what: '/data/*/apr' },
        ...{ then: 'string', now: null, requests: 9, of: 9, grade: 'certain' },
      },
      {
        ...{ operation: 'zap.quote', aspect: 'status', what: 'status' },
        ...{ then: '200', now: '404 NO_ROUTE', requests: 1, of: 20, grade: 'uncertain' },
      },
    ],
  },
  ledger: {
    rows: [
      {
        ...{ id: 'zap.limits.values', clause: '§8 numeric rate-limit values', grade: 'certain' },
        ...{ came: ['300 in 10 s'], went: ['600 in 10 s'] },
      },
    ],
    more: 0,
  },
  latencies: [
    {
      operation: 'zap.quote',
      then: { count: 40, p50Ms: 10, p95Ms: 20 },
      now: { count: 40, p50Ms: 30, p95Ms: 60 },
    },
  ],
  verdict: 'changed',
};
