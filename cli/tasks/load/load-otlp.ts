import type { Resource } from '@opentelemetry/resources';
import type { Sample } from '../../../load/load-sink.ts';
import { jsonOrUndefined } from '../../../contracts/wire/parse-json.ts';
import type { Scenario } from '../../../load/scenarios/scenario.ts';
import { plural } from '../../../reports/text.ts';

/** Metrics of a load under way, sent to a collector. */
export interface LoadMetrics {
  /** Counts a request of the target; costs some µs. */
  readonly sample: (sample: Sample) => void;
  /** Says that the schedule begins, and who knows how many requests were due so far. */
  readonly begin: (offered: () => number) => void;
  /**
   * Sends what is left, unless the collector has not answered before; half a second at most.
   *
   * @returns what the collector did not confirm, as a sentence for the report, if there is such
   */
  readonly end: () => Promise<readonly string[]>;
}

/** What metrics are sent of, and where. */
export interface LoadMetricsOptions {
  /** Of the collector; without a path that of OTLP over HTTP is added. Headers are those of `OTEL_EXPORTER_OTLP_HEADERS`. */
  readonly url: string;
  readonly version: string;
  /** What distinguishes this run from others, and its parts from each other. */
  readonly run: string;
  readonly scenario: Scenario;
  /** Says a line to whoever waits. */
  readonly say: (line: string) => void;
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
  const { scenario, version, everyMs = EVERY_MS } = options;
  const sdk = await import('@opentelemetry/sdk-metrics');
  const { OTLPMetricExporter } = await import('@opentelemetry/exporter-metrics-otlp-http');
  const exporter = new OTLPMetricExporter({
    url: endpointOf(options.url),
    timeoutMillis: Math.min(TIMEOUT_MS, everyMs),
  });
  const exports = new Exports(options.say);
  const send = exporter.export.bind(exporter);
  // The exporter takes any answer of success for one that confirms all, and warns just before.
  let doubt: string | undefined;
  const { diag, DiagLogLevel } = await import('@opentelemetry/api');
  const nothing = (): void => undefined;
  diag.setLogger(
    {
      ...{ error: nothing, info: nothing, debug: nothing, verbose: nothing },
      warn: (...said: unknown[]) => {
        doubt = doubtIn(said);
      },
    },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  exporter.export = (metrics, done) => {
    const ended = exports.begin();
    send(metrics, (result) => {
      ended(result.error === undefined ? doubt : whyUnconfirmed(result.error));
      doubt = undefined;
      done(result);
    });
  };
  const provider = new sdk.MeterProvider({
    resource: await resourceOf(options),
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
  let due: () => number = () => 0;
  offered.addCallback((result) => {
    result.observe(due(), { scenario: scenario.name });
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
    begin: (known) => {
      due = known;
    },
    end: async () => {
      if (exports.isLastConfirmed) await Promise.race([flush(), waitMs(LAST_MS)]);
      const notices = exports.notices();
      void provider.shutdown().catch(() => undefined);
      return notices;
    },
  };
}

/** Which exports the collector confirmed. */
class Exports {
  readonly #say: (line: string) => void;
  #begun = 0;
  #confirmed = 0;
  /** How the last one that was not confirmed ended. */
  #why = NOT_IN_TIME;
  #isSaid = false;
  isLastConfirmed = false;

  constructor(say: (line: string) => void) {
    this.#say = say;
  }

  /** @returns to be called when it ended, with the reason if it was not confirmed */
  begin(): (why: string | undefined) => void {
    this.#begun += 1;
    const number = this.#begun;
    this.isLastConfirmed = false;
    return (why) => {
      if (why === undefined) this.#confirmed += 1;
      else this.#fail(why);
      if (number === this.#begun) this.isLastConfirmed = why === undefined;
    };
  }

  #fail(why: string): void {
    this.#why = why;
    if (!this.#isSaid) this.#say(`the collector of --otlp does not confirm metrics: ${why}`);
    this.#isSaid = true;
  }

  notices(): string[] {
    if (this.#begun === this.#confirmed) return [];
    const all = plural(this.#begun, 'export');
    return [
      `The collector of --otlp confirmed ${this.#confirmed} of ${all} of metrics: ${this.#why}. Figures and verdicts of this run do not depend on it.`,
    ];
  }
}

/** Of one that hangs, and of one whose answer has no end. */
const NOT_IN_TIME = 'no whole answer came in time';

/** What the exporter calls failures that have neither a status nor a code, and what they are. */
const BY_MESSAGE: readonly (readonly [RegExp, string])[] = [
  [/retryable status/, 'it answered 429, 502, 503 or 504'],
  [/size limit/, 'its answer was too long'],
  [/timed out|Concurrent export limit/, NOT_IN_TIME],
];

/** By status, code or the words of the exporter alone: what a collector says may be anything. */
function whyUnconfirmed(error: Error): string {
  const { code, cause } = error as Error & { readonly code?: unknown };
  if (typeof code === 'number') return `it answered ${code}`;
  const found = BY_MESSAGE.find(([words]) => words.test(error.message));
  if (found !== undefined) return found[1];
  const known = typeof code === 'string' ? code : (cause as { code?: unknown } | undefined)?.code;
  return typeof known === 'string' && /^\w+$/.test(known) ? known : 'the reason is not known';
}

/** What the exporter says of an answer that it could not read; its versions differ. */
const UNREAD = /could not deserialize response|^Failed to parse .* response/;

/** Why an answer of success confirms not all that was sent, by what the exporter warns of; undefined if it does. */
function doubtIn(said: readonly unknown[]): string | undefined {
  const at = said.findIndex((one) => String(one).startsWith('Received Partial Success'));
  if (at === -1) {
    const isUnread = said.some((one) => UNREAD.test(String(one)));
    return isUnread ? 'its answer is none of OTLP' : undefined;
  }
  const { rejectedDataPoints } = (jsonOrUndefined(String(said[at + 1])) ?? {}) as {
    readonly rejectedDataPoints?: unknown;
  };
  const rejected = Number(rejectedDataPoints ?? 0);
  return rejected > 0 ? `it rejected ${plural(rejected, 'data point')}` : undefined;
}

/** Who sends, unless `OTEL_SERVICE_NAME` or `OTEL_RESOURCE_ATTRIBUTES` say otherwise. */
async function resourceOf({
  version,
  run,
}: Pick<LoadMetricsOptions, 'version' | 'run'>): Promise<Resource> {
  const { defaultResource, detectResources, envDetector, resourceFromAttributes } =
    await import('@opentelemetry/resources');
  const own = resourceFromAttributes({
    ...{ 'service.name': 'assay', 'service.version': version, 'service.instance.id': run },
  });
  return defaultResource()
    .merge(own)
    .merge(detectResources({ detectors: [envDetector] }));
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
