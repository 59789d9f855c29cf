/** Limiters that others wrote, behind real servers on loopback: what the probe is calibrated on. */

/** What the documentation and the source of a limiter say that it does. */
export interface LimiterTruth {
  /** The classes that may be named; `composite` where no single one is right. */
  readonly algorithms: readonly string[];
  /** Requests in the window, as configured. */
  readonly limit: number;
  readonly windowSeconds: number;
  /** How long the first excess shuts out, where it does. */
  readonly blockSeconds?: number;
  /** What the announced wait of the body and the field are worth. */
  readonly waits: 'honest' | 'too-early' | 'too-late';
  /** What a reader of the figures should know. */
  readonly note: string;
}

/** How a limiter is set. */
export interface RealLimiterOptions {
  /** Requests in a window. */
  readonly limit: number;
  readonly windowSeconds: number;
}

/** A limiter that listens. */
export interface RealLimiter {
  /** Base URL of a service that answers GET /v1/config/chains. */
  readonly url: string;
  readonly truth: LimiterTruth;
  close(): Promise<void>;
}

/** Where each of these services answers. */
export const PATH = '/v1/config/chains';

/** The body of a success. */
export const CHAINS = { status: 'success', data: {} } as const;

let rejections = 0;

/** The typed body of a rejection (section 7). */
export function rejectionBody(retryAfter: number | undefined): Readonly<Record<string, unknown>> {
  rejections += 1;
  return {
    status: 429,
    code: 'RATE_LIMITED',
    message: 'too many requests',
    requestId: `real-${rejections}`,
    ...(retryAfter === undefined ? {} : { retryAfter }),
  };
}
