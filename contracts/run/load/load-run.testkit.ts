import type {
  LoadCounts,
  LoadMachine,
  LoadMoment,
  LoadRow,
  LoadStepRow,
  RunLoad,
} from './load-run.ts';

/** A row of so many requests, for specs; all served unless said otherwise. */
export function loadRow(
  counts: Partial<LoadCounts> = {},
  latency: Partial<LoadRow['latency']> = {},
): LoadRow {
  const { served = 100, errors = 0, throttled = 0, failed = 0 } = counts;
  const sent = served + errors + throttled + failed;
  const times = { p50Ms: 20, p95Ms: 50, p99Ms: 120, p999Ms: 250, worstMs: 300, ...latency };
  return {
    counts: { offered: sent, sent, served, errors, throttled, failed, ...counts },
    latency: { count: served, ...times },
    allLatency: { count: served + errors + failed, ...times },
    histogram: '',
  };
}

/** A step of ten seconds, for specs. */
export function loadStep(changes: Partial<LoadStepRow> = {}): LoadStepRow {
  return {
    ...loadRow(),
    name: 'hold',
    beginsSeconds: 0,
    seconds: 10,
    offeredPerSecond: 10,
    admittedPerSecond: 10,
    judged: 100,
    violations: 0,
    ...changes,
  };
}

/** A second, for specs. */
export function loadMoment(second: number, changes: Partial<LoadMoment> = {}): LoadMoment {
  return {
    second,
    seconds: 1,
    offered: 10,
    admitted: 10,
    throttled: 0,
    errors: 0,
    violations: 0,
    p50Ms: 20,
    p95Ms: 50,
    p99Ms: 120,
    ...changes,
  };
}

/** A load run with every kind of row, for specs. */
export const EXAMPLE_LOAD: RunLoad & { readonly machine: LoadMachine } = {
  scenario: 'stress',
  engine: { name: 'open-loop', version: '0.1.0' },
  whole: {
    ...loadRow({
      ...{ served: 170, throttled: 20, errors: 8, failed: 2 },
      byFate: { serverError: 8, timeout: 2 },
    }),
    throttledLatency: {
      count: 20,
      p50Ms: 1,
      p95Ms: 2,
      p99Ms: 3,
      p999Ms: 4,
      worstMs: 5,
    },
    throttledHistogram: '',
  },
  steps: [
    loadStep({ name: 'usual' }),
    loadStep({
      ...loadRow({ served: 70, throttled: 20, errors: 8, failed: 2 }, { p99Ms: 300 }),
      name: 'twice',
      beginsSeconds: 10,
      admittedPerSecond: 7,
      violations: 3,
    }),
  ],
  operations: [
    { ...loadRow({ served: 120, errors: 8, failed: 2 }), operation: 'zap.quote', api: 'zap' },
    {
      ...loadRow({ served: 50, throttled: 20 }, { p99Ms: 80 }),
      operation: 'trade.build-tx',
      api: 'trade',
    },
  ],
  moments: Array.from({ length: 20 }, (_, second) =>
    loadMoment(
      second,
      second < 10
        ? {}
        : {
            admitted: 7,
            throttled: 2,
            errors: 1,
            byReason: { [second < 18 ? '503' : 'timeout']: 1 },
            violations: 1,
          },
    ),
  ),
  errors: [
    {
      operation: 'zap.quote',
      ...{ fate: 'serverError', status: 503, count: 8, firstSecond: 10.1, lastSecond: 17.9 },
    },
    { operation: 'zap.quote', fate: 'timeout', count: 2, firstSecond: 18.2, lastSecond: 19.3 },
  ],
  judged: { answers: 198, of: 198, kept: 40 },
  violations: [
    {
      rule: 'zap.path.min-return-within-amount',
      count: 3,
      firstStep: 1,
      firstExchange: 'x00112',
      bySteps: [
        { judged: 60, broken: 0 },
        { judged: 60, broken: 3 },
      ],
    },
  ],
  thresholds: [
    { expression: 'p99<300ms', measured: 120, held: true },
    { expression: 'violations==0', measured: 3, held: false },
    { expression: 'zap.pools:p99<1s', measured: 1.4, held: false },
  ],
  generator: {
    fireLagP99Ms: 1.4,
    eventLoopUtilization: 0.31,
    waitedAtCeiling: 0,
    dropped: 0,
    cpuSeconds: 2.5,
  },
  invalid: [],
  machine: {
    platform: 'linux',
    arch: 'x64',
    cpuModel: 'Some CPU',
    cores: 2,
    memoryBytes: 4_294_967_296,
    node: '20.20.0',
    loadAverage: 0.4,
  },
};
