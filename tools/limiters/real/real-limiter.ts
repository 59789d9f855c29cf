/** Limiters that others wrote, behind real servers on loopback: what the probe is calibrated on. */

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
