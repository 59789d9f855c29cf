/** HTTP dates (RFC 9110 section 5.6.7). */

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

// Groups by place: not every runtime of this folder is sure to know named ones.
const TIME = '(\\d{2}):(\\d{2}):(\\d{2})';
const IMF_FIXDATE = new RegExp(`^(\\w{3}), (\\d{2}) (\\w{3}) (\\d{4}) ${TIME} GMT$`);
const RFC_850 = new RegExp(`^(\\w+), (\\d{2})-(\\w{3})-(\\d{2}) ${TIME} GMT$`);
const ASCTIME = new RegExp(`^(\\w{3}) (\\w{3}) (\\d{2}| \\d) ${TIME} (\\d{4})$`);

/** The fields of a date as written. */
interface DateFields {
  readonly dayName: string | undefined;
  readonly day: string | undefined;
  readonly month: string | undefined;
  readonly year: string | undefined;
  readonly time: readonly string[];
}

/**
 * Reads a date in one of the three forms that a recipient must take: IMF-fixdate, RFC 850, asctime.
 *
 * @param nowMs decides the century of the RFC 850 form's two digits: not over 50 years ahead
 * @returns milliseconds since the epoch. Undefined when the text is no such date, the date does not
 *   exist, or the day of the week is another
 */
export function parseHttpDate(text: string, nowMs: number): number | undefined {
  const fields = fieldsOf(text);
  if (fields === undefined) return undefined;
  const day = Number(fields.day);
  const month = MONTHS.indexOf(fields.month ?? '');
  const year = fields.year?.length === 2 ? fullYear(fields.year, nowMs) : Number(fields.year);
  const [hour = 0, minute = 0, second = 0] = fields.time.map(Number);

  const date = new Date(0);
  // Not Date.UTC, which takes the years 0 to 99 for 1900 to 1999.
  date.setUTCFullYear(year, month, day);
  // A day that the month has not leads into another month.
  if (date.getUTCMonth() !== month) return undefined;
  const weekday = DAYS[date.getUTCDay()] ?? '';
  if (fields.dayName !== (fields.year?.length === 2 ? weekday : weekday.slice(0, 3))) {
    return undefined;
  }
  // The grammar has a second 60, for leap seconds.
  if (hour > 23 || minute > 59 || second > 60) return undefined;
  return date.getTime() + (hour * 3600 + minute * 60 + second) * 1000;
}

function fieldsOf(text: string): DateFields | undefined {
  const dayFirst = IMF_FIXDATE.exec(text) ?? RFC_850.exec(text);
  if (dayFirst !== null) {
    const [, dayName, day, month, year, ...time] = dayFirst;
    return { dayName, day, month, year, time };
  }
  const asctime = ASCTIME.exec(text);
  if (asctime === null) return undefined;
  const [, dayName, month, day] = asctime;
  return { dayName, day, month, year: asctime[7], time: asctime.slice(4, 7) };
}

/** The latest year with these last two digits that is not over 50 years ahead. */
function fullYear(twoDigits: string, nowMs: number): number {
  const lastYear = new Date(nowMs).getUTCFullYear() + 50;
  return lastYear - ((lastYear - Number(twoDigits)) % 100);
}
