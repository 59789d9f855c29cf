/** A folder name that sorts by time, e.g. `2026-01-02T03-04-05Z`. */
export function stampOf(time: Date): string {
  return time.toISOString().replace(/\.\d+/, '').replaceAll(':', '-');
}
