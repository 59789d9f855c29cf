import { isError, reasonOf } from '../../contracts/run/load/fates.ts';
import type { LoadErrorRow } from '../../contracts/run/load/load-run.ts';
import { groupsOf } from '../../contracts/wire/groups.ts';
import { given } from '../../contracts/wire/json.ts';
import type { Sample } from '../load-sink.ts';
import { summed } from '../sums.ts';

/** Of more different ones the status is left out, as a target may answer with any. */
const MAX_ROWS = 200;

/** Errors of a run by operation and reason, and when they came. */
export class ErrorRows {
  readonly #rows = new Map<
    string,
    { -readonly [Name in keyof LoadErrorRow]: LoadErrorRow[Name] }
  >();

  add({ operation, fate, status, dueMs }: Sample): void {
    if (!isError(fate)) return;
    const second = Math.max(0, Math.round(dueMs) / 1000);
    const key = (reason: string): string => `${operation}\n${reason}`;
    const own = key(reasonOf({ fate, status }));
    const isRoom = this.#rows.has(own) || this.#rows.size < MAX_ROWS;
    const place = isRoom ? own : key(fate);
    const row = this.#rows.get(place);
    if (row === undefined) {
      const shown = isRoom && status > 0 && own !== key(fate) ? status : undefined;
      const times = { firstSecond: second, lastSecond: second };
      this.#rows.set(place, { operation, fate, ...given({ status: shown }), count: 1, ...times });
      return;
    }
    row.count += 1;
    row.firstSecond = Math.min(row.firstSecond, second);
    row.lastSecond = Math.max(row.lastSecond, second);
  }

  /** The most frequent first. */
  rows(): LoadErrorRow[] {
    return inOrder([...this.#rows.values()]);
  }
}

function inOrder(rows: readonly LoadErrorRow[]): LoadErrorRow[] {
  return rows.toSorted((a, b) => b.count - a.count || a.firstSecond - b.firstSecond);
}

/**
 * Rows of several runs of one schedule added up; absent if one has none, as it is of an earlier version.
 *
 * @param beginsOf when each run began, in seconds from the beginning of the first
 */
export function addedErrors(
  loads: readonly { readonly errors?: readonly LoadErrorRow[] }[],
  beginsOf: (place: number) => number = () => 0,
): { readonly errors?: readonly LoadErrorRow[] } {
  if (loads.some(({ errors }) => errors === undefined)) return {};
  const all = loads.flatMap(({ errors = [] }, at) =>
    errors.map((row) => ({
      ...row,
      firstSecond: beginsOf(at) + row.firstSecond,
      lastSecond: beginsOf(at) + row.lastSecond,
    })),
  );
  const groups = groupsOf(all, (row) => `${row.operation}\n${reasonOf(row)}`);
  const errors = groups.map((rows) => ({
    ...rows[0],
    ...summed(['count'], rows),
    firstSecond: rows.reduce((least, row) => Math.min(least, row.firstSecond), Infinity),
    lastSecond: rows.reduce((most, row) => Math.max(most, row.lastSecond), 0),
  }));
  return { errors: inOrder(errors) };
}
