import type { EndedBy } from '../threads/watchdog.ts';

/** Why a record was not judged, by what ended it. */
export const WHY_NOT_JUDGED: Readonly<Record<EndedBy, string>> = {
  time: 'judging did not end in its time. --max-seconds allows more.',
  silence: 'judging the record did not come to an end.',
  memory: 'judging the record took more memory than it may.',
  request: 'judging was interrupted.',
};
