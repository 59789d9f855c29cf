import { member } from '../contracts/wire/json.ts';
import { RecordCorrupt } from '../target/record/record-error.ts';
import { UsageError } from './exit-code.ts';

/** More statuses mean anything but a limit. */
const MOST = 10;
/** Of no redirect and no success can it be said that it rejects. */
const MIN_STATUS = 400;
const GREATEST_STATUS = 599;

/** Collects the values of a flag that may be given several times. */
export function collected(value: string, earlier: readonly string[] | undefined): string[] {
  return [...(earlier ?? []), value];
}

/**
 * The statuses of `--throttle-status`, each once: `403,503`, or the flag several times.
 *
 * @throws UsageError for what is no status of an error, or too many of them
 */
export function throttleStatuses(values: unknown): number[] {
  if (!Array.isArray(values)) return [];
  const words = values.flatMap((value) => String(value).split(',')).map((word) => word.trim());
  const statuses = words.map((word) => {
    const status = /^[0-9]{3}$/.test(word) ? Number(word) : 0;
    if (status >= MIN_STATUS && status <= GREATEST_STATUS) return status;
    throw new UsageError(
      `--throttle-status takes statuses of errors, ${MIN_STATUS} to ${GREATEST_STATUS}, as in 403,503; not "${word}"`,
    );
  });
  const each = [...new Set(statuses)];
  if (each.length > MOST) {
    throw new UsageError(`--throttle-status takes ${MOST} statuses at most, not ${each.length}`);
  }
  return each;
}

/** More statuses than there are of errors. */
const MAX_RECORDED = 200;

/**
 * The statuses that a file of a record takes for throttled besides what the document says.
 *
 * @param value what the file holds
 * @throws RecordCorrupt when it holds something else in their place
 */
export function statusesIn(file: string, value: unknown): readonly number[] {
  const statuses = member(value, 'throttleStatuses') ?? [];
  const areStatuses =
    Array.isArray(statuses) &&
    statuses.length <= MAX_RECORDED &&
    statuses.every(
      (one) => Number.isInteger(one) && Number(one) >= MIN_STATUS && Number(one) <= GREATEST_STATUS,
    );
  if (areStatuses) return statuses as readonly number[];
  throw new RecordCorrupt(file, 1, 'its throttleStatuses are no statuses of errors');
}

/** What a report says of the statuses; nothing if there are none. */
export function throttleNotices(statuses: readonly number[]): string[] {
  if (statuses.length === 0) return [];
  return [`Answers of status ${statuses.join(' or ')} count as throttled (--throttle-status).`];
}
