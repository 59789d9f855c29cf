/** What a simulated limiter does with requests. */

/** What a service makes of one request. */
export interface Decision {
  readonly admitted: boolean;
  /** After a rejection: ms until the next request would be admitted, if none came before. */
  readonly waitMs: number;
  /** How long an admitted request is held back, ms. */
  readonly delayMs?: number;
  /** Rejected by the outer of two limits alone. */
  readonly byOuter?: boolean;
}

/** The limiter of one client; times never go back. */
export interface Limiter {
  /**
   * @param atMs when the request is decided
   * @param doneMs when the service has done with it if it is admitted
   */
  decide(atMs: number, doneMs: number): Decision;
}

export const ADMITTED: Decision = { admitted: true, waitMs: 0 };

export function rejected(waitMs: number): Decision {
  return { admitted: false, waitMs: Math.max(0, waitMs) };
}
