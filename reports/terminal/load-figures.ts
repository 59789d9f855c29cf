/** How figures of a load are written. */

/** A whole number, in groups of three digits. */
export function count(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** The same; a dash for none. */
export function dash(value: number): string {
  return value === 0 ? '–' : count(value);
}

/** Requests in a second. */
export function rate(value: number): string {
  return value < 100 ? value.toFixed(1) : count(Math.round(value));
}

/** A latency; a dash if there was nothing, and `error` where it lies among errors. */
export function latencyCell(
  value: number | undefined,
  write: (value: number) => string = ms,
): string {
  return value === undefined ? '–' : value === Infinity ? 'error' : write(value);
}

/** Milliseconds, without the unit. */
export function ms(value: number): string {
  return value < 10 ? value.toFixed(1) : count(Math.round(value));
}
