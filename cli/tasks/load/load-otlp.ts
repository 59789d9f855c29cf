import { systemNowMs } from '../../../target/budget/clock.ts';
import type { Sample } from '../../../load/load-sink.ts';
import type { Scenario } from '../../../load/scenarios/scenario.ts';
import { type Schedule, slotsBefore } from '../../../load/scenarios/schedule.ts';

/** Metrics of a load under way, sent to a collector. */
export interface LoadMetrics {
  /** Counts a request of the target; costs some µs. */
  readonly sample: (sample: Sample) => void;
  /** Says that the schedule begins. */
  readonly begin: () => void;
  /** Sends what is left, unless the collector has not answered before; half a second at most. */
  readonly end: () => Promise<void>;
}

/** What metrics are sent of, and where. */
export interface LoadMetricsOptions {
  /** Of the collector; without a path that of OTLP over HTTP is added. Headers are those of `OTEL_EXPORTER_OTLP_HEADERS`. */
  readonly url: string;
  readonly version: string;
  readonly scenario: Scenario;
  readonly schedule: Schedule;
  readonly everyMs?: number;
}

const EVERY_MS = 5_000;
/** Of a collector that hangs: the next time begins after it. */
const TIMEOUT_MS = 4_000;
const LAST_MS = 500;
const DURATION = 'assay.load.request.duration';

/**
 * Sends metrics by the official SDK, which is loaded here alone: an exponential histogram of latencies by scenario,
 * step, operation and fate, and how many requests the schedule wanted. A collector that fails or hangs is no concern of
 * the run.
 */
export async function openLoadMetrics(options: LoadMetricsOptions): Promise<LoadMetrics> {
  const { scenario, schedule, version, everyMs = EVERY_MS } = options;
  const sdk = await import('@opentelemetry/sdk-metrics');
  const { OTLPMetricExporter } = await import('@opentelemetry/exporter-metrics-otlp-http');
  const exporter = new OTLPMetricExporter({
    url: endpointOf(options.url),
    timeoutMillis: Math.min(TIMEOUT_MS, everyMs),
  });
  let hasAnswered = false;
  const send = exporter.export.bind(exporter);
  exporter.export = (metrics, done) => {
    send(metrics, (result) => {
      hasAnswered = result.error === undefined;
      done(result);
    });
  };
  const provider = new sdk.MeterProvider({
    views: [
      {
        instrumentName: DURATION,
        aggregation: { type: sdk.AggregationType.EXPONENTIAL_HISTOGRAM },
      },
    ],
    readers: [
      new sdk.PeriodicExportingMetricReader({
        exporter,
        exportIntervalMillis: everyMs,
        exportTimeoutMillis: Math.min(TIMEOUT_MS, everyMs),
      }),
    ],
  });
  const meter = provider.getMeter('assay', version);
  const duration = meter.createHistogram(DURATION, {
    unit: 's',
    description: 'From when a request should have been sent to the end of its answer.',
  });
  const offered = meter.createObservableCounter('assay.load.offered', {
    description: 'Requests that the schedule wanted sent.',
  });
  let beganMs = Infinity;
  offered.addCallback((result) => {
    const due = slotsBefore(schedule, Math.max(0, systemNowMs() - beganMs));
    result.observe(beganMs === Infinity ? 0 : due, { scenario: scenario.name });
  });
  const labels = new Map<string, Record<string, string>>();
  const labelsOf = ({ step, operation, fate }: Sample): Record<string, string> => {
    const key = `${step} ${operation} ${fate}`;
    let known = labels.get(key);
    if (known === undefined) {
      const name = scenario.steps[step]?.name ?? '';
      labels.set(key, (known = { scenario: scenario.name, step: name, operation, fate }));
    }
    return known;
  };
  const flush = (): Promise<void> => provider.forceFlush().catch(() => undefined);
  // Whether there is a collector is known before the schedule begins.
  void flush();
  return {
    sample: (sample) => {
      duration.record((sample.endMs - sample.dueMs) / 1000, labelsOf(sample));
    },
    begin: () => {
      beganMs = systemNowMs();
    },
    end: async () => {
      if (hasAnswered) await Promise.race([flush(), waitMs(LAST_MS)]);
      void provider.shutdown().catch(() => undefined);
    },
  };
}

/** OTLP over HTTP has a path for metrics; a URL with a path is that of a receiver of its own. */
export function endpointOf(url: string): string {
  const { pathname } = new URL(url);
  return pathname === '/' ? new URL('/v1/metrics', url).href : url;
}

function waitMs(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
